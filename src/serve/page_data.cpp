// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <span>
#include <unordered_map>

#include "query/device_api.h"
#include "query/sums.h"
#include "serve/event_details.h"
#include "serve/tile.h"
#include "stats/registry.h"

namespace sextant::serve {

namespace {

constexpr size_t kMostEvents = 50'000;      // whose details are in the page
constexpr size_t kAskedTogether = 4096;     // of them: their answers are in memory at once
constexpr size_t kMostOfRow = 20'000;       // of them
constexpr uint64_t kMostRead = 20'000'000;  // events of a row that are looked through
constexpr size_t kMostLinks = 200'000;
constexpr size_t kMostAnswer = 2 << 20;  // of one report of `stats`
constexpr int kCurveLevels = 3;

/// Asks the API as a browser would.
class Asking {
 public:
  Asking(Collection& collection, PageData* out) : api_(collection), out_(out) {}

  http::Response ask(const std::string& path) {
    const size_t mark = path.find('?');
    http::Request request;
    request.method = "GET";
    request.path = "/api/v1" + path.substr(0, mark);
    if (mark != std::string::npos) request.query = path.substr(mark + 1);
    return api_.answer(request);
  }
  /// An answer that cannot be given is left out: the page says what is not in it.
  void keep(const std::string& path, size_t most_bytes = SIZE_MAX) {
    http::Response response = ask(path);
    const bool unsupported = response.status == 422;  // a report that this release does not compute
    if (unsupported) return;
    if (response.status != 200 || response.body.size() > most_bytes)
      out_->all_answers = false;
    else
      out_->answers.emplace_back(path, std::move(response.body));
  }

 private:
  Api api_;
  PageData* out_;
};

void keep_answers(Asking* asking, const std::string& of, const Timeline& timeline) {
  for (const char* what : {"", "/tracks", "/findings", "/stats", "/busy", "/busy?of=threads"})
    asking->keep(of + what);
  for (const stats::Report& report : stats::reports())
    if (report.by_default) asking->keep(fmt::format("{}/stats?report={}", of, report.name), kMostAnswer);
  for (size_t t = 0; t < timeline.tracks().size(); ++t)
    if (timeline.tracks()[t].kind == "samples")
      asking->keep(fmt::format("{}/stacks?track={}", of, t), kMostAnswer);
  asking->keep(of + "/stacks?by=device", kMostAnswer);
}

std::string all_names(const Names& names) {
  Json json;
  json.writer.begin_object();
  json.writer.key("names").begin_array();
  for (uint64_t id = 0; id < names.count(); ++id) json.writer.string(names.text(id));
  json.writer.end_array();
  json.writer.key("total").number(static_cast<uint64_t>(names.count()));
  json.writer.end_object();
  return std::move(json.out);
}

struct Wanted {
  size_t track;
  TilePlace place;
};

enum TileKind : char { kEvents = 1, kBuckets = 2, kCurve = 3 };

/// From the tile that holds everything down to tiles that hold every event, all tracks at the same pace.
Status keep_tiles(const Timeline& timeline, uint64_t most_bytes, PageData* out) {
  int top = 0;
  while (int64_t{1} << (top + 10) <= timeline.length_ns()) ++top;
  std::deque<Wanted> next;
  for (size_t t = 0; t < timeline.tracks().size(); ++t) {
    const Track& track = timeline.tracks()[t];
    if (track.layer != Track::kNone || track.curve != Track::kNone) next.push_back({t, {top, 0}});
  }
  uint64_t bytes = 0;
  for (; !next.empty(); next.pop_front()) {
    const Wanted wanted = next.front();
    if (wanted.place.start_ns() > timeline.length_ns()) continue;
    if (bytes > most_bytes) {
      out->all_tiles = false;
      break;
    }
    SEXTANT_ASSIGN(std::string tile, make_tile(timeline, timeline.tracks()[wanted.track], wanted.place));
    bytes += tile.size();
    const char kind = tile.size() > 5 ? tile[5] : 0;
    const bool empty = tile.size() <= 32;
    out->tiles.push_back({wanted.track, wanted.place.level, wanted.place.index, std::move(tile)});
    const bool deeper = kind == kBuckets || (kind == kCurve && wanted.place.level > top - kCurveLevels);
    if (!deeper || empty || wanted.place.level == 0) continue;
    for (const int64_t child : {int64_t{0}, int64_t{1}})
      next.push_back({wanted.track, {wanted.place.level - 1, wanted.place.index * 2 + child}});
  }
  return {};
}

/// An event and how many of its row are longer.
struct Long {
  size_t track;
  uint64_t id;
  int64_t ns;
  size_t rank;
};

/// The longest events of a row, the longest first.
Result<std::vector<Long>> longest_of(const Timeline& timeline, size_t t) {
  std::vector<Long> all;
  const auto longer = [](const Long& a, const Long& b) { return a.ns != b.ns ? a.ns > b.ns : a.id < b.id; };
  const auto cut = [&](size_t most) {
    if (all.size() <= most) return;
    std::nth_element(all.begin(), all.begin() + static_cast<ptrdiff_t>(most), all.end(), longer);
    all.resize(most);
  };
  SEXTANT_TRY(
      timeline.visit(timeline.tracks()[t], 0, query::sum(timeline.length_ns(), 1), [&](const Event& event) {
        all.push_back({t, event.id, query::difference(event.end_ns, event.start_ns), 0});
        if (all.size() >= 2 * kMostOfRow) cut(kMostOfRow);
        return true;
      }));
  cut(kMostOfRow);
  std::sort(all.begin(), all.end(), longer);
  for (size_t i = 0; i < all.size(); ++i) all[i].rank = i;
  return all;
}

/// The answers on events, "" where there is none: asked for in the order of the file, so that few chunks are
/// read more than once.
std::vector<std::string> bodies_of(Asking* asking, const std::string& of, std::span<const Long> events) {
  std::vector<size_t> by_place(events.size());
  std::iota(by_place.begin(), by_place.end(), size_t{0});
  std::sort(by_place.begin(), by_place.end(),
            [&](size_t a, size_t b) { return events[a].id < events[b].id; });
  std::vector<std::string> bodies(events.size());
  for (const size_t i : by_place) {
    http::Response answer = asking->ask(fmt::format("{}/event/{}/{}", of, events[i].track, events[i].id));
    if (answer.status == 200) bodies[i] = std::move(answer.body);
  }
  return bodies;
}

/// Details of the longest events of every row, of all rows the same number as far as they have it: so that a
/// cut at any place leaves something of each.
Status keep_events(Asking* asking, const std::string& of, const Timeline& timeline, uint64_t most_bytes,
                   PageData* out) {
  std::vector<Long> all;
  for (size_t t = 0; t < timeline.tracks().size(); ++t) {
    const Track& track = timeline.tracks()[t];
    if (track.layer == Track::kNone) continue;
    const uint64_t events = timeline.lane_of(track).events;
    out->events_in_report += events;
    if (events > kMostRead) continue;
    SEXTANT_ASSIGN(const std::vector<Long> row, longest_of(timeline, t));
    all.insert(all.end(), row.begin(), row.end());
  }
  std::stable_sort(all.begin(), all.end(), [](const Long& a, const Long& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.ns > b.ns;
  });
  if (all.size() > kMostEvents) all.resize(kMostEvents);
  const KeptRows kept;
  uint64_t bytes = 0;
  for (size_t begin = 0; begin < all.size() && bytes <= most_bytes; begin += kAskedTogether) {
    const std::span<const Long> some =
        std::span(all).subspan(begin, std::min(kAskedTogether, all.size() - begin));
    std::vector<std::string> bodies = bodies_of(asking, of, some);
    for (size_t i = 0; i < some.size() && bytes <= most_bytes; ++i) {
      if (bodies[i].empty()) continue;
      bytes += bodies[i].size();
      out->events.emplace_back(fmt::format("{}/{}", some[i].track, some[i].id), std::move(bodies[i]));
    }
  }
  return {};
}

struct CallPlace {
  size_t track;
  uint64_t event;
};
using Calls = std::unordered_map<LaneKey, CallPlace, LaneKeyHash>;  // by process and correlation

Result<Calls> calls_of(const Timeline& timeline, const query::DeviceTables& tables, std::string_view kind) {
  using namespace event::cuda_api;
  Calls calls;
  constexpr uint16_t kColumns[] = {kProcess, kTid, kCorrelation};
  SEXTANT_TRY(timeline.source().scan_table(tables.calls, kColumns, 1, [&](size_t, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) {
      const auto track = timeline.find_track(kind, {b.columns[0][i], b.columns[1][i], 0, 0});
      if (track)
        calls.try_emplace({b.columns[0][i], b.columns[2][i], 0, 0},
                          CallPlace{*track, event_id(tables.calls, b.first_row + i)});
    }
  }));
  return calls;
}

/// Kinds of the tracks that a table's work is in.
std::string_view kind_of_work(uint16_t table) {
  switch (table) {
    case event::kCudaKernel:
      return "kernels";
    case event::kCudaGraphRun:
      return "graphs";
    case event::kOpenclKernel:
      return "opencl_kernels";
    case event::kOpenclMemory:
      return "opencl_memory";
    default:
      return "memory";
  }
}

Status keep_links(const Timeline& timeline, PageData* out) {
  using namespace event::cuda_kernel;  // the same numbers in all tables of work
  const query::Source& source = timeline.source();
  size_t kept = 0;
  out->links = "[";
  for (const query::DeviceApi api : query::kDeviceApis) {
    const query::DeviceTables& tables = query::device_tables(api);
    if (source.rows(tables.calls) > 10 * kMostLinks) {
      out->all_links = false;
      continue;
    }
    SEXTANT_ASSIGN(const Calls calls,
                   calls_of(timeline, tables, api == query::DeviceApi::kCuda ? "cuda_api" : "opencl_api"));
    constexpr uint16_t kColumns[] = {kProcess, kDevice, kContext, kStream, kCorrelation};
    for (const uint16_t table : tables.work)
      SEXTANT_TRY(source.scan_table(table, kColumns, 1, [&](size_t, query::TableBatch& b) {
        for (size_t i = 0; i < b.rows; ++i) {
          const auto& c = b.columns;
          const auto call = calls.find({c[0][i], c[4][i], 0, 0});
          if (call == calls.end()) continue;
          const auto track = timeline.find_track(kind_of_work(table), {c[0][i], c[1][i], c[2][i], c[3][i]});
          if (!track || kept >= kMostLinks) {
            out->all_links = out->all_links && kept < kMostLinks;
            continue;
          }
          out->links +=
              fmt::format("{}[{},\"{}\",{},\"{}\",\"launches\"]", kept++ == 0 ? "" : ",", call->second.track,
                          call->second.event, *track, event_id(table, b.first_row + i));
        }
      }));
  }
  out->links += "]";
  return {};
}

void append_members(std::string* out, const std::vector<std::pair<std::string, std::string>>& members,
                    size_t count) {
  *out += '{';
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) *out += ',';
    text::append_json_string(out, members[i].first);
    *out += ':';
    *out += members[i].second;
  }
  *out += '}';
}

}  // namespace

std::string PageData::container(size_t tiles_kept, size_t events_kept, const std::string& thinned) const {
  std::string header = "{\"version\":1,\"answers\":";
  append_members(&header, answers, answers.size());
  header += ",\"tiles\":[";
  uint64_t at = 0;
  for (size_t t = 0; t < tiles_kept; ++t) {
    const PageTile& tile = tiles[t];
    header += fmt::format("{}[{},{},{},{},{}]", t == 0 ? "" : ",", tile.track, tile.level, tile.index, at,
                          tile.bytes.size());
    at += tile.bytes.size();
  }
  header += "],\"events\":";
  append_members(&header, events, events_kept);
  header += ",\"links\":" + (links.empty() ? std::string("[]") : links) + ",\"thinned\":";
  if (thinned.empty())
    header += "null";
  else
    text::append_json_string(&header, thinned);
  header += '}';
  std::string out;
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(header.size() >> shift & 0xFF);
  out += header;
  for (size_t t = 0; t < tiles_kept; ++t) out += tiles[t].bytes;
  return out;
}

Result<PageData> gather_page(Collection& collection, const Item& item, uint64_t most_bytes) {
  PageData out;
  Asking asking(collection, &out);
  SEXTANT_ASSIGN(const std::shared_ptr<OpenReport> report, collection.open(item.id));
  SEXTANT_ASSIGN(const Timeline* timeline, report->timeline());
  asking.keep("/reports");
  const std::string of = "/reports/" + item.id;
  keep_answers(&asking, of, *timeline);
  out.answers.emplace_back(of + "/names", all_names(timeline->names()));
  SEXTANT_TRY(keep_tiles(*timeline, most_bytes, &out));
  SEXTANT_TRY(keep_events(&asking, of, *timeline, most_bytes, &out));
  SEXTANT_TRY(keep_links(*timeline, &out));
  return out;
}

}  // namespace sextant::serve
