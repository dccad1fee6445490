// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Pyramid: what the events of a group of tracks do in buckets of 2^level ns, so that a tile costs the same
// however many events there are. Made in one pass over events by time; when it has grown to its bound,
// neighbouring buckets are merged and the base level rises. 16 bytes a bucket and row that are not empty, and
// a third more for the levels above. After finish() const methods are thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "serve/event.h"

namespace sextant::serve {

struct Bucket {
  uint32_t index;   // start of the bucket >> its level
  uint32_t name;    // the one with most time in it
  uint32_t events;  // that begin in it
  uint16_t busy;    // 1 to kFull
  uint16_t reserved = 0;
};
inline constexpr uint32_t kFull = 65535;

class Pyramid {
 public:
  /// For times from 0 to `length_ns`, what lies outside is put to the ends. `most_buckets`: of the base, all
  /// tracks and rows together.
  Pyramid(int64_t length_ns, size_t tracks, size_t most_buckets);

  /// Events of one track come by start, with their rows.
  void add(size_t track, const Event& event);
  /// No more events come.
  void finish();

  int base_level() const { return base_level_; }
  /// Calls use(row, bucket) for the buckets at `level` >= base_level() whose index is in [first, last), by
  /// row, then index.
  void buckets(size_t track, int level, int64_t first, int64_t last,
               const std::function<void(uint16_t row, const Bucket&)>& use) const;
  size_t size() const { return size_; }

 private:
  struct Open {  // the bucket of a row that is being filled
    int64_t index = -1;
    int64_t busy_ns = 0;
    uint32_t events = 0;
    std::vector<std::pair<uint32_t, int64_t>> names;
  };
  struct Stored {
    int above;  // the base level
    std::vector<Bucket> buckets;
  };
  struct Row {
    Open open;
    std::vector<Stored> levels{
        {0, {}}};  // the base, then those that are at most half as long as the one before
  };

  void add_to_bucket(Row* row, int64_t index, uint32_t name, int64_t busy_ns, bool begins);
  void close(Row* row);
  void coarsen();

  int64_t length_ns_;
  int base_level_ = 0;
  size_t most_buckets_, size_ = 0;
  std::vector<std::vector<Row>> tracks_;
};

/// Buckets of one row at one level, merged by 2^by. `use` gets them in order.
void merge(const Bucket* begin, const Bucket* end, int by, const std::function<void(const Bucket&)>& use);

}  // namespace sextant::serve
