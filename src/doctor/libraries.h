// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Where libraries and programs of others lie. Nothing of them is run or loaded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "doctor/environment.h"

namespace sextant::doctor {

/// A list such as PATH without folders that are not absolute (an empty one is the current folder): nothing
/// that lies where a command happens to be called is taken for a tool or loaded.
std::string absolute_only(std::string_view list);

/// Paths of files NAME or NAME.*, in the order in which the dynamic loader would look (LD_LIBRARY_PATH, its
/// cache, its folders), then in toolkits under /usr/local/cuda* and /opt/nvidia. Links to the same file count
/// once.
std::vector<std::string> find_libraries(const Environment& environment, std::string_view name);

/// All programs of that name on PATH, the one that a shell starts first.
std::vector<std::string> find_programs(const Environment& environment, std::string_view name);

/// Numbers behind ".so." of a library's own file name, else of its path's newest folder: "12", "2024.3.1"; ""
/// unknown.
std::string library_version(const Environment& environment, const std::string& path);

/// The major release of CUDA that a libcupti of that version belongs to; 0 unknown.
int cuda_release(const std::string& cupti_version);

}  // namespace sextant::doctor
