// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/overview.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "report/column_codec.h"
#include "report/format.h"
#include "report/nesting.h"

namespace sextant::report {

namespace {

constexpr uint64_t kMostRawBytes = 64u << 20;

class Out {
 public:
  std::vector<uint8_t> bytes;

  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 0x80));
    bytes.push_back(static_cast<uint8_t>(value));
  }
  void difference(uint64_t value, uint64_t from) {
    const auto d = static_cast<int64_t>(value - from);
    number(static_cast<uint64_t>(d) << 1 ^ static_cast<uint64_t>(d >> 63));
  }
};

/// Everything that is missing reads as 0, and is told at the end.
class In {
 public:
  explicit In(std::span<const uint8_t> bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) return bad_ = true, 0;
      const uint8_t byte = *at_++;
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    bad_ = true;
    return 0;
  }
  uint8_t byte() { return at_ == end_ ? (bad_ = true, uint8_t{0}) : *at_++; }
  uint64_t difference(uint64_t from) {
    const uint64_t z = number();
    return from + (z >> 1 ^ (0 - (z & 1)));
  }
  /// A number of things that take `least` bytes each.
  size_t count(size_t least, uint64_t most) {
    const uint64_t n = number();
    if (n > most || n * least > static_cast<uint64_t>(end_ - at_)) return bad_ = true, 0;
    return static_cast<size_t>(n);
  }
  bool bad() const { return bad_; }
  bool at_end() const { return at_ == end_; }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
  bool bad_ = false;
};

uint64_t plus_one(uint16_t column) {
  return column == event::kNoColumn ? 0 : column + uint64_t{1};
}

void put_columns(const event::TrackTable& c, Out* out) {
  for (const uint16_t column : {c.start, c.duration, c.lane[0], c.lane[1], c.lane[2], c.lane[3], c.name,
                                c.level, c.nulls, c.registered, c.type})
    out->number(plus_one(column));
}

void get_columns(event::TrackTable* c, In* in) {
  for (uint16_t* column : {&c->start, &c->duration, &c->lane[0], &c->lane[1], &c->lane[2], &c->lane[3],
                           &c->name, &c->level, &c->nulls, &c->registered, &c->type}) {
    const uint64_t stored = in->number();
    *column = stored == 0 || stored > event::kNoColumn ? event::kNoColumn : static_cast<uint16_t>(stored - 1);
  }
}

/// The runs of a row, field by field: what is alike lies together.
void put_runs(const std::vector<EventRun>& runs, uint64_t from, Out* out) {
  out->number(runs.size());
  for (const EventRun& run : runs) out->difference(run.start, from), from = run.end;
  for (const EventRun& run : runs) out->number(run.end - run.start);
  for (const EventRun& run : runs) out->number(run.events);
  for (const EventRun& run : runs) out->number(run.name);
  for (const EventRun& run : runs) out->bytes.push_back(run.busy);
}

/// `left`: events of the lane that no run has had so far.
void get_runs(std::vector<EventRun>* runs, uint64_t from, size_t names, uint64_t* left, In* in, bool* bad) {
  runs->resize(in->count(5, *left));
  std::vector<uint64_t> gaps(runs->size());
  for (uint64_t& gap : gaps) gap = in->difference(0);
  for (size_t i = 0; i < runs->size(); ++i) {
    EventRun& run = (*runs)[i];
    run.start = from + gaps[i];
    run.end = run.start + in->number();
    *bad = *bad || run.end < run.start;
    from = run.end;
  }
  for (EventRun& run : *runs) {
    const uint64_t events = in->number();
    *bad = *bad || events == 0 || events > *left;
    *left -= std::min(events, *left);
    run.events = static_cast<uint32_t>(events);
  }
  for (EventRun& run : *runs) {
    const uint64_t name = in->number();
    *bad = *bad || name >= names;
    run.name = static_cast<uint32_t>(name);
  }
  for (EventRun& run : *runs) run.busy = std::max<uint8_t>(in->byte(), 1);
}

void put_lane(const LaneOverview& lane, uint64_t base, Out* out) {
  for (const uint64_t part : lane.key) out->number(part);
  out->number(lane.events);
  out->difference(lane.first, base);
  out->number(lane.last - lane.first);
  out->number(lane.shortest);
  out->number(lane.longest - lane.shortest);
  out->number(lane.covered);
  out->number(lane.names.size());
  uint64_t last_name = 0;
  for (const NameTotal& name : lane.names) {
    out->difference(name.name, last_name), last_name = name.name;
    out->number(name.events);
    if (name.events == 0) continue;
    out->number(name.total);
    out->number(name.outer);
    out->difference(name.first, lane.first);
    out->number(name.row);
  }
  out->number(lane.rows.size());
  for (const std::vector<EventRun>& runs : lane.rows) put_runs(runs, lane.first, out);
  out->number(lane.open.size());
  for (const auto& [row, end] : lane.open) out->number(row), out->difference(end, lane.first);
}

void get_lane(LaneOverview* lane, uint64_t base, uint32_t rows, In* in, bool* bad) {
  for (uint64_t& part : lane->key) part = in->number();
  lane->events = in->number();
  lane->first = in->difference(base);
  lane->last = lane->first + in->number();
  lane->shortest = in->number();
  lane->longest = lane->shortest + in->number();
  lane->covered = in->number();
  *bad = *bad || lane->events == 0 || lane->events > rows || lane->last < lane->first;
  if (*bad) return;
  lane->names.resize(in->count(2, lane->events));
  uint64_t last_name = 0;
  for (NameTotal& name : lane->names) {
    name.name = last_name = in->difference(last_name);
    name.events = in->number();
    if (name.events == 0) continue;
    name.total = in->number();
    name.outer = in->number();
    name.first = in->difference(lane->first);
    const uint64_t row = in->number();
    *bad = *bad || row >= rows || name.events > lane->events;
    name.row = static_cast<uint32_t>(row);
  }
  lane->rows.resize(in->count(1, kMostNestedRows));
  uint64_t left = lane->events;
  for (std::vector<EventRun>& runs : lane->rows)
    get_runs(&runs, lane->first, lane->names.size(), &left, in, bad);
  lane->open.resize(in->count(2, kMostNestedRows));
  for (auto& [row, end] : lane->open) {
    row = static_cast<uint16_t>(std::min<uint64_t>(in->number(), kMostNestedRows - 1));
    end = in->difference(lane->first);
  }
}

struct OverviewHeader {  // §6.2
  uint32_t raw_bytes, stored_bytes;
};

}  // namespace

void encode_overview(const Overview& overview, int zstd_level, std::vector<uint8_t>* out) {
  Out raw;
  put_columns(overview.columns, &raw);
  raw.number(overview.unfinished);
  raw.number(overview.all_names ? 1 : 0);
  raw.number(overview.lanes.size());
  uint64_t base = 0;
  for (const LaneOverview& lane : overview.lanes) put_lane(lane, base, &raw), base = lane.first;
  std::vector<uint8_t> packed(ZSTD_compressBound(raw.bytes.size()));
  const size_t bytes =
      ZSTD_compress(packed.data(), packed.size(), raw.bytes.data(), raw.bytes.size(), zstd_level);
  const bool use =
      !ZSTD_isError(bytes) && bytes < raw.bytes.size() && raw.bytes.size() <= bytes * kMaxStringRatio;
  const OverviewHeader header{static_cast<uint32_t>(raw.bytes.size()),
                              static_cast<uint32_t>(use ? bytes : raw.bytes.size())};
  const auto* h = reinterpret_cast<const uint8_t*>(&header);
  out->insert(out->end(), h, h + sizeof(header));
  const uint8_t* payload = use ? packed.data() : raw.bytes.data();
  out->insert(out->end(), payload, payload + header.stored_bytes);
}

Result<Overview> decode_overview(std::span<const uint8_t> body, uint16_t table, uint32_t rows) {
  OverviewHeader header;
  if (body.size() < sizeof(header)) return fail(ErrorCode::kCorrupt, "an overview without header");
  std::memcpy(&header, body.data(), sizeof(header));
  std::span<const uint8_t> raw = body.subspan(sizeof(header));
  if (header.stored_bytes != raw.size() || header.raw_bytes > kMostRawBytes ||
      header.raw_bytes < header.stored_bytes || header.raw_bytes > kMaxStringRatio * header.stored_bytes)
    return fail(ErrorCode::kCorrupt, "an overview whose lengths contradict each other");
  std::vector<uint8_t> unpacked;
  if (header.raw_bytes != header.stored_bytes) {
    unpacked.resize(header.raw_bytes);
    SEXTANT_TRY(decompress_exactly(raw, unpacked.data(), unpacked.size()));
    raw = unpacked;
  }
  In in(raw);
  Overview overview;
  bool bad = false;
  overview.columns.table = table;
  get_columns(&overview.columns, &in);
  overview.unfinished = in.number();
  overview.all_names = in.number() == 1;
  overview.lanes.resize(in.count(12, std::min<uint64_t>(rows, kMostLanes)));
  uint64_t base = 0, events = 0;
  for (LaneOverview& lane : overview.lanes) {
    get_lane(&lane, base, rows, &in, &bad);
    base = lane.first, events += lane.events;
    if (bad || in.bad() || events > rows) break;
  }
  if (bad || in.bad() || !in.at_end() || overview.unfinished > rows || events > rows - overview.unfinished)
    return fail(ErrorCode::kCorrupt, "an overview that contradicts itself");
  return overview;
}

}  // namespace sextant::report
