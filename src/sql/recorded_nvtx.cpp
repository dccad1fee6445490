// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NVTX_EVENTS of a recording: closed push/pop ranges and marks straight from their chunks; what has to be
// joined or looked up first (start/end ranges, ranges that were never closed, names of domains, categories
// and threads) in memory.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "event/schema_nvtx.h"
#include "exporters/nsys_ids.h"
#include "exporters/processes_by_number.h"
#include "exporters/report_rows.h"
#include "sql/catalogue.h"

namespace sextant::sql {

namespace {

using namespace event::nvtx;

// columns of rows in memory beside those of event::nvtx
constexpr uint16_t kEventType = 100, kEndTid = 101, kClosed = 102;

/// event::nvtx payload types, and the columns that they go to
enum PayloadType : uint64_t { kUint64 = 1, kInt64, kDouble, kUint32, kInt32, kFloat };

Cell only_if(Cell cell, Test test, uint16_t column, uint64_t value = 0) {
  cell.test = test;
  cell.test_column = column;
  cell.test_value = value;
  return cell;
}
Cell plain(Value value, uint16_t column, uint16_t second = 0) {
  return {.value = value, .column = column, .second = second};
}
Cell payload(Value value, PayloadType type) {
  return only_if(plain(value, kPayload), Test::kEquals, kPayloadType, type);
}

/// In the order of the columns of recorded_nvtx().
Layout layout_of(Cell end, Cell type, Cell range_id, Cell end_tid) {
  return {plain(Value::kTime, kStart),
          end,
          type,
          range_id,
          only_if(plain(Value::kInteger, kCategory), Test::kNotZero, kCategory),
          only_if(plain(Value::kInteger, kColor), Test::kBit, kFlags, kHasColor),
          only_if(plain(Value::kText, kName), Test::kNoBit, kFlags, kRegistered),
          plain(Value::kThread, kProcessId, kTid),
          end_tid,
          only_if(plain(Value::kString, kName), Test::kBit, kFlags, kRegistered),
          plain(Value::kDomain, kDomain),
          payload(Value::kInteger, kUint64),
          payload(Value::kInteger, kInt64),
          payload(Value::kReal, kDouble),
          payload(Value::kUint32, kUint32),
          payload(Value::kInt32, kInt32),
          payload(Value::kFloat, kFloat),
          {},
          {}};
}

Cell constant(int64_t value) {
  return {.value = Value::kConstant, .constant = value};
}

class Builder {
 public:
  Builder(const query::Source& source, Values* values)
      : source_(source), values_(values), processes_(source), block_(std::make_shared<Block>()) {
    table_.name = "NVTX_EVENTS";
    for (const char* name : {"start", "end", "eventType", "rangeId", "category", "color"})
      table_.columns.push_back({name, "INTEGER"});
    table_.columns.push_back({"text", "TEXT"});
    for (const char* name : {"globalTid", "endGlobalTid", "textId", "domainId", "uint64Value", "int64Value"})
      table_.columns.push_back({name, "INTEGER"});
    table_.columns.push_back({"doubleValue", "REAL"});
    for (const char* name : {"uint32Value", "int32Value"}) table_.columns.push_back({name, "INTEGER"});
    table_.columns.push_back({"floatValue", "REAL"});
    table_.columns.push_back({"jsonTextId", "INTEGER"});
    table_.columns.push_back({"jsonText", "TEXT"});
    table_.layouts.push_back(
        layout_of(plain(Value::kEnd, kDuration, kStart), constant(exporters::kNvtxPushPopEvent), {}, {}));
    table_.layouts.push_back(layout_of({}, constant(exporters::kNvtxMarkEvent), {}, {}));
    table_.layouts.push_back(layout_of(
        only_if(plain(Value::kInteger, kDuration), Test::kNotZero, kClosed),
        plain(Value::kInteger, kEventType),
        only_if(plain(Value::kInteger, kRangeId), Test::kEquals, kEventType, exporters::kNvtxStartEndEvent),
        only_if(plain(Value::kThread, kProcessId, kEndTid), Test::kNotZero, kEndTid)));
  }

  Result<Table> build(exporters::Unfinished* unfinished) {
    add_names();
    add_chunks(event::kNvtxRange, table_.layouts[0]);
    query::NvtxScan what;
    what.with_attributes = true;
    what.closed_push_pop = false;
    SEXTANT_TRY(
        source_.scan_nvtx(what, [&](const query::NvtxBatch& batch) { add_batch(batch, unfinished); }));
    block_->rows = block_->columns.empty() ? 0 : block_->columns[0].size();
    table_.add({.layout = &table_.layouts[2], .memory = block_, .rows = block_->rows});
    add_chunks(event::kNvtxMark, table_.layouts[1]);
    return std::move(table_);
  }

 private:
  struct Row {
    int64_t start = 0, end = 0;
    bool closed = false;
    int64_t type = 0;
    uint64_t process = 0, tid = 0, name = 0, domain = 0, flags = 0, color = 0, category = 0, payload_type = 0,
             payload = 0, range_id = 0, end_tid = 0;
  };

  void add_chunks(uint16_t table, const Layout& layout) {
    for (const report::ChunkRef& chunk : source_.reader().chunks())
      if (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) && chunk.header.table == table)
        table_.add({.layout = &layout, .chunk = &chunk, .rows = chunk.header.rows});
  }

  void add_row(const Row& row) {
    const auto put = [&](uint16_t column, auto value) {
      block_->column(column).push_back(static_cast<uint64_t>(value));
    };
    put(kStart, row.start), put(kDuration, row.end), put(kClosed, row.closed), put(kEventType, row.type);
    put(kProcessId, row.process), put(kTid, row.tid), put(kName, row.name), put(kDomain, row.domain);
    put(kFlags, row.flags), put(kColor, row.color), put(kCategory, row.category);
    put(kPayloadType, row.payload_type), put(kPayload, row.payload);
    put(kRangeId, row.range_id), put(kEndTid, row.end_tid);
  }

  void add_batch(const query::NvtxBatch& batch, exporters::Unfinished* unfinished) {
    const auto at = [](const std::vector<uint64_t>& column, size_t i) {
      return column.empty() ? 0 : column[i];
    };
    const bool start_end = batch.kind == query::NvtxBatch::Kind::kStartEnd;
    for (size_t i = 0; i < batch.rows; ++i) {
      Row row{.start = batch.start_ns[i], .end = batch.end_ns[i], .closed = true};
      row.type = start_end ? exporters::kNvtxStartEndEvent : exporters::kNvtxPushPopEvent;
      row.process = batch.process[i], row.tid = batch.tid[i], row.name = batch.name[i],
      row.domain = batch.domain[i];
      row.flags = at(batch.flags, i), row.color = at(batch.color, i), row.category = at(batch.category, i);
      row.payload_type = at(batch.payload_type, i), row.payload = at(batch.payload, i),
      row.range_id = at(batch.range_id, i);
      const uint64_t end_tid = start_end ? at(batch.end_tid, i) : 0;
      row.end_tid = end_tid == row.tid ? 0 : end_tid;
      add_row(row);
      if (!batch.unfinished) continue;
      ++unfinished->count;
      ++unfinished->by_process[row.process];
      if (unfinished->ranges.size() < exporters::Unfinished::kMostNamed)
        unfinished->ranges.push_back({row.process, row.tid, row.name, row.start});
    }
  }

  void add_name(int64_t start, int64_t type, uint64_t process, uint64_t tid, uint64_t name, uint64_t domain,
                uint64_t category) {
    add_row({.start = start,
             .type = type,
             .process = process,
             .tid = tid,
             .name = name,
             .domain = domain,
             .category = category});
  }

  void add_names() {
    std::map<std::pair<uint64_t, uint64_t>, int64_t> created;  // process and name of a domain
    const std::array<uint16_t, 3> domain = {event::nvtx_domain::kProcessId, event::nvtx_domain::kTime,
                                            event::nvtx_domain::kName};
    exporters::for_each_row(source_.reader(), event::kNvtxDomain, domain,
                            [&](const std::array<uint64_t, 3>& row) {
                              if (row[2] == 0) return;  // the default domain
                              const int64_t time = source_.time_map().to_ns(row[1]);
                              const auto [known, is_new] = created.emplace(std::pair(row[0], row[2]), time);
                              if (!is_new) known->second = std::min(known->second, time);
                              values_->domain(row[2]);
                            });
    for (const auto& [pair, time] : created)
      add_name(time, exporters::kNvtxDomainEvent, pair.first, processes_.pid(pair.first), pair.second,
               pair.second, 0);

    add_domain_ends();

    using namespace event::nvtx_category;
    std::map<std::tuple<uint64_t, uint64_t, uint64_t>, uint64_t> categories;  // the last one counts
    const std::array<uint16_t, 4> category = {event::nvtx_category::kProcessId, event::nvtx_category::kDomain,
                                              event::nvtx_category::kCategory, event::nvtx_category::kName};
    exporters::for_each_row(source_.reader(), event::kNvtxCategory, category,
                            [&](const std::array<uint64_t, 4>& row) {
                              categories[{row[0], row[1], row[2]}] = row[3];
                            });
    for (const auto& [key, name] : categories) {
      const auto [process, of_domain, number] = key;
      add_name(processes_.start_ns(process), exporters::kNvtxCategoryEvent, process, processes_.pid(process),
               name, of_domain, number);
    }

    std::map<std::pair<uint64_t, uint64_t>, uint64_t> threads;  // the last one counts
    const std::array<uint16_t, 3> thread = {event::thread::kProcessId, event::thread::kTid,
                                            event::thread::kName};
    exporters::for_each_row(source_.reader(), event::kThread, thread,
                            [&](const std::array<uint64_t, 3>& row) {
                              threads[{row[0], row[1]}] = row[2];
                            });
    for (const auto& [key, name] : threads)
      if (name != 0)
        add_name(processes_.start_ns(key.first), exporters::kNvtxThreadEvent, key.first, key.second, name, 0,
                 0);
  }

  void add_domain_ends() {
    constexpr uint64_t kDomainType = 0x7fff0001;
    const std::array<uint16_t, 5> resource = {event::nvtx_resource::kProcessId, event::nvtx_resource::kTid,
                                              event::nvtx_resource::kTime, event::nvtx_resource::kType,
                                              event::nvtx_resource::kDomain};
    exporters::for_each_row(source_.reader(), event::kNvtxResource, resource,
                            [&](const std::array<uint64_t, 5>& row) {
                              if (row[3] == kDomainType)
                                add_name(source_.time_map().to_ns(row[2]), exporters::kNvtxDomainEndEvent,
                                         row[0], row[1], row[4], row[4], 0);
                            });
  }

  const query::Source& source_;
  Values* values_;
  const exporters::ProcessesByNumber processes_;
  std::shared_ptr<Block> block_;
  Table table_;
};

}  // namespace

Result<Table> recorded_nvtx(const query::Source& source, Values* values, exporters::Unfinished* unfinished) {
  return Builder(source, values).build(unfinished);
}

}  // namespace sextant::sql
