// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NVTX ranges as a tree: a range's parent is the shortest range of the same thread that contains it, whatever
// its domain. Of ranges with the very same start and end the one that closed first (the one before the other
// in the file) is the inner one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "query/thread_ranges.h"

namespace sextant::stats {

struct TreeNode {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t parent = kNone;  // number of a range
  uint32_t level = 0;
  uint32_t children = 0;
  int64_t children_ns = 0;
};

/// A node for every range.
std::vector<TreeNode> make_range_tree(std::span<const query::ThreadRange> ranges);

/// Numbers of all ranges by start, end, level, number.
std::vector<uint32_t> order_ranges(std::span<const query::ThreadRange> ranges,
                                   std::span<const TreeNode> nodes);

/// ":3:17", rows of the ranges around `range` and its own.
std::string range_stack(std::span<const query::ThreadRange> ranges, std::span<const TreeNode> nodes,
                        uint32_t range);

}  // namespace sextant::stats
