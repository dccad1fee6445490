// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The OpenCL loader that a program started here would find: the linker's cache and LD_LIBRARY_PATH say where.
#pragma once

#include <string>

namespace sextant::recording {

struct OpenclLoader {
  std::string path;           // "": none
  bool takes_layers = false;  // OPENCL_LAYERS; Khronos's loader does since 2021, ocl-icd since 2.3.0
};

/// `library_path`: LD_LIBRARY_PATH of the program.
OpenclLoader find_opencl_loader(const std::string& library_path);

}  // namespace sextant::recording
