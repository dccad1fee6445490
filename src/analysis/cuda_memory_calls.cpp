// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// cuda_memcpy_async, cuda_memcpy_sync, cuda_memset_sync: copies and fills that block the thread which calls
// for them.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <tuple>

#include "analysis/rules.h"
#include "event/schema_cuda.h"
#include "query/launches.h"
#include "query/sums.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

using enum text::CellType;

constexpr uint64_t kPageable = 0, kPinned = 1, kManaged = 4;
constexpr uint64_t kHostToDevice = 1;
// Copies of so few bytes from the host are handed over without waiting. CUDA speaks of 64 KB, nsys takes 1000
// for a K.
constexpr uint64_t kSmallCopy = 64'000;

/// A copy or a fill with the call that asked for it.
struct Operation {
  int64_t start_ns, duration_ns;
  uint64_t from, to;  // kinds of memory; UINT64_MAX: not known
  uint64_t bytes, process, device, context, green_context, stream;
  uint32_t call;
};

struct Operations {
  query::Launches launches;
  std::vector<Operation> all;  // the longest first
  std::map<uint64_t, int64_t> pids;
  bool any = false;  // work of that kind was recorded
  std::string name;  // of the row at hand
};

/// What a rule looks for: `columns` of a table are offered to `make` for rows whose call's name fits.
struct Search {
  uint16_t table;
  std::vector<uint16_t> columns;  // start, duration, process, correlation, nulls, device, context, green
                                  // context, stream, bytes, more
  std::string_view prefix;        // of the call's name
  bool asynchronous;              // the call's name says Async
};

bool fits(std::string_view name, const Search& search) {
  return begins_with(name, search.prefix) && contains(name, "async") == search.asynchronous;
}

template <typename Wanted>
Result<std::shared_ptr<Operations>> search_operations(const query::Source& source, const Search& search,
                                                      Wanted wanted) {
  auto found = std::make_shared<Operations>();
  SEXTANT_ASSIGN(found->launches, query::Launches::load(source));
  found->pids = stats::pids(source);
  found->any = source.rows(search.table) > 0;
  std::map<uint32_t, bool> names;
  SEXTANT_TRY(source.scan_table(search.table, search.columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i) {
      if (event::is_null(c[4][i], search.columns[3])) continue;
      const uint32_t call = found->launches.find(c[2][i], c[3][i]);
      if (call == query::Launches::kNone) continue;
      const auto [at, is_new] = names.try_emplace(found->launches.name[call]);
      if (is_new) at->second = fits(source.reader().string(found->launches.name[call]), search);
      if (!at->second) continue;
      Operation operation{static_cast<int64_t>(c[0][i]),
                          static_cast<int64_t>(c[1][i]),
                          UINT64_MAX,
                          UINT64_MAX,
                          c[9][i],
                          c[2][i],
                          c[5][i],
                          c[6][i],
                          c[7][i],
                          c[8][i],
                          call};
      if (wanted(b, i, &operation)) found->all.push_back(operation);
    }
  }));
  std::stable_sort(found->all.begin(), found->all.end(),
                   [](const Operation& a, const Operation& b) { return a.duration_ns > b.duration_ns; });
  return found;
}

/// What to say about a group of operations.
struct Words {
  std::string_view one, many;  // "copy", "copies"
  std::string_view why;        // "held up their thread although asynchronous, since host memory is pageable"
  std::string_view advice;
  uint16_t table;
};

std::vector<Finding> find(const query::Source& source, Operations& operations, const Words& words) {
  struct Group {
    uint64_t count = 0, bytes = 0;
    int64_t total = 0, first = INT64_MAX, last = INT64_MIN;
    const Operation* longest = nullptr;
  };
  std::map<std::tuple<uint64_t, uint64_t, uint32_t, uint64_t, uint64_t>, Group>
      groups;  // process, device, call's name, kinds of memory
  for (const Operation& o : operations.all) {
    Group& group = groups[{o.process, o.device, operations.launches.name[o.call], o.from, o.to}];
    if (group.count++ == 0) group.longest = &o;
    group.bytes += o.bytes;
    group.total = query::sum(group.total, o.duration_ns);
    group.first = std::min(group.first, o.start_ns);
    group.last = std::max(group.last, query::sum(o.start_ns, o.duration_ns));
  }
  std::vector<Finding> findings;
  for (const auto& [key, group] : groups) {
    const auto& [process, device, string, from, to] = key;
    const std::string call(stats::api_name(stats::display(source, string)));
    const std::string kinds =
        to == UINT64_MAX ? fmt::format("{} memory", stats::memory_kind(from))
                         : fmt::format("{} to {} memory", stats::memory_kind(from), stats::memory_kind(to));
    findings.push_back(
        {fmt::format("{} of {} {}.", text::counted(group.count, words.one, words.many), call, words.why),
         fmt::format("process {}, CUDA device {}, {}", operations.pids[process], device,
                     span_text(group.first, group.last)),
         fmt::format("{}, {}, {} on the GPU", kinds, text::bytes(group.bytes), text::duration(group.total)),
         group.total,
         std::string(words.advice),
         {{process, std::nullopt, device, group.first, group.last},
          {process, std::nullopt, device, group.longest->start_ns,
           query::sum(group.longest->start_ns, group.longest->duration_ns), words.table}}});
  }
  keep_best(&findings);
  return findings;
}

/// The table; `is_copy`: with two kinds of memory.
text::Table make_table(const query::Source& source, const std::shared_ptr<Operations>& found,
                       const RuleArguments& arguments, bool is_copy) {
  text::Table table;
  table.columns = {{"Duration", "ns", kInteger}, {"Start", "ns", kInteger}};
  if (is_copy) {
    table.columns.push_back({"Src Kind", "", kText});
    table.columns.push_back({"Dst Kind", "", kText});
  } else {
    table.columns.push_back({"Memory Kind", "", kText});
  }
  const std::vector<text::TableColumn> rest = {{"Bytes", "MB", kReal, 3},
                                               {"PID", "", kInteger},
                                               {"Device ID", "", kInteger},
                                               {"Context ID", "", kInteger},
                                               {"Green Context ID", "", kInteger},
                                               {"Stream ID", "", kInteger},
                                               {"API Name", "", kText}};
  table.columns.insert(table.columns.end(), rest.begin(), rest.end());
  table.rows = limited(found->all.size(), arguments.rows);
  table.fill = [found, is_copy, &source](uint64_t row, std::span<text::Cell> cells) {
    const Operation& o = found->all[row];
    size_t at = 0;
    cells[at++].set(o.duration_ns);
    cells[at++].set(o.start_ns);
    cells[at++].set(stats::memory_kind(o.from));
    if (is_copy) cells[at++].set(stats::memory_kind(o.to));
    cells[at++].set(static_cast<double>(o.bytes) / 1e6);
    cells[at++].set(found->pids[o.process]);
    cells[at++].set(static_cast<int64_t>(o.device));
    cells[at++].set(static_cast<int64_t>(o.context));
    if (o.green_context != 0) cells[at].set(static_cast<int64_t>(o.green_context));
    cells[++at].set(static_cast<int64_t>(o.stream));
    found->name = stats::display(source, found->launches.name[o.call]);
    cells[++at].set(std::string_view(found->name));
  };
  return table;
}

Search copies(bool asynchronous) {
  using namespace event::cuda_memcpy;
  return {event::kCudaMemcpy,
          {kStart, kDuration, kProcess, kCorrelation, kNulls, kDevice, kContext, kGreenContext, kStream,
           kBytes, kSourceMemory, kTargetMemory, kKind, kSourceDevice, kTargetDevice},
          "cudamemcpy",
          asynchronous};
}

/// Sets the kinds of memory of a copy.
void set_kinds(const query::TableBatch& b, size_t i, Operation* o) {
  if (!event::is_null(b.columns[4][i], event::cuda_memcpy::kSourceMemory)) o->from = b.columns[10][i];
  if (!event::is_null(b.columns[4][i], event::cuda_memcpy::kTargetMemory)) o->to = b.columns[11][i];
}

Outcome conclude(const query::Source& source, const std::shared_ptr<Operations>& found,
                 const RuleArguments& arguments, bool is_copy, const Words& words, std::string_view none) {
  Outcome outcome;
  outcome.findings = find(source, *found, words);
  outcome.table = make_table(source, found, arguments, is_copy);
  outcome.no_data = !found->any;
  outcome.table.why_empty = outcome.no_data
                                ? stats::why_nothing(source, is_copy ? "GPU copies" : "GPU fills", "CUDA")
                                : std::string(none);
  return outcome;
}

}  // namespace

Result<Outcome> run_cuda_memcpy_async(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(const auto found, search_operations(source, copies(true),
                                                     [](const query::TableBatch& b, size_t i, Operation* o) {
                                                       set_kinds(b, i, o);
                                                       return o->from == kPageable || o->to == kPageable;
                                                     }));
  return conclude(
      source, found, arguments, true,
      {"copy", "copies", "held up the calling thread although asynchronous, since host memory is pageable",
       "Use pinned host memory: cudaMallocHost, cudaHostRegister, or pin_memory=True of a PyTorch DataLoader "
       "with non_blocking=True.",
       event::kCudaMemcpy},
      "No asynchronous copy was from or to pageable memory.");
}

Result<Outcome> run_cuda_memcpy_sync(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(
      const auto found,
      search_operations(source, copies(false), [](const query::TableBatch& b, size_t i, Operation* o) {
        using namespace event::cuda_memcpy;
        set_kinds(b, i, o);
        const uint64_t nulls = b.columns[4][i];
        const bool same_device = !event::is_null(nulls, kSourceDevice) &&
                                 !event::is_null(nulls, kTargetDevice) &&
                                 b.columns[13][i] == b.columns[14][i];
        return !same_device && !(b.columns[12][i] == kHostToDevice && o->bytes <= kSmallCopy);
      }));
  return conclude(source, found, arguments, true,
                  {"copy", "copies", "held up the calling thread until it was done",
                   "Use the Async variant with pinned host memory, on a stream of its own, so that it "
                   "overlaps with kernels and with the CPU.",
                   event::kCudaMemcpy},
                  "No copy was synchronous.");
}

Result<Outcome> run_cuda_memset_sync(const query::Source& source, const RuleArguments& arguments) {
  using namespace event::cuda_memset;
  const Search fills{event::kCudaMemset,
                     {kStart, kDuration, kProcess, kCorrelation, kNulls, kDevice, kContext, kGreenContext,
                      kStream, kBytes, kMemory},
                     "cudamemset",
                     false};
  SEXTANT_ASSIGN(const auto found,
                 search_operations(source, fills, [](const query::TableBatch& b, size_t i, Operation* o) {
                   if (!event::is_null(b.columns[4][i], kMemory)) o->from = b.columns[10][i];
                   return o->from == kPinned || o->from == kManaged;
                 }));
  return conclude(source, found, arguments, false,
                  {"fill", "fills", "held up the calling thread until it was done", "Use the Async variant.",
                   event::kCudaMemset},
                  "No fill was synchronous: of pinned or managed memory by a call without Async.");
}

}  // namespace sextant::analysis
