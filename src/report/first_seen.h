// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Values numbered in the order in which they first occur (§6, by-partner): what encoder and decoder of
// columns that depend on another one have in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sextant::report {

/// Reused from column to column to keep its buffers. Not thread-safe.
class FirstSeen {
 public:
  /// Numbers `values`. False: more than `most` are different; then nothing can be asked.
  bool number(std::span<const uint64_t> values, size_t most);

  std::span<const uint32_t> numbers() const { return numbers_; }        // by row
  std::span<const uint32_t> first_rows() const { return first_rows_; }  // by number

 private:
  std::vector<uint32_t> numbers_;
  std::vector<uint32_t> first_rows_;
  std::vector<uint32_t> slots_;  // open addressing: number + 1, 0 is free
};

}  // namespace sextant::report
