// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/nvtx_extra_tables.h"

#include <bit>

#include "event/schema_nvtx.h"
#include "exporters/nsys_ids.h"
#include "exporters/report_rows.h"

namespace sextant::exporters {

namespace {

/// A table being written, and how its values are made.
class Rows {
 public:
  Rows(const query::Source& source, const ProcessesByNumber& processes, NvtxEvents& events, SqliteFile& file,
       const std::string& name, const std::string& columns)
      : source_(source),
        processes_(processes),
        events_(events),
        table_(file.add_table(name, "CREATE TABLE " + name + " (" + columns + ")",
                              SqliteFile::Empty::kLeftOut)) {}

  Rows& begin() {
    record_.clear();
    return *this;
  }
  Rows& number(uint64_t value) {
    record_.integer(static_cast<int64_t>(value));
    return *this;
  }
  Rows& unless_zero(uint64_t value) {
    value != 0 ? record_.integer(static_cast<int64_t>(value)) : record_.null();
    return *this;
  }
  Rows& real(uint64_t bits) {
    record_.real(std::bit_cast<double>(bits));
    return *this;
  }
  Rows& null() {
    record_.null();
    return *this;
  }
  Rows& text(uint64_t id) {
    id != 0 ? record_.text(valid_text(source_.reader().string(id), &fixed_)) : record_.null();
    return *this;
  }
  Rows& time(uint64_t stamp) {
    record_.integer(source_.time_map().to_ns(stamp));
    return *this;
  }
  Rows& domain(uint64_t name) {
    record_.integer(events_.domain_number(name));
    return *this;
  }
  Rows& process(uint64_t number) {
    record_.integer(global_pid(processes_.pid(number)));
    return *this;
  }
  Rows& thread(uint64_t process, uint64_t tid) {
    record_.integer(global_tid(processes_.pid(process), tid));
    return *this;
  }
  void end() { table_.append(record_); }

 private:
  const query::Source& source_;
  const ProcessesByNumber& processes_;
  NvtxEvents& events_;
  SqliteTable& table_;
  SqliteRecord record_;
  std::string fixed_;
};

/// Where the tables go, and what their values come from.
struct Target {
  const query::Source& source;
  const ProcessesByNumber& processes;
  NvtxEvents& events;
  SqliteFile& file;
  Rows make(const char* name, const char* columns) const {
    return Rows(source, processes, events, file, name, columns);
  }
};

void write_counters(const Target& to) {
  using namespace event::nvtx_counter;
  Rows rows =
      to.make("NVTX_COUNTERS",
              "globalPid INTEGER NOT NULL, domainId INTEGER NOT NULL, counterId INTEGER NOT NULL, name TEXT, "
              "description TEXT, unit TEXT, schemaId INTEGER, scopeId INTEGER, flags INTEGER");
  for_each_row(to.source.reader(), event::kNvtxCounter,
               std::array<uint16_t, 9>{kProcessId, kDomain, kCounter, kName, kDescription, kUnit, kSchema,
                                       kScope, kFlags},
               [&](const auto& r) {
                 rows.begin().process(r[0]).domain(r[1]).number(r[2]).text(r[3]).text(r[4]).text(r[5]);
                 rows.number(r[6]).unless_zero(r[7]).unless_zero(r[8]).end();
               });
}

void write_samples(const Target& to) {
  using namespace event::nvtx_counter_sample;
  Rows rows = to.make(
      "NVTX_COUNTER_SAMPLES",
      "timestamp INTEGER NOT NULL, globalTid INTEGER, domainId INTEGER NOT NULL, counterId INTEGER NOT "
      "NULL, field TEXT, idx INTEGER, value REAL, missing INTEGER, givenTime INTEGER");
  for_each_row(to.source.reader(), event::kNvtxCounterSample,
               std::array<uint16_t, 10>{kTime, kProcessId, kTid, kDomain, kCounter, kField, kElement, kKind,
                                        kReal, kGivenTime},
               [&](const auto& r) {
                 rows.begin().time(r[0]).thread(r[1], r[2]).domain(r[3]).number(r[4]).text(r[5]);
                 r[6] != 0 ? rows.number(r[6] - 1) : rows.null();
                 r[7] >= kMissing ? rows.null().number(r[7] - kMissing) : rows.real(r[8]).null();
                 rows.unless_zero(r[9]).end();
               });
}

void write_resources(const Target& to) {
  using namespace event::nvtx_resource;
  constexpr uint64_t kCuDevice = 4u << 16 | 1, kCudaDevice = 5u << 16, kCuStream = 4u << 16 | 3,
                     kCudaStream = 5u << 16 | 1;
  Rows all = to.make(
      "NVTX_RESOURCES",
      "timestamp INTEGER NOT NULL, globalTid INTEGER, domainId INTEGER NOT NULL, type INTEGER NOT NULL, "
      "identifier INTEGER NOT NULL, name TEXT, destroyed INTEGER NOT NULL");
  Rows devices =
      to.make("TARGET_INFO_NVTX_CUDA_DEVICE",
              "name TEXT NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL, deviceId INTEGER NOT NULL");
  Rows streams =
      to.make("TARGET_INFO_NVTX_CUDA_STREAM",
              "name TEXT NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL, processId INTEGER NOT NULL, "
              "deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL");
  for_each_row(to.source.reader(), event::kNvtxResource,
               std::array<uint16_t, 8>{kTime, kProcessId, kTid, kDomain, kType, kIdentifier, kName, kAction},
               [&](const auto& r) {
                 all.begin().time(r[0]).thread(r[1], r[2]).domain(r[3]).number(r[4]).number(r[5]).text(r[6]);
                 all.number(r[7]).end();
                 if (r[6] == 0 || r[7] != 0) return;
                 if (r[4] == kCuDevice || r[4] == kCudaDevice)
                   devices.begin().text(r[6]).number(0).number(0).number(r[5]).end();
                 if (r[4] == kCuStream || r[4] == kCudaStream)
                   streams.begin()
                       .text(r[6])
                       .number(0)
                       .number(0)
                       .number(to.processes.pid(r[1]))
                       .number(0)
                       .number(0)
                       .number(r[5])
                       .end();
               });
}

void write_syncs(const Target& to) {
  using namespace event::nvtx_sync_event;
  Rows rows = to.make(
      "NVTX_SYNC_EVENTS",
      "timestamp INTEGER NOT NULL, globalTid INTEGER, domainId INTEGER NOT NULL, objectId INTEGER NOT "
      "NULL, action INTEGER NOT NULL, name TEXT");
  for_each_row(
      to.source.reader(), event::kNvtxSyncEvent,
      std::array<uint16_t, 7>{kTime, kProcessId, kTid, kDomain, kObject, kAction, kName}, [&](const auto& r) {
        rows.begin().time(r[0]).thread(r[1], r[2]).domain(r[3]).number(r[4]).number(r[5]).text(r[6]).end();
      });
}

void write_memory(const Target& to) {
  using namespace event::nvtx_memory_event;
  Rows rows =
      to.make("NVTX_MEMORY_EVENTS",
              "timestamp INTEGER NOT NULL, globalTid INTEGER, domainId INTEGER NOT NULL, action INTEGER NOT "
              "NULL, objectId INTEGER, parentId INTEGER, address INTEGER, bytes INTEGER, name TEXT, category "
              "INTEGER, type INTEGER, flags INTEGER");
  for_each_row(to.source.reader(), event::kNvtxMemoryEvent,
               std::array<uint16_t, 13>{kTime, kProcessId, kTid, kDomain, kAction, kObject, kParent, kAddress,
                                        kBytes, kName, kCategory, kType, kFlags},
               [&](const auto& r) {
                 rows.begin().time(r[0]).thread(r[1], r[2]).domain(r[3]).number(r[4]);
                 rows.unless_zero(r[5]).unless_zero(r[6]).unless_zero(r[7]).unless_zero(r[8]).text(r[9]);
                 rows.unless_zero(r[10]).unless_zero(r[11]).unless_zero(r[12]).end();
               });
}

void write_windows(const Target& to) {
  using namespace event::capture_window;
  Rows rows = to.make(
      "CAPTURE_WINDOWS",
      "number INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER, pid INTEGER, range TEXT, domain TEXT");
  for_each_row(to.source.reader(), event::kCaptureWindow,
               std::array<uint16_t, 6>{kNumber, kStart, kEnd, kProcessId, kRange, kDomain},
               [&](const auto& r) {
                 rows.begin().number(r[0]).time(r[1]);
                 r[2] != 0 ? rows.time(r[2]) : rows.null();
                 rows.unless_zero(r[3]).text(r[4]).text(r[5]).end();
               });
}

}  // namespace

void write_nvtx_extras(const query::Source& source, const ProcessesByNumber& processes, NvtxEvents& events,
                       SqliteFile& file) {
  const Target to{source, processes, events, file};
  write_counters(to);
  write_samples(to);
  write_resources(to);
  write_syncs(to);
  write_memory(to);
  write_windows(to);
}

}  // namespace sextant::exporters
