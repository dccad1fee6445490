// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/group.h"

namespace sextant::collector {

namespace nvtx = event::nvtx;

NvtxRows::NvtxRows(event::TableId table) : rows_(*event::find_table(table)) {
  for (size_t i = 0; i < rows_.columns.size(); ++i) by_id_[rows_.table->columns[i].id] = &rows_.columns[i];
  start_ = by_id_[nvtx::kStart];
  name_ = by_id_[nvtx::kName];  // null for nvtx_end
  duration_ = by_id_[nvtx::kDuration];
  level_ = by_id_[nvtx::kLevel];
}

void NvtxRows::put(uint16_t id, size_t row, uint64_t value) {
  std::vector<uint64_t>& column = *by_id_[id];
  column.resize(row);
  column.push_back(value);
}

void NvtxRows::add_rare(size_t row, uint32_t domain, uint8_t flags, const spool::Attributes* attributes) {
  if (domain != 0) put(nvtx::kDomain, row, domain);
  uint64_t row_flags = (flags & spool::kRegisteredName) != 0 ? nvtx::kRegistered : 0;
  if (attributes != nullptr) {
    if (attributes->has_color != 0) {
      row_flags |= nvtx::kHasColor;
      put(nvtx::kColor, row, attributes->color);
    }
    if (attributes->category != 0) put(nvtx::kCategory, row, attributes->category);
    if (attributes->payload_type != 0) {
      put(nvtx::kPayloadType, row, attributes->payload_type);
      put(nvtx::kPayload, row, attributes->payload);
    }
  }
  if (row_flags != 0) put(nvtx::kFlags, row, row_flags);
}

void NvtxRows::set_origin(uint64_t process, uint64_t tid) {
  by_id_[nvtx::kProcessId]->resize(count(), process);
  by_id_[nvtx::kTid]->resize(count(), tid);
}

const report::Rows& NvtxRows::finished() {
  for (std::vector<uint64_t>& column : rows_.columns)
    if (!column.empty()) column.resize(count());
  return rows_;
}

Group::Group()
    : categories(*event::find_table(event::kNvtxCategory)),
      domains(*event::find_table(event::kNvtxDomain)),
      threads(*event::find_table(event::kThread)) {}

void Group::end_ring(uint64_t process, uint64_t tid) {
  for (NvtxRows* rows : {&ranges, &marks, &starts, &ends}) rows->set_origin(process, tid);
}

void Group::clear() {
  for (NvtxRows* rows : {&ranges, &marks, &starts, &ends, &opens}) rows->clear();
  categories.clear();
  domains.clear();
  threads.clear();
  extra.clear();
  opencl.clear();
  contributions.clear();
  records = 0;
}

void append_row(report::Rows* rows, std::initializer_list<uint64_t> values) {
  size_t i = 0;
  for (uint64_t value : values) rows->columns[i++].push_back(value);
}

}  // namespace sextant::collector
