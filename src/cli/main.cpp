// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <string>
#include <vector>

#include "cli/dispatch.h"

namespace {

/// A file of ours must not get the number of a standard descriptor that the caller has closed: messages would
/// go into it. What is put there can neither be read nor written, so all fails as before, and is closed in a
/// program that is recorded.
void hold_standard_descriptors() {
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) < 0) (void)::open("/", O_PATH | O_CLOEXEC);
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_descriptors();
  return sextant::cli::dispatch(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
