// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/scheduling.h"

#include <algorithm>

#include "event/schema_system.h"

namespace sextant::serve {

namespace {

using namespace event::sched_event;

constexpr size_t kMostChunksOfPart = 16;  // on average

}  // namespace

/// A part begins where a chunk does: where rows are in the order of time these are the chunks, where they are
/// some such series, one behind the other, a part has rows of one chunk of each.
Scheduling::Scheduling(const query::Source& source, const Names& names, Of of)
    : source_(source), names_(names), of_(of) {
  std::vector<uint64_t> begins;
  uint64_t row = 0;
  for (const report::ChunkRef& chunk : source.reader().chunks()) {
    const report::ChunkHeader& h = chunk.header;
    if (h.kind != static_cast<uint16_t>(report::ChunkKind::kData) || h.table != event::kSchedEvent) continue;
    const bool timed = h.clock != 0 && h.time_min <= h.time_max;
    chunks_.push_back({&chunk, row, timed ? h.time_min : 0, timed ? h.time_max : UINT64_MAX});
    begins.push_back(chunks_.back().from);
    row += h.rows;
  }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  size_t left = (chunks_.size() + 1) * kMostChunksOfPart;
  for (size_t i = 0; i < begins.size(); ++i) {
    Part part{begins[i], i + 1 < begins.size() ? begins[i + 1] - 1 : UINT64_MAX, {}};
    for (uint32_t c = 0; c < chunks_.size(); ++c)
      if (chunks_[c].from <= part.to && chunks_[c].to >= part.from) part.chunks.push_back(c);
    possible_ = part.chunks.size() <= left;
    if (!possible_) return;
    left -= part.chunks.size();
    parts_.push_back(std::move(part));
  }
}

/// Chunks that are damaged are left out.
Status Scheduling::load_chunk(const Chunk& chunk, const Part& part, std::vector<Switch>* out) const {
  constexpr uint16_t kColumns[] = {kTime, kCpu, kIsIn, kProcess, kTid, kThreadState, kNulls};
  thread_local std::vector<std::vector<uint64_t>> c(std::size(kColumns));
  if (const Status read = source_.reader().read_columns(*chunk.ref, kColumns, c); !read)
    return source_.skip(*chunk.ref, read.error());
  for (size_t i = 0; i < c[0].size(); ++i) {
    if (c[0][i] < part.from || c[0][i] > part.to) continue;
    const uint64_t nulls = c[6][i];
    out->push_back({c[3][i], c[4][i], c[1][i],
                    event::is_null(nulls, kThreadState) ? Names::kNotTold : c[5][i], chunk.first_row + i,
                    c[0][i], c[2][i] != 0, !event::is_null(nulls, kTid)});
  }
  return {};
}

/// By time; what takes a thread off comes before what puts one on at the same moment.
Result<std::vector<Scheduling::Switch>> Scheduling::load(const Part& part) const {
  std::vector<Switch> all;
  for (const uint32_t chunk : part.chunks) SEXTANT_TRY(load_chunk(chunks_[chunk], part, &all));
  std::sort(all.begin(), all.end(), [](const Switch& a, const Switch& b) {
    if (a.at != b.at) return a.at < b.at;
    return a.in != b.in ? b.in : a.row < b.row;
  });
  return all;
}

DerivedEvent Scheduling::event_of(const Switch& begin, int64_t end_ns, bool unfinished) const {
  const int64_t start_ns = source_.time_map().to_ns(begin.at);
  Event event{start_ns,  std::max(start_ns, end_ns), event_id(event::kSchedEvent, begin.row), 0, 0,
              unfinished};
  if (of_ == Of::kCpus) {
    event.name = names_.of_thread(begin.process, begin.tid);
    return {{0, begin.cpu, 0, 0}, event};
  }
  event.name = names_.of_state(begin.in ? Names::kRunning : begin.state);
  return {{begin.process, begin.tid, 0, 0}, event};
}

/// On a CPU a thread that is put on ends what was not seen to be taken off; one taken off that was not seen
/// to be put on began before the recording, nobody knows when.
std::vector<DerivedEvent> Scheduling::pair(const std::vector<Switch>& switches, Switches* open,
                                           std::vector<DerivedEvent>* crossing) const {
  std::vector<DerivedEvent> out;
  std::map<std::array<uint64_t, 2>, const Switch*> last;
  const auto end = [&](const Switch& begin, const Switch& next, std::vector<DerivedEvent>* to) {
    if (begin.in || of_ == Of::kThreads)
      to->push_back(event_of(begin, source_.time_map().to_ns(next.at), false));
  };
  for (const Switch& s : switches) {
    if (of_ == Of::kThreads && !s.has_thread) continue;
    const std::array<uint64_t, 2> lane =
        of_ == Of::kCpus ? std::array<uint64_t, 2>{s.cpu, 0} : std::array<uint64_t, 2>{s.process, s.tid};
    const Switch*& before = last[lane];
    if (before != nullptr) {
      end(*before, s, &out);
    } else if (open != nullptr) {
      if (const auto at = open->find(lane); at != open->end()) end(at->second, s, crossing);
    }
    before = &s;
  }
  for (const auto& [lane, s] : last)
    if (open != nullptr) (*open)[lane] = *s;
  return out;
}

Result<std::vector<DerivedEvent>> Scheduling::read(size_t part) const {
  SEXTANT_ASSIGN(const std::vector<Switch> switches, load(parts_[part]));
  return pair(switches, nullptr, nullptr);
}

Result<std::vector<DerivedEvent>> Scheduling::survey(
    const std::function<void(size_t part, const std::vector<DerivedEvent>& events)>& use) const {
  std::vector<DerivedEvent> crossing;
  Switches open;
  for (size_t part = 0; part < parts(); ++part) {
    SEXTANT_ASSIGN(const std::vector<Switch> switches, load(parts_[part]));
    use(part, pair(switches, &open, &crossing));
    if (crossing.size() + open.size() > kMostCrossing)
      return fail(ErrorCode::kUnsupported, "too many threads");
  }
  // one that was taken off and never put on again may have ended: nothing is said
  for (const auto& [lane, begin] : open)
    if (begin.in) crossing.push_back(event_of(begin, source_.duration_ns(), true));
  return crossing;
}

}  // namespace sextant::serve
