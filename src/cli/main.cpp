// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/dispatch.h"

int main(int argc, char** argv) { return sextant::cli::dispatch(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc)); }
