// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET histogram: how long the events of a name in a track are, all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "serve/api.h"
#include "serve/heavy.h"

namespace sextant::serve {

namespace {

constexpr size_t kMostDurations = 8'000'000;

/// Ends of bins: durations from edges[i] to below edges[i + 1]; the last one is included.
std::vector<int64_t> edges_of(int64_t least, int64_t most, int64_t bins, bool logarithmic) {
  std::vector<int64_t> edges = {least};
  const auto low = static_cast<double>(std::max<int64_t>(least, 1)), high = static_cast<double>(most);
  const int64_t step = std::max<int64_t>((most - least) / bins + 1, 1);
  for (int64_t i = 1; i <= bins; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(bins);
    int64_t edge =
        logarithmic ? std::llround(low * std::pow(std::max(high / low, 1.0), share)) : least + i * step;
    edge = std::max(edge, edges.back() + 1);
    edges.push_back(edge);
    if (edge > most) break;
  }
  edges.back() = std::max(edges.back(), most);
  return edges;
}

void write_list(text::JsonWriter& json, std::string_view key, const std::vector<int64_t>& values) {
  json.key(key).begin_array();
  for (const int64_t value : values) json.number(value);
  json.end_array();
}

}  // namespace

Answer answer_histogram(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(const Track* track, track_of(*timeline, call.parameters.text("track")));
  SEXTANT_ASSIGN(const query::Window span, window_of(call, timeline->length_ns()));
  SEXTANT_ASSIGN(const int64_t name, integer_of(call, "name", -1, -1, UINT32_MAX));
  SEXTANT_ASSIGN(const int64_t bins, integer_of(call, "bins", 40, 1, 1000));
  SEXTANT_ASSIGN(const int64_t logarithmic, integer_of(call, "log", 0, 0, 1));
  const HeavyWork turn;
  std::vector<int64_t> all;
  SEXTANT_TRY(timeline->visit(*track, span.from_ns, span.to_ns, [&](const Event& event) {
    if (!event.unfinished && (name < 0 || event.name == static_cast<uint32_t>(name)))
      all.push_back(event.end_ns - event.start_ns);
    return all.size() <= kMostDurations;
  }));
  if (all.size() > kMostDurations)
    return fail(ErrorCode::kUnsupported,
                fmt::format("more than {} events; choose less time", kMostDurations));
  std::sort(all.begin(), all.end());
  std::vector<int64_t> edges, counts;
  if (!all.empty()) edges = edges_of(all.front(), all.back(), bins, logarithmic != 0);
  if (!all.empty()) counts.assign(edges.size() - 1, 0);
  for (const int64_t duration : all) {
    const auto behind = std::upper_bound(edges.begin(), edges.end(), duration) - edges.begin();
    ++counts[static_cast<size_t>(
        std::clamp<ptrdiff_t>(behind - 1, 0, static_cast<ptrdiff_t>(counts.size()) - 1))];
  }
  Json json;
  json.writer.begin_object();
  json.writer.key("from").number(all.empty() ? int64_t{0} : all.front());
  json.writer.key("to").number(all.empty() ? int64_t{0} : all.back());
  json.writer.key("step");
  if (logarithmic != 0 || edges.size() < 2)
    json.writer.null();
  else
    json.writer.number(edges[1] - edges[0]);
  write_list(json.writer, "edges", edges);
  write_list(json.writer, "counts", counts);
  const size_t low = all.empty() ? 0 : (all.size() - 1) / 2, high = all.size() / 2;
  json.writer.key("median").number(
      all.empty() ? 0.0 : (static_cast<double>(all[low]) + static_cast<double>(all[high])) / 2);
  json.writer.key("total").number(static_cast<uint64_t>(all.size()));
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
