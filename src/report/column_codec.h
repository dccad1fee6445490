// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Columns to bytes and back (§6): a transform that makes the values small, byte planes, zstd. The encoder
// tries the transforms on a sample and takes the one that becomes smallest; all arithmetic is modulo 2^64, so
// every transform is exact for all values.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "event/schema.h"
#include "report/first_seen.h"
#include "report/format.h"

struct ZSTD_CCtx_s;

namespace sextant::report {

/// Columns of the same rows on which a column may depend; null: there is none.
struct Partners {
  const FirstSeen* name = nullptr;    // for kByPartner
  const FirstSeen* origin = nullptr;  // for kByPartner and kWithin
  bool is_name = false;               // others may be kByPartner of this column: it must not be that itself
};

/// Reused from column to column to keep its buffers. Not thread-safe.
class ColumnEncoder {
 public:
  explicit ColumnEncoder(int zstd_level);
  ~ColumnEncoder();
  ColumnEncoder(const ColumnEncoder&) = delete;
  ColumnEncoder& operator=(const ColumnEncoder&) = delete;

  /// Appends the payload to `out` and returns the header; `id` and `partner` are the caller's to fill in. 1
  /// <= values.size() <= kMaxRows. `durations`: of the ranges whose starts the values are, or empty; with
  /// them the result may be kAfterEnd or kAfter. With partners it may be kByPartner or kWithin; `by_origin`
  /// tells of which of the two.
  ColumnHeader encode(std::span<const uint64_t> values, event::Type type, std::span<const uint64_t> durations,
                      const Partners& partners, bool* by_origin, std::vector<uint8_t>* out);

 private:
  struct Plan;
  Plan plan(Transform transform, std::span<const uint64_t> values, std::span<const uint64_t> durations,
            event::Type type);
  Plan plan_within(std::span<const uint64_t> values, std::span<const uint32_t> numbers);
  size_t cost_of(const Plan& plan);
  size_t sample_cost(Transform transform, std::span<const uint64_t> values,
                     std::span<const uint64_t> durations, event::Type type);
  Transform cheapest(std::span<const uint64_t> values, event::Type type, std::span<const uint64_t> durations,
                     const FirstSeen* origin, size_t* cost);
  size_t compress_planes(unsigned width);
  bool plan_by_partner(std::span<const uint64_t> values, const FirstSeen& partner, event::Type type,
                       Plan* plan);

  ZSTD_CCtx_s* context_;
  std::vector<uint64_t> residuals_;  // of the last plan()
  std::vector<uint64_t> last_;       // value of each origin, while plan_within() goes on
  std::vector<uint8_t> planes_;
  std::vector<uint8_t> compressed_;
};

/// The values of a column of `rows` rows. `payload` is header.stored_bytes long. `partner`: values of the
/// partner of kAfterEnd and kByPartner, else ignored. Errors: kCorrupt, kUnsupported (transform or codec of a
/// later release). Thread-safe.
Status decode_column(const ColumnHeader& header, std::span<const uint8_t> payload, uint32_t rows,
                     std::span<const uint64_t> partner, std::vector<uint64_t>* out);

/// One zstd frame of exactly `bytes` bytes when unpacked. Thread-safe.
Status decompress_exactly(std::span<const uint8_t> frame, uint8_t* to, size_t bytes);

}  // namespace sextant::report
