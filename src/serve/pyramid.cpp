// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/pyramid.h"

#include <algorithm>
#include <bit>

namespace sextant::serve {

namespace {

constexpr int kFirstBuckets = 20;  // a new pyramid divides the time into at most 2^20

void add_name(std::vector<std::pair<uint32_t, int64_t>>* names, uint32_t name, int64_t weight) {
  for (auto& [known, time] : *names)
    if (known == name) {
      time += weight;
      return;
    }
  // many names in one bucket: the least one gives way
  constexpr size_t kMostNames = 32;
  if (names->size() < kMostNames) return names->emplace_back(name, weight), void();
  const auto least = std::min_element(names->begin(), names->end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  if (least->second < weight) *least = {name, weight};
}

uint32_t heaviest(const std::vector<std::pair<uint32_t, int64_t>>& names) {
  return std::max_element(names.begin(), names.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

uint16_t share(int64_t busy_ns, int64_t width_ns) {
  const double part = static_cast<double>(busy_ns) / static_cast<double>(width_ns);
  return static_cast<uint16_t>(std::clamp(part * kFull, 1.0, static_cast<double>(kFull)));
}

}  // namespace

Pyramid::Pyramid(int64_t length_ns, size_t tracks, size_t most_buckets)
    : length_ns_(std::max<int64_t>(length_ns, 1)), most_buckets_(most_buckets), tracks_(tracks) {
  const int bits = std::bit_width(static_cast<uint64_t>(length_ns_));
  base_level_ = std::max(0, bits - kFirstBuckets);
}

void Pyramid::add(size_t track, const Event& event) {
  const int64_t start = std::clamp<int64_t>(event.start_ns, 0, length_ns_ - 1);
  const int64_t end = std::clamp<int64_t>(event.end_ns, start, length_ns_);
  std::vector<Row>& rows = tracks_[track];
  if (rows.size() <= event.row) rows.resize(event.row + size_t{1});
  Row* row = &rows[event.row];
  int64_t at = start;
  do {
    const int64_t index = at >> base_level_;
    const int64_t next = std::min(end, (index + 1) << base_level_);
    add_to_bucket(row, index, event.name, std::max<int64_t>(next - at, 0), at == start);
    at = next;
    if (size_ > most_buckets_) coarsen();
  } while (at < end);
}

void Pyramid::add_to_bucket(Row* row, int64_t index, uint32_t name, int64_t busy_ns, bool begins) {
  Open& open = row->open;
  if (open.index != index && open.index >= 0 && index > open.index) close(row);
  if (open.index < 0) open.index = index;  // an earlier one: events of the last row may overlap
  open.busy_ns += busy_ns;
  open.events += begins ? 1 : 0;
  add_name(&open.names, name, busy_ns);
}

void Pyramid::close(Row* row) {
  Open& open = row->open;
  if (open.index < 0) return;
  row->levels[0].buckets.push_back({static_cast<uint32_t>(open.index), heaviest(open.names), open.events,
                                    share(open.busy_ns, int64_t{1} << base_level_)});
  ++size_;
  open = Open();
}

void Pyramid::coarsen() {
  ++base_level_;
  size_ = 0;
  for (std::vector<Row>& rows : tracks_)
    for (Row& row : rows) {
      if (row.open.index >= 0) row.open.index >>= 1;
      std::vector<Bucket>& base = row.levels[0].buckets;
      std::vector<Bucket> merged;
      merge(base.data(), base.data() + base.size(), 1,
            [&](const Bucket& bucket) { merged.push_back(bucket); });
      // the open bucket may now be the other half of the last closed one
      if (row.open.index >= 0 && !merged.empty() &&
          static_cast<int64_t>(merged.back().index) == row.open.index) {
        const Bucket& last = merged.back();
        const auto busy = static_cast<int64_t>(static_cast<double>(last.busy) / kFull *
                                               static_cast<double>(int64_t{1} << base_level_));
        row.open.busy_ns += busy;
        row.open.events += last.events;
        add_name(&row.open.names, last.name, busy);
        merged.pop_back();
      }
      base = std::move(merged);
      size_ += base.size();
    }
}

void Pyramid::finish() {
  constexpr size_t kFewBuckets = 64;
  for (std::vector<Row>& rows : tracks_)
    for (Row& row : rows) {
      close(&row);
      row.levels[0].buckets.shrink_to_fit();
      std::vector<Bucket> next;
      for (int above = 1; above < 62 && row.levels.back().buckets.size() > kFewBuckets; ++above) {
        const Stored& last = row.levels.back();
        next.clear();
        merge(last.buckets.data(), last.buckets.data() + last.buckets.size(), above - last.above,
              [&](const Bucket& bucket) { next.push_back(bucket); });
        if (next.size() > last.buckets.size() / 2) continue;
        size_ += next.size();
        row.levels.push_back({above, next});
      }
    }
}

void Pyramid::buckets(size_t track, int level, int64_t first, int64_t last,
                      const std::function<void(uint16_t, const Bucket&)>& use) const {
  const std::vector<Row>& rows = tracks_[track];
  for (size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    const int up = std::max(0, level - base_level_);
    const Stored& stored = *std::find_if(row.levels.rbegin(), row.levels.rend(),
                                         [&](const Stored& candidate) { return candidate.above <= up; });
    const int by = up - stored.above;
    const std::vector<Bucket>& buckets = stored.buckets;
    const auto from = [&](int64_t index) {
      const int64_t wanted = index >= INT64_MAX >> by ? INT64_MAX : index << by;
      return std::partition_point(buckets.begin(), buckets.end(), [&](const Bucket& bucket) {
        return static_cast<int64_t>(bucket.index) < wanted;
      });
    };
    const Bucket* begin = buckets.data() + (from(first) - buckets.begin());
    const Bucket* end = buckets.data() + (from(last) - buckets.begin());
    merge(begin, end, by, [&](const Bucket& bucket) { use(static_cast<uint16_t>(r), bucket); });
  }
}

void merge(const Bucket* begin, const Bucket* end, int by, const std::function<void(const Bucket&)>& use) {
  std::vector<std::pair<uint32_t, int64_t>> names;
  while (begin != end) {
    const uint32_t index = by > 31 ? 0 : begin->index >> by;
    Bucket sum{index, begin->name, 0, 0};
    uint64_t busy = 0;
    names.clear();
    for (; begin != end && (by > 31 ? 0 : begin->index >> by) == index; ++begin) {
      busy += begin->busy;
      sum.events += begin->events;
      add_name(&names, begin->name, begin->busy);
    }
    sum.name = heaviest(names);
    sum.busy = static_cast<uint16_t>(std::clamp<uint64_t>(by > 31 ? 1 : busy >> by, 1, kFull));
    use(sum);
  }
}

}  // namespace sextant::serve
