// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The OpenCL loader that a program started here would find: the linker's cache and LD_LIBRARY_PATH say where.
#pragma once

#include <string>

#include "base/result.h"

namespace sextant::recording {

struct OpenclLoader {
  std::string path;  // "": none
  bool takes_layers = false;
};

/// `library_path`: LD_LIBRARY_PATH of the program.
OpenclLoader find_opencl_loader(const std::string& library_path);

/// What is preloaded where a loader takes no layers: beside the agent. kNotFound.
Result<std::string> find_opencl_exports(const std::string& agent);

}  // namespace sextant::recording
