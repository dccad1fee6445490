// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The strings of a report (§5) and its key/value pairs (§3): bodies of kStrings and kMeta chunks, and what a
// reader keeps of them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/format.h"

namespace sextant::report {

/// Appends the body of a kStrings chunk with strings.size() consecutive ids.
void encode_strings(uint64_t first_id, std::span<const std::string_view> strings, int zstd_level,
                    std::vector<uint8_t>* out);

/// Strings by id, in blocks as they came in. Adding is not thread-safe, looking up is.
class Dictionary {
 public:
  /// The body of a kStrings chunk with `rows` strings. Ids must come in growing order over all chunks; gaps
  /// are allowed.
  Status add(std::span<const uint8_t> body, uint32_t rows);

  /// "" for 0, "(unknown string)" for ids that no block has.
  std::string_view find(uint64_t id) const;
  bool has(uint64_t id) const;
  size_t size() const { return count_; }
  uint64_t next_id() const { return next_id_; }

  /// Calls use(id, text) for every string, by growing id.
  template <typename Use>
  void for_each(Use use) const {
    for (const Block& block : blocks_)
      for (size_t i = 0; i < block.ends.size(); ++i) use(block.first_id + i, block.text(i));
  }

 private:
  struct Block {
    uint64_t first_id = 0;
    std::vector<uint8_t> bytes;  // of all strings, behind their lengths
    std::vector<uint32_t> ends;  // of each string in `bytes`
    size_t text_offset = 0;      // of the first string in `bytes`
    std::string_view text(size_t i) const {
      const size_t begin = i == 0 ? text_offset : ends[i - 1];
      return {reinterpret_cast<const char*>(bytes.data()) + begin, ends[i] - begin};
    }
  };
  const Block* block_of(uint64_t id) const;

  std::vector<Block> blocks_;
  uint64_t next_id_ = 1;
  uint64_t total_bytes_ = 0;
  size_t count_ = 0;
};

void encode_meta(std::string_view key, std::string_view value, std::vector<uint8_t>* out);

/// Adds the pairs of a kMeta body, later values replacing earlier ones. False when it is malformed.
bool parse_meta(std::span<const uint8_t> body, std::map<std::string, std::string>* meta);

}  // namespace sextant::report
