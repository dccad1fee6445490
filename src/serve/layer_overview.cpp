// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/layer_overview.h"

#include <algorithm>

#include "query/sums.h"

namespace sextant::serve {

namespace {

constexpr size_t kTopNames = 4;

std::vector<TrackSums::Top> top_of(const std::unordered_map<uint32_t, NameSum>& names) {
  std::vector<TrackSums::Top> all;
  for (const auto& [name, sum] : names)
    if (sum.outer_ns > 0) all.push_back({name, sum.outer_ns});
  const size_t kept = std::min(all.size(), kTopNames);
  std::partial_sort(
      all.begin(), all.begin() + static_cast<ptrdiff_t>(kept), all.end(),
      [](const auto& a, const auto& b) { return a.ns != b.ns ? a.ns > b.ns : a.name < b.name; });
  all.resize(kept);
  return all;
}

/// The time that is covered by pieces of several blocks, which do not know of each other.
int64_t covered_by(const Pieces& pieces) {
  std::vector<Piece> all;
  for (uint32_t row = 0; row < pieces.rows(); ++row)
    all.insert(all.end(), pieces.lowest(row).begin(), pieces.lowest(row).end());
  return static_cast<int64_t>(covered_ns(std::move(all), INT64_MIN));
}

}  // namespace

void LayerOverview::add(const report::Overview& overview, const Meaning& meaning) {
  if (!overview.all_names) without_names_.push_back(meaning.chunk);
  for (const report::LaneOverview& lane : overview.lanes) {
    if (lane.events == 0) continue;
    const LaneKey key{lane.key[0], lane.key[1], lane.key[2], lane.key[3]};
    const auto [known, is_new] = lane_of_.try_emplace(key, static_cast<uint32_t>(lanes_.size()));
    if (is_new) lanes_.push_back({key}), details_.emplace_back();
    Lane& of = lanes_[known->second];
    const int64_t first = meaning.to_ns(lane.first), last = meaning.to_ns(lane.last);
    of.events += lane.events, events_ += lane.events;
    of.first_ns = std::min(of.first_ns, first), of.last_ns = std::max(of.last_ns, last);
    const auto length = [&](uint64_t ticks) {
      return query::difference(meaning.to_ns(lane.first + ticks), first);
    };
    const int64_t shortest = length(lane.shortest), longest = length(lane.longest);
    // a tick is not the same everywhere: what is left out for being shorter or longer must be so for sure
    details_[known->second].parts.push_back({meaning.chunk, static_cast<uint32_t>(lane.events), first, last,
                                             shortest - shortest / 100 - 3,
                                             query::sum(longest, longest / 99 + 102)});
    details_[known->second].covered_ns = query::sum(details_[known->second].covered_ns, length(lane.covered));
    add_lane(lane, meaning, overview.all_names, &details_[known->second]);
  }
  if (pieces_ > most_pieces_) thin();
}

void LayerOverview::add_lane(const report::LaneOverview& lane, const Meaning& meaning, bool all_names,
                             Details* details) {
  const int64_t first_ns = meaning.to_ns(lane.first);
  const auto length = [&](uint64_t ticks) {
    return query::difference(meaning.to_ns(lane.first + ticks), first_ns);
  };
  std::vector<uint32_t> names;
  for (const report::NameTotal& total : lane.names) {
    names.push_back(meaning.name(total.name));
    if (total.events == 0) continue;
    const auto at = details->names.find(names.back());
    if (at == details->names.end() && name_sums_ >= kMostNameSums) continue;
    if (at == details->names.end()) ++name_sums_;
    NameSum& sum = details->names[names.back()];
    sum.outer_ns = query::sum(sum.outer_ns, length(total.outer));
    if (!all_names) continue;  // sums of all its names come from its rows
    sum.events += total.events;
    sum.total_ns = query::sum(sum.total_ns, length(total.total));
    const int64_t first = meaning.to_ns(total.first);
    if (first < sum.first_ns) sum.first_ns = first, sum.first_event = meaning.event(total.row);
  }
  if (details->blocks.size() <= meaning.block) details->blocks.resize(meaning.block + size_t{1});
  Pieces& block = details->blocks[meaning.block];
  for (uint32_t row = 0; row < lane.rows.size(); ++row)
    for (const report::EventRun& run : lane.rows[row]) {
      Piece piece{meaning.to_ns(run.start), meaning.to_ns(run.end), run.events, names[run.name], 0};
      piece.end_ns = std::max(piece.end_ns, piece.start_ns);
      piece.busy_ns = static_cast<float>(static_cast<double>(piece.width_ns()) * run.busy / report::kRunFull);
      block.add(row, piece);
      ++pieces_;
    }
}

void LayerOverview::thin() {
  pieces_ = 0;
  for (Details& details : details_)
    for (Pieces& block : details.blocks) block.thin(), pieces_ += block.size();
}

void LayerOverview::finish() {
  for (Details& details : details_) settle(&details);
}

void LayerOverview::settle(Details* details) const {
  std::sort(details->parts.begin(), details->parts.end(),
            [](const Part& a, const Part& b) { return a.first_ns < b.first_ns; });
  size_t blocks = 0;
  for (Pieces& block : details->blocks) {
    details->first_rows.push_back(static_cast<uint32_t>(details->pieces.rows()));
    blocks += block.size() > 0 ? 1 : 0;
    details->pieces.append(std::move(block));
  }
  details->blocks.clear();
  details->pieces.finish();
  details->sums.rows = static_cast<uint32_t>(details->pieces.rows());
  details->sums.busy_ns = blocks > 1 ? covered_by(details->pieces) : details->covered_ns;
  details->sums.top = top_of(details->names);
}

std::optional<uint32_t> LayerOverview::find(const LaneKey& key) const {
  const auto at = lane_of_.find(key);
  if (at == lane_of_.end()) return std::nullopt;
  return at->second;
}

uint32_t LayerOverview::first_row(size_t lane, uint32_t block) const {
  const std::vector<uint32_t>& rows = details_[lane].first_rows;
  return block < rows.size() ? rows[block] : 0;
}

}  // namespace sextant::serve
