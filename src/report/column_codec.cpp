// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/column_codec.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace sextant::report {

namespace {

constexpr size_t kSampleRows = 2048;
constexpr size_t kStepSamples = 63;

uint64_t zigzag(uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
uint64_t unzigzag(uint64_t stored) {
  return (stored >> 1) ^ (0 - (stored & 1));
}

unsigned width_of(uint64_t bits) {
  return (64 - std::countl_zero(bits) + 7) / 8;
}

bool is_constant(std::span<const uint64_t> v) {
  return std::memcmp(v.data(), v.data() + 1, (v.size() - 1) * sizeof(uint64_t)) == 0;
}

template <unsigned kWidth>
void split_planes(const uint64_t* values, size_t n, uint8_t* planes) {
  for (unsigned b = 0; b < kWidth; ++b) {
    uint8_t* plane = planes + b * n;
    for (size_t i = 0; i < n; ++i) plane[i] = static_cast<uint8_t>(values[i] >> (8 * b));
  }
}

template <unsigned kWidth>
void join_planes(const uint8_t* planes, size_t n, uint64_t base, uint64_t* values) {
  for (size_t i = 0; i < n; ++i) {
    uint64_t v = planes[i];
    if constexpr (kWidth > 1) v |= static_cast<uint64_t>(planes[n + i]) << 8;
    if constexpr (kWidth > 2) v |= static_cast<uint64_t>(planes[2 * n + i]) << 16;
    if constexpr (kWidth > 3) v |= static_cast<uint64_t>(planes[3 * n + i]) << 24;
    if constexpr (kWidth > 4) v |= static_cast<uint64_t>(planes[4 * n + i]) << 32;
    if constexpr (kWidth > 5) v |= static_cast<uint64_t>(planes[5 * n + i]) << 40;
    if constexpr (kWidth > 6) v |= static_cast<uint64_t>(planes[6 * n + i]) << 48;
    if constexpr (kWidth > 7) v |= static_cast<uint64_t>(planes[7 * n + i]) << 56;
    values[i] = v + base;
  }
}

void split(unsigned width, const uint64_t* values, size_t n, uint8_t* planes) {
  constexpr void (*kByWidth[])(const uint64_t*, size_t, uint8_t*) = {
      split_planes<1>, split_planes<2>, split_planes<3>, split_planes<4>,
      split_planes<5>, split_planes<6>, split_planes<7>, split_planes<8>};
  kByWidth[width - 1](values, n, planes);
}

void join(unsigned width, const uint8_t* planes, size_t n, uint64_t base, uint64_t* values) {
  constexpr void (*kByWidth[])(const uint8_t*, size_t, uint64_t, uint64_t*) = {
      join_planes<1>, join_planes<2>, join_planes<3>, join_planes<4>,
      join_planes<5>, join_planes<6>, join_planes<7>, join_planes<8>};
  kByWidth[width - 1](planes, n, base, values);
}

/// Smallest value; signed columns are compared as such, so that -1 and 1 lie beside each other.
uint64_t smallest(std::span<const uint64_t> values, event::Type type) {
  const uint64_t flip = type == event::Type::kInt ? uint64_t{1} << 63 : 0;
  uint64_t low = values[0] ^ flip;
  for (uint64_t v : values) low = std::min(low, v ^ flip);
  return low ^ flip;
}

/// Median of some differences: what a loop adds each time around.
uint64_t usual_step(std::span<const uint64_t> values) {
  const size_t differences = values.size() - 1;
  const size_t taken = std::min(differences, kStepSamples);
  int64_t sample[kStepSamples];
  for (size_t k = 0; k < taken; ++k) {
    const size_t i = k * differences / taken;
    sample[k] = static_cast<int64_t>(values[i + 1] - values[i]);
  }
  std::nth_element(sample, sample + taken / 2, sample + taken);
  return static_cast<uint64_t>(sample[taken / 2]);
}

/// Rows in the middle, on which everything is tried first.
template <typename Values>
Values sample_of(Values values) {
  const size_t rows = std::min(values.size(), kSampleRows);
  return values.subspan((values.size() - rows) / 2, rows);
}

struct ContextFree {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

void undo_delta(uint64_t base, uint64_t step, std::span<uint64_t> values) {
  values[0] = base;
  uint64_t value = base;
  for (size_t i = 1; i < values.size(); ++i) {
    value += step + unzigzag(values[i]);
    values[i] = value;
  }
}

void undo_after_end(uint64_t base, std::span<const uint64_t> durations, std::span<uint64_t> values) {
  uint64_t end = base;
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t begins_after = (values[i] & 1) - 1;  // all ones when even
    end += (values[i] >> 1) + (durations[i] & begins_after);
    values[i] = end - durations[i];
  }
}

void undo_after(uint64_t base, std::span<const uint64_t> durations, std::span<uint64_t> values) {
  uint64_t end = base;
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = end + unzigzag(values[i]);
    end = values[i] + durations[i];
  }
}

void undo_within(uint64_t base, const FirstSeen& origins, std::span<uint64_t> values) {
  thread_local std::vector<uint64_t> last;
  last.assign(origins.first_rows().size(), base);
  const std::span<const uint32_t> numbers = origins.numbers();
  for (size_t i = 0; i < values.size(); ++i) values[i] = last[numbers[i]] += unzigzag(values[i]);
}

/// values[0 .. stored) become the values of all rows.
Status undo_by_partner(std::span<const uint64_t> partner, size_t stored, std::vector<uint64_t>* values) {
  thread_local FirstSeen seen;
  thread_local std::vector<uint64_t> firsts;
  if (!seen.number(partner, stored) || seen.first_rows().size() != stored)
    return fail(ErrorCode::kCorrupt, "a column that does not fit the one that it depends on");
  firsts.assign(values->begin(), values->begin() + static_cast<ptrdiff_t>(stored));
  for (size_t i = 0; i < values->size(); ++i) (*values)[i] = firsts[seen.numbers()[i]];
  return {};
}

}  // namespace

struct ColumnEncoder::Plan {
  Transform transform = Transform::kOffset;
  uint64_t base = 0;
  uint64_t step = 0;
  unsigned width = 0;
  bool possible = true;
};

ColumnEncoder::ColumnEncoder(int zstd_level) : context_(ZSTD_createCCtx()) {
  ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, zstd_level);
}

ColumnEncoder::~ColumnEncoder() {
  ZSTD_freeCCtx(context_);
}

ColumnEncoder::Plan ColumnEncoder::plan(Transform transform, std::span<const uint64_t> values,
                                        std::span<const uint64_t> durations, event::Type type) {
  Plan plan{.transform = transform};
  uint64_t bits = 0;
  const size_t n = values.size();
  if (transform == Transform::kOffset) {
    plan.base = smallest(values, type);
    residuals_.resize(n);
    for (size_t i = 0; i < n; ++i) {
      residuals_[i] = values[i] - plan.base;
      bits |= residuals_[i];
    }
  } else if (transform == Transform::kDelta) {
    plan.base = values[0];
    plan.step = usual_step(values);
    residuals_.resize(n - 1);
    for (size_t i = 0; i + 1 < n; ++i) {
      residuals_[i] = zigzag(values[i + 1] - values[i] - plan.step);
      bits |= residuals_[i];
    }
  } else if (transform == Transform::kAfter) {
    plan.base = values[0];
    residuals_.resize(n);
    residuals_[0] = 0;
    for (size_t i = 1; i < n; ++i) {
      residuals_[i] = zigzag(values[i] - values[i - 1] - durations[i - 1]);
      bits |= residuals_[i];
    }
  } else {
    plan.base = values[0];
    residuals_.resize(n);
    residuals_[0] = 0;
    uint64_t lost = 0;  // the doubling must not push out a bit
    for (size_t i = 1; i < n; ++i) {
      const uint64_t later =
          values[i] + durations[i] - values[i - 1] - durations[i - 1];  // than the end before
      const bool begins_after = later >= durations[i];
      const uint64_t gap = later - (begins_after ? durations[i] : 0);
      lost |= gap;
      residuals_[i] = gap << 1 | (begins_after ? 0 : 1);
      bits |= residuals_[i];
    }
    plan.possible = lost >> 63 == 0;
  }
  plan.width = width_of(bits);
  return plan;
}

/// Differences between neighbours of the same origin.
ColumnEncoder::Plan ColumnEncoder::plan_within(std::span<const uint64_t> values,
                                               std::span<const uint32_t> numbers) {
  Plan plan{.transform = Transform::kWithin, .base = values[0]};
  last_.assign(*std::max_element(numbers.begin(), numbers.end()) + size_t{1}, plan.base);
  residuals_.resize(values.size());
  uint64_t bits = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    residuals_[i] = zigzag(values[i] - std::exchange(last_[numbers[i]], values[i]));
    bits |= residuals_[i];
  }
  plan.width = width_of(bits);
  return plan;
}

/// False: the values do not depend on the partner.
bool ColumnEncoder::plan_by_partner(std::span<const uint64_t> values, const FirstSeen& partner,
                                    event::Type type, Plan* by_partner) {
  const auto numbers = partner.numbers();
  std::vector<uint64_t> firsts;
  firsts.reserve(partner.first_rows().size());
  for (const uint32_t row : partner.first_rows()) firsts.push_back(values[row]);
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] != firsts[numbers[i]]) return false;
  *by_partner = plan(Transform::kOffset, firsts, {}, type);
  by_partner->transform = Transform::kByPartner;
  return true;
}

/// Compresses each plane of residuals_ into blocks of its own, so that each gets its own Huffman table, all
/// in one frame.
size_t ColumnEncoder::compress_planes(unsigned width) {
  const size_t n = residuals_.size();
  const size_t raw = n * width;
  if (planes_.size() < raw) planes_.resize(raw);
  split(width, residuals_.data(), n, planes_.data());
  const size_t bound = ZSTD_compressBound(raw) + 64;
  if (compressed_.size() < bound) compressed_.resize(bound);
  ZSTD_CCtx_reset(context_, ZSTD_reset_session_only);
  ZSTD_CCtx_setPledgedSrcSize(context_, raw);
  ZSTD_outBuffer out{compressed_.data(), compressed_.size(), 0};
  for (unsigned b = 0; b < width; ++b) {
    ZSTD_inBuffer in{planes_.data() + b * n, n, 0};
    const size_t left = ZSTD_compressStream2(context_, &out, &in, b + 1 < width ? ZSTD_e_flush : ZSTD_e_end);
    if (left != 0) return raw;  // an error, or no room: it does not shrink
  }
  return out.pos;
}

/// Bytes of the residuals of a plan just made.
size_t ColumnEncoder::cost_of(const Plan& plan) {
  if (!plan.possible) return SIZE_MAX;
  if (plan.width == 0) return 0;
  return std::min(compress_planes(plan.width), residuals_.size() * plan.width);
}

size_t ColumnEncoder::sample_cost(Transform transform, std::span<const uint64_t> values,
                                  std::span<const uint64_t> durations, event::Type type) {
  return cost_of(
      plan(transform, sample_of(values), durations.empty() ? durations : sample_of(durations), type));
}

/// Of the transforms that take no partner, or the origin's numbers.
Transform ColumnEncoder::cheapest(std::span<const uint64_t> values, event::Type type,
                                  std::span<const uint64_t> durations, const FirstSeen* origin,
                                  size_t* cost) {
  Transform best = Transform::kOffset;
  *cost = sample_cost(best, values, {}, type);
  const auto take = [&](Transform transform, size_t c) {
    if (c >= *cost) return;
    best = transform;
    *cost = c;
  };
  take(Transform::kDelta, sample_cost(Transform::kDelta, values, {}, type));
  if (!durations.empty())
    for (const Transform transform : {Transform::kAfterEnd, Transform::kAfter})
      take(transform, sample_cost(transform, values, durations, type));
  if (origin != nullptr)
    take(Transform::kWithin, cost_of(plan_within(sample_of(values), sample_of(origin->numbers()))));
  return best;
}

ColumnHeader ColumnEncoder::encode(std::span<const uint64_t> values, event::Type type,
                                   std::span<const uint64_t> durations, const Partners& partners,
                                   bool* by_origin, std::vector<uint8_t>* out) {
  ColumnHeader header{};
  header.type = static_cast<uint8_t>(type);
  if (is_constant(values)) {
    header.base = values[0];
    return header;
  }
  size_t cost = 0;
  const Transform best = cheapest(values, type, durations, partners.origin, &cost);
  Plan chosen;
  const double share =
      static_cast<double>(std::min(values.size(), kSampleRows)) / static_cast<double>(values.size());
  const auto depends_on = [&](const FirstSeen* partner) {
    return partner != nullptr && plan_by_partner(values, *partner, type, &chosen) &&
           static_cast<double>(residuals_.size() * chosen.width) * share < static_cast<double>(cost);
  };
  bool depends = depends_on(partners.name);
  *by_origin = false;
  if (!depends && !partners.is_name) depends = *by_origin = depends_on(partners.origin);
  if (!depends) {
    *by_origin = best == Transform::kWithin;
    chosen =
        *by_origin ? plan_within(values, partners.origin->numbers()) : plan(best, values, durations, type);
  }
  if (!chosen.possible) chosen = plan(Transform::kAfter, values, durations, type);

  header.transform = static_cast<uint8_t>(chosen.transform);
  header.width = static_cast<uint8_t>(chosen.width);
  header.base = chosen.base;
  header.step = chosen.step;
  if (chosen.width == 0) return header;
  header.raw_bytes = static_cast<uint32_t>(residuals_.size() * chosen.width);
  const size_t packed = compress_planes(chosen.width);
  const bool shrinks = packed < header.raw_bytes;
  header.codec = static_cast<uint8_t>(shrinks ? Codec::kZstd : Codec::kPlain);
  header.stored_bytes = shrinks ? static_cast<uint32_t>(packed) : header.raw_bytes;
  const uint8_t* payload = shrinks ? compressed_.data() : planes_.data();
  out->insert(out->end(), payload, payload + header.stored_bytes);
  return header;
}

Status decompress_exactly(std::span<const uint8_t> frame, uint8_t* to, size_t bytes) {
  thread_local std::unique_ptr<ZSTD_DCtx, ContextFree> context(ZSTD_createDCtx());
  const size_t got = ZSTD_decompressDCtx(context.get(), to, bytes, frame.data(), frame.size());
  if (ZSTD_isError(got)) return fail(ErrorCode::kCorrupt, std::string("zstd: ") + ZSTD_getErrorName(got));
  if (got != bytes)
    return fail(ErrorCode::kCorrupt, "zstd: the frame holds another number of bytes than announced");
  return {};
}

Status decode_column(const ColumnHeader& header, std::span<const uint8_t> payload, uint32_t rows,
                     std::span<const uint64_t> partner, std::vector<uint64_t>* out) {
  const auto transform = static_cast<Transform>(header.transform);
  const auto codec = static_cast<Codec>(header.codec);
  if (transform > Transform::kWithin) return fail(ErrorCode::kUnsupported, "transform of a later release");
  if (codec > Codec::kZstd) return fail(ErrorCode::kUnsupported, "codec of a later release");
  const size_t skipped = transform == Transform::kDelta && rows > 0 ? 1 : 0;
  if (header.width > 8) return fail(ErrorCode::kCorrupt, "column with values of more than 8 bytes");
  const bool by_partner = transform == Transform::kByPartner && header.width > 0;
  const size_t stored = by_partner ? header.raw_bytes / header.width : rows - skipped;
  if (stored > rows) return fail(ErrorCode::kCorrupt, "column with more values than rows");
  if (header.raw_bytes != stored * header.width || header.stored_bytes != payload.size())
    return fail(ErrorCode::kCorrupt, "column whose length does not fit its rows");
  const bool with_partner = transform == Transform::kAfterEnd || transform == Transform::kAfter ||
                            transform == Transform::kWithin || by_partner;
  if (with_partner && partner.size() != rows) return fail(ErrorCode::kCorrupt, "column without its partner");

  out->resize(rows);
  const bool offset = transform == Transform::kOffset || transform == Transform::kByPartner;
  const uint64_t base = offset ? header.base : 0;
  if (header.raw_bytes == 0) {
    std::fill(out->begin(), out->end(), base);
  } else if (codec == Codec::kZstd) {
    thread_local std::vector<uint8_t> planes;
    if (planes.size() < header.raw_bytes) planes.resize(header.raw_bytes);
    SEXTANT_TRY(decompress_exactly(payload, planes.data(), header.raw_bytes));
    join(header.width, planes.data(), stored, base, out->data() + skipped);
  } else {
    if (payload.size() != header.raw_bytes)
      return fail(ErrorCode::kCorrupt, "plain column of the wrong length");
    join(header.width, payload.data(), stored, base, out->data() + skipped);
  }
  if (rows > 0 && transform == Transform::kDelta) undo_delta(header.base, header.step, *out);
  if (transform == Transform::kAfterEnd) undo_after_end(header.base, partner, *out);
  if (transform == Transform::kAfter) undo_after(header.base, partner, *out);
  if (transform == Transform::kWithin) {
    thread_local FirstSeen origins;
    if (!origins.number(partner, std::min<size_t>(rows, kMostOrigins)))
      return fail(ErrorCode::kCorrupt, "a column with more origins than there may be");
    undo_within(header.base, origins, *out);
  }
  if (by_partner) return undo_by_partner(partner, stored, out);
  return {};
}

}  // namespace sextant::report
