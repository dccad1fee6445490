// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Source: a report made ready for questions. Times in nanoseconds since the start of the session (its first
// clock_sync point), keyed tables merged, start/end ranges joined, open ranges closed where their process
// ended. Built on report::Reader; loads nothing but what is asked for. const methods are thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "report/reader.h"

namespace sextant::query {

/// Piecewise linear map from raw stamps to nanoseconds since the session's start, through the clock_sync
/// rows. Monotonic; beyond its first and last point it goes on as straight lines. Every duration of a report
/// is the difference of two mapped stamps, so that all commands and exports agree to the nanosecond.
class TimeMap {
 public:
  /// Times lie between -kMostNs and kMostNs (127 years), so that the difference of two is no overflow.
  static constexpr int64_t kMostNs = 4'000'000'000'000'000'000;

  /// points: (raw, CLOCK_MONOTONIC ns), any order; `zero_ns` is the CLOCK_MONOTONIC time that becomes 0.
  /// Fewer than two points: a raw tick is taken for a nanosecond.
  static TimeMap make(std::vector<std::pair<uint64_t, uint64_t>> points, uint64_t zero_ns);
  int64_t to_ns(uint64_t raw) const { return convert(segments_[find(raw)], raw); }

  /// Whether a tick is a nanosecond everywhere, so that durations need no conversion: imported recordings.
  bool ticks_are_ns() const { return ticks_are_ns_; }

  void shift(int64_t ns);

  /// out[i] = to_ns(raw[i]); fastest where neighbours are close in time. The sizes are equal.
  void to_ns(std::span<const uint64_t> raw, std::span<int64_t> out) const;

 private:
  struct Segment {
    uint64_t raw;
    int64_t ns;
    double ns_per_tick;
  };
  size_t find(uint64_t raw) const;
  static int64_t convert(const Segment& segment, uint64_t raw);
  std::vector<Segment> segments_;  // by raw; never empty
  bool ticks_are_ns_ = false;
};

struct Process {
  uint64_t number, pid, ppid, parent;
  int64_t start_ns, end_ns;  // end_ns: the session's end while running
  bool running;
  uint8_t exit_kind;
  int64_t exit_code;  // event::process::Exit
  std::string name, command_line, exe, reason;
  std::string launcher;          // "RANK=3 LOCAL_RANK=1": what its launcher told it (spool/launcher.h)
  std::optional<uint64_t> rank;  // by those, else by the MPI calls of an imported recording
  uint64_t uid;
  uint8_t traced;  // event::process::Traced
  uint64_t nvtx_instances, lost;
  uint64_t ranges;  // as counted by the collector
};
struct Thread {
  uint64_t process, tid;
  std::string name;
};
struct Diagnostic {
  std::string code;
  uint64_t process, count;
  int64_t first_ns, last_ns;
  std::string text;
};

/// A batch of NVTX events of one kind, column by column, ns and string ids resolved against
/// `Source::reader()`.
struct NvtxBatch {
  enum class Kind { kPushPop, kStartEnd, kMark } kind = Kind::kPushPop;
  size_t rows = 0;
  bool unfinished = false;  // never closed: end_ns is the end of the process
  // always there, when asked for:
  std::vector<uint64_t> process, tid, name, domain;
  std::vector<int64_t> start_ns, end_ns;
  // only with `with_attributes`
  std::vector<uint64_t> level, flags, color, category, payload_type, payload, end_tid, range_id;
  // only of imported recordings: number of the row in the source, and the thread that closed a start/end
  // range (0: the same)
  std::vector<uint64_t> row, closed_by;
};

struct NvtxScan {
  bool push_pop = true, start_end = true, marks = false;
  bool with_times = true;   // start_ns and end_ns (else only durations in end_ns, start_ns is empty)
  bool with_origin = true;  // process, tid
  bool with_attributes = false;
  bool with_imported = true;  // events of imported recordings, too
  bool whole = false;         // whatever the window is
  bool closed_push_pop =
      true;  // false: of the recording's own push/pop ranges only those that were never closed
};

/// Rows of one chunk of any table. Columns come in the order they were asked for: kTime as nanoseconds since
/// the session's start (patterns of int64_t), kDuration in nanoseconds, everything else as it is stored.
struct TableBatch {
  uint16_t table = 0;
  size_t rows = 0;
  uint64_t first_row = 0;  // number of the chunk's first row among all rows of the table that are stored
  std::vector<std::vector<uint64_t>> columns;
};

enum class Rows { kInWindow, kAll };

/// A span of time. Reports that are limited to one see only what exists at some moment of it, whole.
struct Window {
  int64_t from_ns = INT64_MIN, to_ns = INT64_MAX;  // the last one excluded
  bool holds(int64_t start_ns, int64_t end_ns) const { return start_ns < to_ns && end_ns >= from_ns; }
  bool everything() const { return from_ns == INT64_MIN && to_ns == INT64_MAX; }
};

enum class DeviceApi : uint8_t;  // query/device_api.h

/// A device by the number that a process has for it. Each API has numbers of its own.
struct DeviceOf {
  DeviceApi api;
  uint64_t process, number;
  auto operator<=>(const DeviceOf&) const = default;
};

/// Whose rows are wanted. Tables that do not tell a process are not limited by it.
struct Scope {
  std::vector<uint64_t> processes;  // numbers, ascending; empty: everybody's
  std::vector<DeviceOf> devices;  // ascending; not empty: of the rows that tell a device only those of these

  bool everybody() const { return processes.empty() && devices.empty(); }
  bool holds(uint64_t process) const;
  bool holds(const DeviceOf& device) const;
};

class Source {
 public:
  struct State;

  static Result<Source> open(const std::string& path);
  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;
  ~Source();

  /// The same report for other questions, without a window or a scope: shares the open file with this one,
  /// which need not live as long, and whose name may be gone.
  Source again() const;

  const report::Reader& reader() const;
  const std::vector<Process>& processes() const;  // by number
  const std::vector<Thread>& threads() const;
  const std::vector<Diagnostic>& diagnostics() const;
  const TimeMap& time_map() const;
  int64_t duration_ns() const;          // of the session
  uint64_t start_realtime_ns() const;   // UTC of time 0
  uint64_t start_monotonic_ns() const;  // CLOCK_MONOTONIC of the recorded machine at time 0

  /// Adds `ns` to all times from now on, so that time 0 becomes that of another report. Not while a scan
  /// runs, and before rows were kept.
  void shift_time(int64_t ns);

  /// Calls `use` for every batch, in file order; unfinished ranges last. Damaged chunks are skipped (and kept
  /// in skipped()).
  Status scan_nvtx(const NvtxScan& what, const std::function<void(const NvtxBatch&)>& use) const;

  /// The same, faster: `workers` threads take chunks as they come. use(worker, batch) is called at the same
  /// time for different workers, one call at a time for each; the order of batches is not that of the file.
  Status scan_nvtx_parallel(const NvtxScan& what, size_t workers,
                            const std::function<void(size_t worker, const NvtxBatch&)>& use) const;

  /// From now on scans deliver only rows that touch the window (rows without a time always). Not while a scan
  /// runs.
  void set_window(const Window& window);
  const Window& window() const;

  /// The same for rows of others than those in `scope`. processes() stays whole.
  void set_scope(Scope scope);
  const Scope& scope() const;

  /// Whether scans leave rows out: whoever reads rows in another way than by a scan asks first.
  bool limited() const { return !window().everything() || !scope().everybody(); }

  /// Rows of a table that are stored, whatever the window.
  uint64_t rows(uint16_t table) const;

  /// Calls `use` for the rows of every chunk of a table (its number: event::TableId, or one of the file's
  /// own), in file order with one worker; otherwise as scan_nvtx_parallel.
  Status scan_table(uint16_t table, std::span<const uint16_t> columns, size_t workers,
                    const std::function<void(size_t worker, TableBatch&)>& use,
                    Rows which = Rows::kInWindow) const;

  /// The same for several tables, by the time of the chunks' earliest rows: prepare(worker, batch) is called
  /// at the same time for different workers, then use(worker, until) by the same worker, one at a time and in
  /// that order. No row that comes later begins before `until`.
  Status scan_by_time(std::span<const uint16_t> tables, std::span<const uint16_t> columns, size_t workers,
                      const std::function<void(size_t worker, TableBatch&)>& prepare,
                      const std::function<void(size_t worker, int64_t until)>& use) const;

  /// How often each duration occurs in a table, by name, where the report has that summed up for every row
  /// and the source is not limited: batches of name (the table's first column of strings), duration in
  /// nanoseconds (its first one of durations), count. False: there is no such sum, rows have to be scanned.
  Result<bool> scan_summary(uint16_t table, const std::function<void(const TableBatch&)>& use) const;

  /// The nanoseconds of the first start and the last end of all stored rows of a table, from what its chunks
  /// say of themselves. False: there are no rows.
  bool extent(uint16_t table, int64_t* first_ns, int64_t* last_ns) const;

  /// All rows of a table at once, in file order.
  Result<TableBatch> read_table(uint16_t table, std::span<const uint16_t> columns) const;

  /// What this source and all others of the same open file have had to skip so far because it could not be
  /// read: as report::Reader::damage(), but found later.
  std::vector<report::Damage> skipped() const;

  /// For who reads chunks itself: adds one that could not be read to skipped(). Fails with the error itself
  /// where that is not the chunk's fault (kIo, ...).
  Status skip(const report::ChunkRef& chunk, const Error& error) const;

 private:
  explicit Source(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sextant::query
