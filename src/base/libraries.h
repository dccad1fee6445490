// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the bytes of the dynamic linker's cache and of OpenCL's loaders tell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant::base {

/// Paths in the linker's cache (/etc/ld.so.cache) that end with /NAME or /NAME.*, in its order: those of this
/// machine's kind come first.
std::vector<std::string> paths_in_cache(std::string_view cache, std::string_view name);

/// Whether a libOpenCL, by its bytes, takes layers: such a loader reads a variable, and has its name in it.
/// Khronos's does since 2021, ocl-icd since 2.3.0.
inline bool takes_opencl_layers(std::string_view library) {
  return library.find("OPENCL_LAYERS") != std::string_view::npos;
}

}  // namespace sextant::base
