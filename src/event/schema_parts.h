// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of event/: the parts that tables() is put together from.
#pragma once

#include "event/schema.h"

namespace sextant::event {

std::span<const Table> core_tables();      // schema.cpp
std::span<const Table> nvtx_tables();      // NVTX as another tool recorded it
std::span<const Table> nvtx_own_tables();  // what Sextant records of NVTX beside ranges and marks
std::span<const Table> cuda_tables();
std::span<const Table> system_tables();
std::span<const Table> target_tables();
std::span<const Table> parallel_tables();
std::span<const Table> opencl_tables();

inline constexpr Column kNulls = {kNullsColumn, "nulls", Type::kBits,
                                  "bit n set: column number n of this row has no value (and is stored as 0)"};

}  // namespace sextant::event
