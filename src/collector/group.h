// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Group: NVTX rows gathered until they are written as one chunk group, and which records of which rings they
// came from. Rows are appended ring by ring: begin_ring(), rows, end_ring(). Columns that are zero in every
// row stay empty. Not thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "collector/extra_rows.h"
#include "collector/opencl_rows.h"
#include "event/schema.h"
#include "report/writer.h"
#include "spool/reader.h"

namespace sextant::collector {

class Instance;
struct Ring;

/// Rows of one NVTX table. Columns that hold 0 mostly lag behind and are filled up when needed.
class NvtxRows {
 public:
  explicit NvtxRows(event::TableId table);

  void add(uint64_t start, uint32_t name, uint32_t domain, uint8_t flags,
           const spool::Attributes* attributes) {
    const size_t row = start_->size();
    start_->push_back(start);
    if (name_ != nullptr) name_->push_back(name);
    if (domain != 0 || flags != 0) add_rare(row, domain, flags, attributes);
  }
  /// nvtx_range only.
  void add_range(uint64_t start, uint64_t end, uint32_t level, uint32_t name, uint32_t domain, uint8_t flags,
                 const spool::Attributes* attributes) {
    duration_->push_back(end - start);
    level_->push_back(level);
    add(start, name, domain, flags, attributes);
  }
  std::vector<uint64_t>& column(uint16_t id) { return *by_id_[id]; }
  size_t count() const { return start_->size(); }
  void set_origin(uint64_t process, uint64_t tid);  // of all rows since the last call
  const report::Rows& finished();                   // all columns equally long or empty
  void clear() { rows_.clear(); }

 private:
  void add_rare(size_t row, uint32_t domain, uint8_t flags, const spool::Attributes* attributes);
  void put(uint16_t id, size_t row, uint64_t value);

  static constexpr size_t kIds = 16;
  report::Rows rows_;
  std::vector<uint64_t>* by_id_[kIds] = {};
  std::vector<uint64_t>* start_;
  std::vector<uint64_t>* name_;
  std::vector<uint64_t>* duration_;
  std::vector<uint64_t>* level_;
};

struct Contribution {
  Instance* instance;
  Ring* ring;
  uint64_t first_sequence;
  uint64_t end_sequence;
};

class Group {
 public:
  Group();

  NvtxRows ranges{event::kNvtxRange};
  NvtxRows marks{event::kNvtxMark};
  NvtxRows starts{event::kNvtxStart};
  NvtxRows ends{event::kNvtxEnd};
  NvtxRows opens{event::kNvtxOpen};
  report::Rows categories;
  report::Rows domains;
  report::Rows threads;
  ExtraRows extra;
  OpenclRows opencl;

  std::vector<Contribution> contributions;
  uint64_t records = 0;   // drained since the group was empty
  uint64_t since_ns = 0;  // CLOCK_MONOTONIC of the first record

  size_t rows() const {
    return ranges.count() + marks.count() + starts.count() + ends.count() + extra.count() + opencl.count();
  }
  bool empty() const { return contributions.empty(); }
  void end_ring(uint64_t process, uint64_t tid);
  void clear();
};

/// Appends a row to a small table; `values` in the order of the table's columns.
void append_row(report::Rows* rows, std::initializer_list<uint64_t> values);

}  // namespace sextant::collector
