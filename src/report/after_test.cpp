// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts relative to the end of the row before (§6, after).
#include <random>

#include "report/chunk_body.h"
#include "report/column_codec.h"
#include "report/sample_test.h"

namespace sextant::report {
namespace {

struct Calls {
  std::vector<uint64_t> start, duration;
};

/// Of one thread after the other, whose times lie far apart.
Calls calls(size_t count, size_t thread_changes) {
  Calls calls;
  std::mt19937_64 random(11);
  uint64_t end = 1'000'000'000'000;
  for (size_t i = 0; i < count; ++i) {
    if (thread_changes > 0 && i % (count / thread_changes) == count / thread_changes - 1)
      end = random() % 2'000'000'000'000;
    calls.start.push_back(end + random() % 200);
    calls.duration.push_back(random() % 100'000);
    end = calls.start.back() + calls.duration.back();
  }
  return calls;
}

struct Encoded {
  ColumnHeader header;
  std::vector<uint8_t> payload;
};

Encoded encode(const Calls& calls) {
  Encoded encoded;
  bool by_origin = false;
  encoded.header = ColumnEncoder(1).encode(calls.start, event::Type::kTime, calls.duration, {}, &by_origin,
                                           &encoded.payload);
  return encoded;
}

TEST(After, ThreadsMayChangeWithinAChunk) {
  const Calls mixed = calls(50'000, 7), one = calls(50'000, 0);
  const Encoded encoded = encode(mixed);
  EXPECT_EQ(encoded.header.transform, static_cast<uint8_t>(Transform::kAfter));
  EXPECT_LT(encoded.payload.size(), encode(one).payload.size() + 500);
  std::vector<uint64_t> out;
  ASSERT_TRUE(decode_column(encoded.header, encoded.payload, 50'000, mixed.duration, &out));
  EXPECT_EQ(out, mixed.start);
}

TEST(After, AnyValuesComeBack) {
  std::mt19937_64 random(1);
  Calls wild;
  for (int i = 0; i < 300; ++i) {
    wild.start.push_back(random());
    wild.duration.push_back(random());
  }
  ColumnHeader header{};
  header.transform = static_cast<uint8_t>(Transform::kAfter);
  header.width = 8;
  header.raw_bytes = header.stored_bytes = 300 * 8;
  header.base = 77;
  std::vector<uint8_t> payload(300 * 8);
  uint64_t end = 77;
  for (size_t i = 0; i < 300; ++i) {
    const uint64_t gap = wild.start[i] - end, stored = gap << 1 ^ (0 - (gap >> 63));
    for (size_t b = 0; b < 8; ++b) payload[b * 300 + i] = static_cast<uint8_t>(stored >> (8 * b));
    end = wild.start[i] + wild.duration[i];
  }
  std::vector<uint64_t> out;
  ASSERT_TRUE(decode_column(header, payload, 300, wild.duration, &out));
  EXPECT_EQ(out, wild.start);
}

TEST(After, NeedsItsDurationsAndNoCircles) {
  const Calls some = calls(1000, 3);
  Encoded encoded = encode(some);
  ASSERT_EQ(encoded.header.transform, static_cast<uint8_t>(Transform::kAfter));
  std::vector<uint64_t> out;
  EXPECT_FALSE(decode_column(encoded.header, encoded.payload, 1000, {}, &out));
  EXPECT_FALSE(
      decode_column(encoded.header, encoded.payload, 999, std::span(some.duration).first(999), &out));
  ChunkHeader chunk{};
  chunk.rows = 1000;
  ColumnPart columns[] = {{encoded.header, encoded.payload}, {encoded.header, encoded.payload}};
  columns[0].header.id = columns[1].header.partner = 1;
  columns[1].header.id = columns[0].header.partner = 2;
  EXPECT_FALSE(decode_from(chunk, columns, 1, &out));
}

}  // namespace
}  // namespace sextant::report
