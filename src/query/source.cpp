// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Opening: clocks first, then the small tables.
#include "query/source.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>

#include "event/schema_parallel.h"

namespace sextant::query {

namespace {

using Columns = std::vector<std::vector<uint64_t>>;

size_t rows_of(const Columns& columns) {
  return columns.empty() ? 0 : columns[0].size();
}

template <typename... Ids>
Result<Columns> read(Source::State& state, uint16_t table, Ids... ids) {
  const uint16_t wanted[] = {ids...};
  return read_table(state, table, wanted);
}

/// Where each distinct key's last row is, in the order of first appearance.
std::vector<size_t> newest_rows(const Columns& columns, size_t key_columns) {
  std::map<std::vector<uint64_t>, size_t> place;  // in `newest`
  std::vector<size_t> newest;
  for (size_t row = 0; row < rows_of(columns); ++row) {
    std::vector<uint64_t> key(key_columns);
    for (size_t c = 0; c < key_columns; ++c) key[c] = columns[c][row];
    const auto [at, is_new] = place.emplace(std::move(key), newest.size());
    if (is_new) {
      newest.push_back(row);
    } else {
      newest[at->second] = row;
    }
  }
  return newest;
}

Status load_clock(Source::State& state) {
  using namespace event::clock_sync;
  SEXTANT_ASSIGN(const Columns sync, read(state, event::kClockSync, kRaw, kMonotonic, kRealtime));
  std::vector<std::pair<uint64_t, uint64_t>> points;
  size_t first = 0;
  for (size_t i = 0; i < rows_of(sync); ++i) {
    points.emplace_back(sync[0][i], sync[1][i]);
    if (sync[0][i] < sync[0][first]) first = i;
  }
  if (!points.empty()) state.start_realtime_ns = sync[2][first];
  uint64_t zero_ns = points.empty() ? 0 : points[first].second;
  if (points.empty()) {  // no clock at all: count from the earliest stamp
    zero_ns = UINT64_MAX;
    for (const report::ChunkRef& chunk : state.reader.chunks())
      if (chunk.header.clock != 0 && chunk.header.time_min != 0)
        zero_ns = std::min(zero_ns, chunk.header.time_min);
    if (zero_ns == UINT64_MAX) zero_ns = 0;
  }
  state.start_monotonic_ns = zero_ns;
  state.time_map = TimeMap::make(std::move(points), zero_ns);
  for (const report::ChunkRef& chunk : state.reader.chunks())
    if (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) && chunk.header.clock != 0)
      state.duration_ns = std::max(state.duration_ns, state.time_map.to_ns(chunk.header.time_max));
  state.end_ns = state.duration_ns;
  return {};
}

/// The number in the first of the launcher's variables that has one, by their order of trust.
std::optional<uint64_t> rank_of(std::string_view launcher) {
  for (const std::string_view name : event::process::kRankVariables) {
    for (std::string_view rest = launcher; !rest.empty();) {
      const std::string_view entry = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
      if (!entry.starts_with(name) || entry.substr(name.size(), 1) != "=") continue;
      const std::string_view digits = entry.substr(name.size() + 1);
      uint64_t rank = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
      if (error == std::errc() && end == digits.data() + digits.size()) return rank;
    }
  }
  return std::nullopt;
}

/// Imported recordings of MPI programs tell ranks by process.
Status load_mpi_ranks(Source::State& state) {
  using namespace event::mpi_rank;
  SEXTANT_ASSIGN(const Columns c, read(state, event::kMpiRank, kProcess, kRank));
  std::map<uint64_t, uint64_t> ranks;
  for (size_t i = 0; i < rows_of(c); ++i) ranks.emplace(c[0][i], c[1][i]);
  for (Process& p : state.processes)
    if (const auto at = ranks.find(p.number); !p.rank && at != ranks.end()) p.rank = at->second;
  return {};
}

Status load_processes(Source::State& state) {
  using namespace event::process;
  SEXTANT_ASSIGN(const Columns c, read(state, event::kProcess, kId, kPid, kPpid, kParent, kStart, kEnd,
                                       kExitKind, kExitCode, kName, kCommandLine, kExe, kUid, kTraced,
                                       kReason, kNvtxInstances, kRanges, kLost, kLauncher));
  const auto text = [&](Col column, size_t row) { return std::string(state.reader.string(c[column][row])); };
  for (const size_t row : newest_rows(c, 1)) {
    Process p{};
    p.number = c[kId][row];
    p.pid = c[kPid][row];
    p.ppid = c[kPpid][row];
    p.parent = c[kParent][row];
    p.start_ns = state.time_map.to_ns(c[kStart][row]);
    p.running = c[kEnd][row] == 0;
    p.end_ns = p.running ? state.duration_ns : state.time_map.to_ns(c[kEnd][row]);
    p.exit_kind = static_cast<uint8_t>(c[kExitKind][row]);
    p.exit_code = static_cast<int64_t>(c[kExitCode][row]);
    p.name = text(kName, row);
    p.command_line = text(kCommandLine, row);
    p.exe = text(kExe, row);
    p.reason = text(kReason, row);
    p.uid = c[kUid][row];
    p.traced = static_cast<uint8_t>(c[kTraced][row]);
    p.nvtx_instances = c[kNvtxInstances][row];
    p.ranges = c[kRanges][row];
    p.lost = c[kLost][row];
    p.launcher = text(kLauncher, row);
    p.rank = rank_of(p.launcher);
    state.processes.push_back(std::move(p));
  }
  std::sort(state.processes.begin(), state.processes.end(),
            [](const Process& a, const Process& b) { return a.number < b.number; });
  return {};
}

Status load_threads(Source::State& state) {
  using namespace event::thread;
  SEXTANT_ASSIGN(const Columns c, read(state, event::kThread, kProcessId, kTid, kName));
  for (const size_t row : newest_rows(c, 2))
    state.threads.push_back(
        {c[kProcessId][row], c[kTid][row], std::string(state.reader.string(c[kName][row]))});
  return {};
}

Status load_diagnostics(Source::State& state) {
  using namespace event::diagnostic;
  SEXTANT_ASSIGN(const Columns c,
                 read(state, event::kDiagnostic, kCode, kProcessId, kCount, kFirst, kLast, kText));
  const auto time = [&](uint64_t raw) { return raw == 0 ? 0 : state.time_map.to_ns(raw); };
  for (const size_t row : newest_rows(c, 2))
    state.diagnostics.push_back({std::string(state.reader.string(c[kCode][row])), c[kProcessId][row],
                                 c[kCount][row], time(c[kFirst][row]), time(c[kLast][row]),
                                 std::string(state.reader.string(c[kText][row]))});
  return {};
}

}  // namespace

Result<Columns> read_table(Source::State& state, uint16_t table, std::span<const uint16_t> columns) {
  Columns all(columns.size());
  Columns part(columns.size());
  for (const report::ChunkRef& chunk : state.reader.chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(report::ChunkKind::kData) || chunk.header.table != table)
      continue;
    if (const Status status = state.reader.read_columns(chunk, columns, part); !status) {
      SEXTANT_TRY(state.skip(chunk, status.error()));
      continue;
    }
    for (size_t i = 0; i < columns.size(); ++i) all[i].insert(all[i].end(), part[i].begin(), part[i].end());
  }
  return all;
}

Status Source::State::skip(const report::ChunkRef& chunk, const Error& error) const {
  if (error.code != ErrorCode::kCorrupt && error.code != ErrorCode::kUnsupported)
    return tl::unexpected(error);
  const std::scoped_lock lock(skipped->mutex);
  for (const report::Damage& known : skipped->chunks)
    if (known.offset == chunk.offset) return {};
  skipped->chunks.push_back(
      {chunk.offset, sizeof(report::ChunkHeader) + chunk.header.body_bytes, error.message});
  return {};
}

bool Source::State::touches_scope(const report::ChunkRef& chunk, uint16_t process,
                                  std::vector<uint64_t>* buffer) const {
  if (scope.processes.empty() || !reader.read_column(chunk, process, buffer)) return true;
  return std::any_of(buffer->begin(), buffer->end(), [&](uint64_t number) { return scope.holds(number); });
}

int64_t Source::State::end_of_process(uint64_t number) const {
  const auto at = std::lower_bound(processes.begin(), processes.end(), number,
                                   [](const Process& p, uint64_t wanted) { return p.number < wanted; });
  return at != processes.end() && at->number == number ? at->end_ns : end_ns;
}

void Source::shift_time(int64_t ns) {
  const auto shift = [ns](int64_t& time) {  // damaged times wrap around
    time = static_cast<int64_t>(static_cast<uint64_t>(time) + static_cast<uint64_t>(ns));
  };
  state_->time_map.shift(ns);
  shift(state_->end_ns);
  state_->start_realtime_ns -= static_cast<uint64_t>(ns);
  state_->start_monotonic_ns -= static_cast<uint64_t>(ns);
  for (Process& p : state_->processes) shift(p.start_ns), shift(p.end_ns);
  for (Diagnostic& d : state_->diagnostics) shift(d.first_ns), shift(d.last_ns);
}

Result<Source> Source::open(const std::string& path) {
  SEXTANT_ASSIGN(report::Reader reader, report::Reader::open(path));
  Facts facts;
  facts.file = std::make_shared<const report::Reader>(std::move(reader));
  auto state = std::make_unique<State>(std::move(facts));
  SEXTANT_TRY(load_clock(*state));
  SEXTANT_TRY(load_processes(*state));
  SEXTANT_TRY(load_mpi_ranks(*state));
  SEXTANT_TRY(load_threads(*state));
  SEXTANT_TRY(load_diagnostics(*state));
  return Source(std::move(state));
}

Source Source::again() const {
  return Source(std::make_unique<State>(static_cast<const Facts&>(*state_)));
}

Source::Source(std::unique_ptr<State> state) : state_(std::move(state)) {}
Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;
Source::~Source() = default;

const report::Reader& Source::reader() const {
  return state_->reader;
}
const std::vector<Process>& Source::processes() const {
  return state_->processes;
}
const std::vector<Thread>& Source::threads() const {
  return state_->threads;
}
const std::vector<Diagnostic>& Source::diagnostics() const {
  return state_->diagnostics;
}
const TimeMap& Source::time_map() const {
  return state_->time_map;
}
int64_t Source::duration_ns() const {
  return state_->duration_ns;
}
uint64_t Source::start_monotonic_ns() const {
  return state_->start_monotonic_ns;
}
uint64_t Source::start_realtime_ns() const {
  return state_->start_realtime_ns;
}

std::vector<report::Damage> Source::skipped() const {
  const std::scoped_lock lock(state_->skipped->mutex);
  return state_->skipped->chunks;
}

Status Source::skip(const report::ChunkRef& chunk, const Error& error) const {
  return state_->skip(chunk, error);
}

}  // namespace sextant::query
