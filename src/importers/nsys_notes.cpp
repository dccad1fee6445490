// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys_notes.h"

#include "event/schema_nvtx.h"
#include "event/schema_target.h"

namespace sextant::importers {

namespace {

constexpr size_t kMostNames = 1u << 20;  // domains and categories, in a hostile file
constexpr size_t kMostPairs = 4096;

enum NvtxType : uint64_t { kCategoryName = 33, kDomainCreated = 75 };

/// A column of a batch by number; reads as 0 where the source does not have it.
class Reading {
 public:
  Reading(const report::Rows& batch, uint16_t column) {
    for (size_t i = 0; i < batch.columns.size(); ++i)
      if (batch.table->columns[i].id == column) values_ = &batch.columns[i];
  }
  uint64_t operator[](size_t row) const {
    return values_ == nullptr || values_->empty() ? 0 : (*values_)[row];
  }

 private:
  const std::vector<uint64_t>* values_ = nullptr;
};

}  // namespace

void NsysNotes::take(const report::Rows& batch, NsysProcesses& processes) {
  switch (batch.table->id) {
    case event::kNvtxEvent:
      return take_nvtx(batch);
    case event::kListedProcess:
      return take_processes(batch, processes);
    case event::kThreadName:
      return take_threads(batch, processes);
    case event::kSessionStart:
      return take_session(batch);
    case event::kMetadata:
      return take_pairs(batch, event::metadata::kName, event::metadata::kValue);
    case event::kSystemProperty:
      return take_pairs(batch, event::system_property::kName, event::system_property::kValue);
    default:
      return;
  }
}

void NsysNotes::take_nvtx(const report::Rows& batch) {
  using namespace event::nvtx_event;
  const Reading type(batch, kType), process(batch, kProcess), start(batch, kStart), domain(batch, kDomain),
      category(batch, kCategory), text(batch, kText), registered(batch, kTextRegistered);
  for (size_t i = 0; i < batch.count(); ++i) {
    const uint64_t name = text[i] != 0 ? text[i] : registered[i];
    if (type[i] == kDomainCreated && domains_.size() < kMostNames)
      domains_.push_back({process[i], start[i], name, domain[i]});
    if (type[i] == kCategoryName && categories_.size() < kMostNames)
      categories_.push_back({process[i], domain[i], category[i], name});
  }
}

void NsysNotes::take_processes(const report::Rows& batch, NsysProcesses& processes) {
  const Reading process(batch, event::listed_process::kProcess), name(batch, event::listed_process::kName);
  for (size_t i = 0; i < batch.count(); ++i)
    if (process[i] != 0) processes.set_name(process[i], static_cast<uint32_t>(name[i]));
}

void NsysNotes::take_threads(const report::Rows& batch, NsysProcesses& processes) {
  using namespace event::thread_name;
  const Reading process(batch, kProcess), tid(batch, kTid), priority(batch, kPriority), name(batch, kName);
  for (size_t i = 0; i < batch.count(); ++i)
    if (process[i] != 0)
      processes.set_thread_name(process[i], tid[i], static_cast<int64_t>(priority[i]),
                                static_cast<uint32_t>(name[i]));
}

void NsysNotes::take_session(const report::Rows& batch) {
  realtime_ns_ = Reading(batch, event::session_start::kUtcNs)[0];
  monotonic_ns_ = Reading(batch, event::session_start::kSystemClockNs)[0];
}

void NsysNotes::take_pairs(const report::Rows& batch, uint16_t key, uint16_t value) {
  const Reading keys(batch, key), values(batch, value);
  for (size_t i = 0; i < batch.count() && pairs_.size() < kMostPairs; ++i)
    pairs_.try_emplace(keys[i], values[i]);
}

Status NsysNotes::write(report::Writer& writer, const std::string& source_path) const {
  using namespace event;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> names;  // (process, domain) -> name
  report::Rows domains(*find_table(kNvtxDomain));
  for (const Domain& d : domains_) {
    names[{d.process, d.id}] = d.name;
    domains.column(nvtx_domain::kProcessId).push_back(d.process);
    domains.column(nvtx_domain::kTime).push_back(d.time);
    domains.column(nvtx_domain::kName).push_back(d.name);
    domains.column(nvtx_domain::kDomainId).push_back(d.id);
  }
  report::Rows categories(*find_table(kNvtxCategory));
  for (const Category& c : categories_) {
    const auto domain = names.find({c.process, c.domain_id});
    categories.column(nvtx_category::kProcessId).push_back(c.process);
    categories.column(nvtx_category::kDomain).push_back(domain == names.end() ? 0 : domain->second);
    categories.column(nvtx_category::kCategory).push_back(c.category);
    categories.column(nvtx_category::kName).push_back(c.name);
  }
  report::Rows clock(*find_table(kClockSync));
  clock.column(clock_sync::kRaw).push_back(kSessionStartRaw);
  clock.column(clock_sync::kMonotonic).push_back(monotonic_ns_);
  clock.column(clock_sync::kRealtime).push_back(realtime_ns_);
  const report::Rows* parts[] = {&domains, &categories, &clock};
  SEXTANT_TRY(writer.write_group(parts, {}));

  SEXTANT_TRY(writer.write_meta("source.path", source_path));
  SEXTANT_TRY(writer.write_meta("source.format", "nsys SQLite export"));
  for (const auto& [name, key] : {std::pair{"EXPORT_PRODUCT_VERSION", "source.nsys_version"},
                                  {"EXPORT_SCHEMA_VERSION", "source.schema_version"},
                                  {"Hostname", "host.name"},
                                  {"CpuArchitecture", "host.machine"},
                                  {"OsDescription", "host.os"},
                                  {"PROCESS_0:COMMAND", "program.command_line"}}) {
    const auto found = pairs_.find(writer.string_id(name));
    if (found != pairs_.end() && found->second != 0)
      SEXTANT_TRY(writer.write_meta(key, writer.string(static_cast<uint32_t>(found->second))));
  }
  return {};
}

}  // namespace sextant::importers
