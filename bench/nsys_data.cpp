// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes what nsys would export of the program of gpu_program.h: an SQLite database in nsys's tables.
//
//   nsys_data OUT.sqlite KERNELS [time]
//
// About as many calls as kernels, a range for 11 kernels, a copy for 44. Rows come in blocks of 65536 kernels
// of one process, as a profiler receives them; with `time` by their start through all processes, as nsys
// exports them.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "exporters/nsys_enums.h"
#include "exporters/sqlite_file.h"
#include "gpu_program.h"

namespace {

using namespace sextant::bench;
using sextant::exporters::SqliteFile;
using sextant::exporters::SqliteRecord;
using sextant::exporters::SqliteTable;

constexpr size_t kBlock = 65536;
constexpr int64_t kSlice = 20'000'000;  // ns
constexpr int64_t kFirstPid = 4000;

// numbers in StringIds
constexpr int64_t kDemangled = 1, kShort = kDemangled + kNames, kMangled = kShort + kNames,
                  kFunctions = kMangled + kNames, kRanges = kFunctions + 3;

int64_t global_pid(int process) {
  return (int64_t{1} << 48) + ((kFirstPid + process) << 24);
}
int64_t global_tid(int process) {
  return global_pid(process) + kFirstPid + process;
}

class Database {
 public:
  explicit Database(int fd) : file_(fd, {}) { write_small_tables(); }

  void add(int process, const Kernel& k) {
    const int64_t grid = 1 + k.name * 7 % 300;
    record_.clear();
    record_.integer(k.start).integer(k.end).integer(process).integer(1).null();
    record_.integer(7 + 6 * k.stream).integer(k.correlation).integer(global_pid(process));
    record_.integer(kDemangled + k.name).integer(kShort + k.name).integer(kMangled + k.name);
    record_.integer(1).integer(0).integer(16 + k.name * 5 % 240);
    record_.integer(grid).integer(1 + k.name % 3).integer(1).integer(32 << k.name % 5).integer(1).integer(1);
    record_.integer(k.name % 7 * 1024).integer(k.name % 4 * 8192).integer(0).integer(182'845'440);
    record_.integer(k.grid).integer(32768 << k.name % 2).null().integer(0);
    kernels_->append(record_);
  }
  void add(int process, const Call& c) {
    record_.clear();
    record_.integer(c.start).integer(c.end).integer(0).integer(global_tid(process)).integer(c.correlation);
    record_.integer(kFunctions + static_cast<int64_t>(c.function)).integer(0);
    calls_->append(record_);
  }
  void add(int process, const Copy& c) {
    record_.clear();
    record_.integer(c.start).integer(c.end).integer(process).integer(1).null().integer(7);
    record_.integer(c.correlation).integer(global_pid(process)).integer(c.bytes).integer(c.to_device ? 1 : 2);
    record_.null().integer(c.to_device ? 1 : 2).integer(c.to_device ? 2 : 1);
    copies_->append(record_);
  }
  void add(int process, const Range& r) {
    record_.clear();
    record_.integer(r.start).integer(r.end).integer(59).null().null().null().null();
    record_.integer(global_tid(process)).null().integer(kRanges + r.program * 4 + r.name).integer(0);
    ranges_->append(record_);
  }

  sextant::Status finish() { return file_.finish(); }

 private:
  /// `columns`: names with types, as in CREATE TABLE.
  SqliteTable* table(const std::string& name, const std::string& columns) {
    return &file_.add_table(name, fmt::format("CREATE TABLE {} ({})", name, columns),
                            SqliteFile::Empty::kLeftOut);
  }
  static std::string integers(const std::string& names) {
    std::string out;
    for (const char c : names) out += c == ' ' ? " INTEGER, " : std::string(1, c);
    return out + " INTEGER";
  }
  void write_strings();
  void write_small_tables();

  SqliteFile file_;
  SqliteRecord record_;
  SqliteTable *kernels_ = nullptr, *calls_ = nullptr, *copies_ = nullptr, *ranges_ = nullptr;
};

void Database::write_strings() {
  SqliteTable* strings = table("StringIds", "id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL");
  const auto add = [&](int64_t id, const std::string& text) {
    record_.clear();
    record_.null().text(text);
    strings->append(id, record_);
  };
  for (int i = 0; i < kNames; ++i)
    add(kDemangled + i, fmt::format("void layer{}::kernel_{}<float, {}, (bool)1>(const float *, float *, "
                                    "long, layer{}::Params<{}>)",
                                    i / kNamesOfProgram, i, 1 << i % 6, i / kNamesOfProgram, i));
  for (int i = 0; i < kNames; ++i) add(kShort + i, fmt::format("kernel_{}", i));
  for (int i = 0; i < kNames; ++i)
    add(kMangled + i,
        fmt::format("_ZN6layer{}8kernel_{}IfLi{}ELb1EEEvPKfPflS1_", i / kNamesOfProgram, i, 1 << i % 6));
  const char* const functions[] = {"cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020",
                                   "cudaStreamSynchronize_v3020"};
  for (int i = 0; i < 3; ++i) add(kFunctions + i, functions[i]);
  for (int i = 0; i < kPrograms * 4; ++i)
    add(kRanges + i,
        i % 4 == 0 ? fmt::format("program {}", i / 4) : fmt::format("program {} part {}", i / 4, i % 4));
}

void Database::write_small_tables() {
  write_strings();
  const auto pairs = [&](const std::string& name,
                         std::initializer_list<std::pair<std::string, std::string>> rows) {
    SqliteTable* to = table(name, "name TEXT, value TEXT");
    for (const auto& [key, value] : rows) record_.clear(), record_.text(key).text(value), to->append(record_);
  };
  pairs("META_DATA_EXPORT", {{"EXPORT_PRODUCT_NAME", "made up"},
                             {"EXPORT_SCHEMA_VERSION", "3.11.0"},
                             {"EXPORT_SCHEMA_VERSION_MAJOR", "3"},
                             {"EXPORT_SCHEMA_VERSION_MINOR", "11"},
                             {"EXPORT_SCHEMA_VERSION_MICRO", "0"}});
  sextant::exporters::for_each_enum_table([&](std::string_view name) {
    SqliteTable* to = table(std::string(name), "id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT");
    sextant::exporters::for_each_enum_value(name, [&](const auto& value) {
      record_.clear();
      record_.null().text(value.name).text(value.label);
      to->append(value.id, record_);
    });
  });
  SqliteTable* processes = table("PROCESSES", "globalPid INTEGER, pid INTEGER, name TEXT");
  SqliteTable* gpus = table("TARGET_INFO_GPU", "id INTEGER, name TEXT");
  SqliteTable* devices = table("TARGET_INFO_CUDA_DEVICE", integers("gpuId cudaId pid"));
  for (int p = 0; p < kProcesses; ++p) {
    record_.clear(), record_.integer(global_pid(p)).integer(kFirstPid + p).text("train"),
        processes->append(record_);
    record_.clear(), record_.integer(p).text("Made-up GPU"), gpus->append(record_);
    record_.clear(), record_.integer(p).integer(p).integer(kFirstPid + p), devices->append(record_);
  }
  const std::string of_work = "start end deviceId contextId greenContextId streamId correlationId globalPid ";
  kernels_ =
      table("CUPTI_ACTIVITY_KIND_KERNEL",
            integers(of_work + "demangledName shortName mangledName launchType cacheConfig "
                               "registersPerThread gridX gridY gridZ blockX blockY blockZ staticSharedMemory "
                               "dynamicSharedMemory localMemoryPerThread localMemoryTotal gridId "
                               "sharedMemoryExecuted graphNodeId sharedMemoryLimitConfig"));
  calls_ = table("CUPTI_ACTIVITY_KIND_RUNTIME",
                 integers("start end eventClass globalTid correlationId nameId returnValue callchainId"));
  copies_ = table(
      "CUPTI_ACTIVITY_KIND_MEMCPY",
      integers(of_work + "bytes copyKind deprecatedSrcId srcKind dstKind srcDeviceId srcContextId "
                         "dstDeviceId dstContextId migrationCause graphNodeId virtualAddress copyCount"));
  ranges_ = table("NVTX_EVENTS",
                  integers("start end eventType rangeId category color") + ", text TEXT, " +
                      integers("globalTid endGlobalTid textId domainId uint64Value int64Value") +
                      ", doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, floatValue REAL, "
                      "jsonTextId INTEGER, jsonText TEXT, binaryData TEXT");
}

/// In blocks of one process. `left`: kernels still wanted.
void write_blocks(Database* database, uint64_t left) {
  std::vector<GpuProcess> processes;
  for (int p = 0; p < kProcesses; ++p) processes.emplace_back(p);
  for (int p = 0; left > 0; p = (p + 1) % kProcesses) {
    Events events;
    while (events.kernels.size() < std::min<uint64_t>(kBlock, left)) processes[p].step(&events);
    left -= std::min<uint64_t>(left, events.kernels.size());
    for (const auto& one : events.kernels) database->add(p, one);
    for (const auto& one : events.calls) database->add(p, one);
    for (const auto& one : events.copies) database->add(p, one);
    for (const auto& one : events.ranges) database->add(p, one);
  }
}

template <typename Event>
struct Sorted {  // events of all processes that wait for earlier ones
  std::vector<std::pair<int, Event>> waiting;

  void take(int process, const std::vector<Event>& events) {
    for (const Event& one : events) waiting.emplace_back(process, one);
  }
  uint64_t give(Database* database, int64_t before) {
    std::sort(waiting.begin(), waiting.end(),
              [](const auto& a, const auto& b) { return a.second.start < b.second.start; });
    size_t n = 0;
    for (; n < waiting.size() && waiting[n].second.start < before; ++n)
      database->add(waiting[n].first, waiting[n].second);
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<ptrdiff_t>(n));
    return n;
  }
};

/// By start.
void write_by_time(Database* database, uint64_t wanted) {
  std::vector<GpuProcess> processes;
  for (int p = 0; p < kProcesses; ++p) processes.emplace_back(p);
  Sorted<Kernel> kernels;
  Sorted<Call> calls;
  Sorted<Copy> copies;
  Sorted<Range> ranges;
  uint64_t written = 0;
  for (int64_t until = processes[0].now() + kSlice; written < wanted; until += kSlice) {
    for (int p = 0; p < kProcesses; ++p) {
      Events events;
      while (processes[p].now() < until) processes[p].step(&events);
      kernels.take(p, events.kernels), calls.take(p, events.calls);
      copies.take(p, events.copies), ranges.take(p, events.ranges);
    }
    written += kernels.give(database, until - kSlice);
    calls.give(database, until - kSlice), copies.give(database, until - kSlice),
        ranges.give(database, until - kSlice);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return fmt::print(stderr, "usage: nsys_data OUT.sqlite KERNELS [time]\n"), 1;
  const int fd = ::open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return fmt::print(stderr, "nsys_data: cannot create {}\n", argv[1]), 1;
  Database database(fd);
  const uint64_t kernels = std::strtoull(argv[2], nullptr, 10);
  argc > 3 ? write_by_time(&database, kernels) : write_blocks(&database, kernels);
  const sextant::Status written = database.finish();
  ::close(fd);
  if (!written) fmt::print(stderr, "nsys_data: {}: {}\n", argv[1], written.error().message);
  return written ? 0 : 1;
}
