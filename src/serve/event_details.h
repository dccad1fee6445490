// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// One event: its row with all columns, and what belongs to it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "serve/timeline.h"

namespace sextant::serve {

/// A row of a table as it is stored.
struct StoredRow {
  const event::Table* table = nullptr;
  std::vector<uint64_t> values;  // by column; times and durations in nanoseconds

  bool missing(uint16_t column) const;
  std::optional<uint64_t> value(std::string_view column) const;
};
/// While one exists, read_row() keeps the rows of a chunk that the calling thread read last: for many events
/// in the order of the file. The sources must outlive it.
class KeptRows {
 public:
  KeptRows();
  ~KeptRows();
  KeptRows(const KeptRows&) = delete;
  KeptRows& operator=(const KeptRows&) = delete;

 private:
  struct Chunk;
  friend Result<StoredRow> read_row(const query::Source& source, uint16_t table, uint64_t row);
  static thread_local KeptRows* active_;
  std::unique_ptr<Chunk> chunk_;
};

/// kNotFound: no such row, or not in a table of this release.
Result<StoredRow> read_row(const query::Source& source, uint16_t table, uint64_t row);

/// The event with this number in a track. kNotFound.
Result<Event> find_event(const Timeline& timeline, const Track& track, uint64_t id);

struct Placed {
  size_t track;
  Event event;
};
/// NVTX ranges of a thread around a span, the outermost first.
Result<std::vector<Placed>> ranges_around(const Timeline& timeline, uint64_t process, uint64_t tid,
                                          const Event& event);
/// The call that launched work on a device, or the work that a call launched; found by correlation id near
/// the event: at most kMostChunks of each table are looked at.
struct Link {
  std::string_view kind;  // "launched_by", "launches"
  Placed placed;
  int64_t delay_ns;  // from the call's end to the work's start
};
Result<std::vector<Link>> links_of(const Timeline& timeline, const Track& track, const Event& event,
                                   const StoredRow& row);

}  // namespace sextant::serve
