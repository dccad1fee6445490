// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/nvtx_events.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "event/schema_nvtx.h"
#include "exporters/nsys_ids.h"
#include "exporters/report_rows.h"

namespace sextant::exporters {

namespace {

constexpr size_t kTextSlots = 4096;
constexpr int64_t kNotRecorded = INT64_MAX;

/// event::nvtx payload types (event/schema.cpp)
enum PayloadType : uint64_t { kUint64 = 1, kInt64, kDouble, kUint32, kInt32, kFloat, kExtended };

int64_t event_type(query::NvtxBatch::Kind kind) {
  switch (kind) {
    case query::NvtxBatch::Kind::kPushPop:
      return kNvtxPushPopEvent;
    case query::NvtxBatch::Kind::kStartEnd:
      return kNvtxStartEndEvent;
    case query::NvtxBatch::Kind::kMark:
      return kNvtxMarkEvent;
  }
  return 0;
}

}  // namespace

NvtxEvents::NvtxEvents(const query::Source& source, const ProcessesByNumber& processes, SqliteTable& table,
                       StringIds& strings)
    : source_(source),
      processes_(processes),
      table_(table),
      strings_(strings),
      texts_(kTextSlots),
      with_payloads_(source.rows(event::kNvtxPayload) != 0) {}

Status NvtxEvents::write(const std::function<Status(uint64_t)>& progress) {
  progress_ = progress;
  if (with_payloads_) find_end_payloads();
  SEXTANT_TRY(scan(true, false, false));
  SEXTANT_TRY(scan(false, true, false));
  SEXTANT_TRY(scan(false, false, true));
  write_domains();
  write_domain_ends();
  write_categories();
  write_thread_names();
  return progress_(table_.rows());
}

Status NvtxEvents::scan(bool push_pop, bool start_end, bool marks) {
  query::NvtxScan what;
  what.push_pop = push_pop;
  what.start_end = start_end;
  what.marks = marks;
  what.with_attributes = true;
  Status stopped;
  Status scanned = source_.scan_nvtx(what, [&](const query::NvtxBatch& batch) {
    if (!stopped) return;
    write_batch(batch);
    stopped = progress_(table_.rows());
  });
  SEXTANT_TRY(stopped);
  return scanned;
}

void NvtxEvents::write_batch(const query::NvtxBatch& batch) {
  const int64_t type = event_type(batch.kind);
  const bool is_mark = batch.kind == query::NvtxBatch::Kind::kMark;
  const bool is_start_end = batch.kind == query::NvtxBatch::Kind::kStartEnd;
  const auto at = [](const std::vector<uint64_t>& column, size_t i) {
    return column.empty() ? 0 : column[i];
  };
  const auto add_if = [this](bool there, uint64_t value) {
    there ? record_.integer(static_cast<int64_t>(value)) : record_.null();
  };
  if (batch.unfinished) note_unfinished(batch);
  for (size_t i = 0; i < batch.rows; ++i) {
    const uint64_t process = batch.process[i], domain = batch.domain[i], tid = batch.tid[i];
    const uint64_t flags = at(batch.flags, i), category = at(batch.category, i);
    const uint64_t end_tid = is_start_end ? at(batch.end_tid, i) : 0;
    const uint64_t pid = pid_of(process);
    const bool registered = (flags & event::nvtx::kRegistered) != 0;
    note_domain(process, domain);

    record_.clear();
    record_.integer(batch.start_ns[i]);
    add_if(!is_mark, static_cast<uint64_t>(batch.end_ns[i]));
    record_.integer(type);
    add_if(is_start_end, is_start_end ? at(batch.range_id, i) : 0);
    add_if(category != 0, category);
    add_if(flags & event::nvtx::kHasColor, at(batch.color, i));
    registered ? record_.null() : record_.text(text_of(batch.name[i]));
    record_.integer(global_tid(pid, tid));
    add_if(end_tid != 0 && end_tid != tid, static_cast<uint64_t>(global_tid(pid, end_tid)));
    registered ? record_.integer(strings_.use(batch.name[i])) : record_.null();
    record_.integer(domain_number(domain));
    add_payload(at(batch.payload_type, i), at(batch.payload, i));
    if (with_payloads_)
      add_event_id(at(batch.payload_type, i), at(batch.payload, i), process,
                   is_start_end ? at(batch.range_id, i) : 0);
    table_.append(record_);
  }
}

/// One of six columns has the value; those behind it are left out.
void NvtxEvents::add_payload(uint64_t type, uint64_t bits) {
  if (type < kUint64 || type > kFloat) return;
  for (uint64_t before = kUint64; before < type; ++before) record_.null();
  switch (type) {
    case kUint64:
    case kInt64:
      record_.integer(static_cast<int64_t>(bits));
      break;
    case kDouble:
      record_.real(std::bit_cast<double>(bits));
      break;
    case kUint32:
      record_.integer(static_cast<int64_t>(bits & UINT32_MAX));
      break;
    case kInt32:
      record_.integer(static_cast<int32_t>(bits));
      break;
    case kFloat:
      record_.real(std::bit_cast<float>(static_cast<uint32_t>(bits)));
      break;
  }
}

/// Payloads that were given where a start/end range ended name the range.
void NvtxEvents::find_end_payloads() {
  using namespace event::nvtx_payload;
  constexpr uint64_t kAtTheEnd = 2;
  for_each_row(source_.reader(), event::kNvtxPayload, std::array<uint16_t, 3>{kProcessId, kEvent, kUse},
               [&](const auto& row) {
                 if (row[2] == kAtTheEnd) ended_with_[{row[0], row[1]}] = row[1];
               });
}

/// The column behind the payloads and the texts of JSON.
void NvtxEvents::add_event_id(uint64_t payload_type, uint64_t payload, uint64_t process, uint64_t range_id) {
  uint64_t event = payload_type == kExtended ? payload : 0;
  if (event == 0 && range_id != 0) {
    const auto found = ended_with_.find({process, range_id});
    if (found != ended_with_.end()) event = found->second;
  }
  if (event == 0) return;
  const uint64_t filled = payload_type >= kUint64 && payload_type <= kFloat ? payload_type : 0;
  for (uint64_t column = filled; column < kFloat + 2; ++column) record_.null();
  record_.integer(static_cast<int64_t>(event));
}

void NvtxEvents::write_domain_ends() {
  using namespace event::nvtx_resource;
  constexpr uint64_t kDomainType = 0x7fff0001;
  for_each_row(source_.reader(), event::kNvtxResource,
               std::array<uint16_t, 5>{kProcessId, kTid, kTime, kType, kDomain}, [&](const auto& row) {
                 if (row[3] != kDomainType) return;
                 write_name(source_.time_map().to_ns(row[2]), kNvtxDomainEndEvent, 0,
                            source_.reader().string(row[4]), global_tid(processes_.pid(row[0]), row[1]),
                            domain_number(row[4]));
               });
}

void NvtxEvents::note_unfinished(const query::NvtxBatch& batch) {
  for (size_t i = 0; i < batch.rows; ++i) {
    ++unfinished_.count;
    ++unfinished_.by_process[batch.process[i]];
    if (unfinished_.ranges.size() < Unfinished::kMostNamed)
      unfinished_.ranges.push_back({batch.process[i], batch.tid[i], batch.name[i], batch.start_ns[i]});
  }
}

/// nsys's reports find a domain's name by its number and its process: every such pair needs a row, whether
/// its creation was recorded or not.
void NvtxEvents::note_domain(uint64_t process, uint64_t domain) {
  const std::pair pair(process, domain);
  if (domain == 0 || pair == last_noted_) return;
  last_noted_ = pair;
  created_.emplace(pair, kNotRecorded);
}

/// The default domain is 0, the others count from 1 in the order in which they come up.
int64_t NvtxEvents::domain_number(uint64_t domain) {
  if (domain == 0) return 0;
  if (domain != last_domain_) {
    last_domain_ = domain;
    last_domain_number_ = domains_.emplace(domain, static_cast<int64_t>(domains_.size()) + 1).first->second;
  }
  return last_domain_number_;
}

uint64_t NvtxEvents::pid_of(uint64_t process) {
  if (process != last_process_) {
    last_process_ = process;
    last_pid_ = processes_.pid(process);
  }
  return last_pid_;
}

std::string_view NvtxEvents::text_of(uint64_t name) {
  Text& text = texts_[name % kTextSlots];
  if (text.id != name) {
    text.id = name;
    text.text = valid_text(source_.reader().string(name), &text.fixed);
  }
  return text.text;
}

void NvtxEvents::write_name(int64_t start, int64_t type, uint64_t category, std::string_view text,
                            int64_t tid, int64_t domain) {
  std::string fixed;
  record_.clear();
  record_.integer(start).null().integer(type).null();
  category != 0 ? record_.integer(static_cast<int64_t>(category)) : record_.null();
  record_.null().text(valid_text(text, &fixed)).integer(tid).null().null().integer(domain);
  table_.append(record_);
}

void NvtxEvents::write_domains() {
  const std::array<uint16_t, 3> columns = {event::nvtx_domain::kProcessId, event::nvtx_domain::kTime,
                                           event::nvtx_domain::kName};
  for_each_row(source_.reader(), event::kNvtxDomain, columns, [&](const std::array<uint64_t, 3>& row) {
    if (row[2] == 0) return;  // the default domain
    int64_t& created = created_.emplace(std::pair(row[0], row[2]), kNotRecorded).first->second;
    created = std::min(created, source_.time_map().to_ns(row[1]));
  });
  for (const auto& [pair, created] : created_) {
    const auto [process, domain] = pair;
    const uint64_t pid = processes_.pid(process);
    const int64_t start = created == kNotRecorded ? processes_.start_ns(process) : created;
    write_name(start, kNvtxDomainEvent, 0, source_.reader().string(domain), global_tid(pid, pid),
               domain_number(domain));
  }
}

void NvtxEvents::write_categories() {
  using namespace event::nvtx_category;
  std::map<std::tuple<uint64_t, uint64_t, uint64_t>, uint64_t> names;  // the last one counts
  const std::array<uint16_t, 4> columns = {kProcessId, kDomain, kCategory, kName};
  for_each_row(source_.reader(), event::kNvtxCategory, columns, [&](const std::array<uint64_t, 4>& row) {
    names[{row[0], row[1], row[2]}] = row[3];
  });
  for (const auto& [key, name] : names) {
    const auto [process, domain, category] = key;
    const uint64_t pid = processes_.pid(process);
    write_name(processes_.start_ns(process), kNvtxCategoryEvent, category, source_.reader().string(name),
               global_tid(pid, pid), domain_number(domain));
  }
}

void NvtxEvents::write_thread_names() {
  for (const query::Thread& thread : source_.threads()) {
    if (thread.name.empty()) continue;
    write_name(processes_.start_ns(thread.process), kNvtxThreadEvent, 0, thread.name,
               global_tid(processes_.pid(thread.process), thread.tid), 0);
  }
}

}  // namespace sextant::exporters
