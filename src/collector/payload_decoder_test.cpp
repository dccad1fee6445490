// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/payload_decoder.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

namespace sextant::collector {
namespace {

using Kind = event::nvtx_payload_value::Kind;

constexpr uint64_t kSchemaId = kFirstSchema + 1, kInnerId = kFirstSchema + 2, kEnumId = kFirstSchema + 3;
constexpr uint64_t kFixed = 1 << 4, kZeroEnded = 2 << 4, kLengthField = 3 << 4, kPointer = 1 << 1;

/// A description as the agent writes it.
class Description {
 public:
  Description& number(uint64_t value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Description& text(std::string_view value) {
    number(value.size());
    bytes.append(value);
    return *this;
  }
  Description& schema(std::string_view name, uint64_t type, uint64_t size, uint64_t fields) {
    return text(name).number(type).number(0).number(size).number(0).number(fields);
  }
  Description& field(std::string_view name, uint64_t type, uint64_t flags = 0, uint64_t detail = 0,
                     uint64_t offset = 0) {
    number(flags).number(type).text(name).text("").number(detail).number(offset).number(0).number(0);
    return number(0).text("").number(1).number(1).number(0).number(0).number(0);
  }
  std::string bytes;
};

template <typename T>
void put(std::vector<uint8_t>* to, T value) {
  const auto* p = reinterpret_cast<const uint8_t*>(&value);
  to->insert(to->end(), p, p + sizeof value);
}

struct Decoded {
  bool whole = false;
  std::vector<PayloadValue> values;
  const PayloadValue* find(std::string_view field, uint64_t element = 0) const {
    for (const PayloadValue& v : values)
      if (v.field == field && v.element == element) return &v;
    return nullptr;
  }
};

Decoded decode(const Schemas& schemas, uint64_t type, std::span<const uint8_t> bytes,
               std::span<const PayloadBytes> all = {}, std::span<const PayloadBytes> copied = {}) {
  PayloadDecoder decoder(schemas, 0, all, copied);
  Decoded out;
  out.whole = decoder.decode(type, bytes, [&](const PayloadValue& v) { out.values.push_back(v); });
  return out;
}

void add(Schemas& schemas, uint64_t id, const Description& d) {
  ASSERT_EQ(schemas.add(0, spool::Registered::kSchema, id, d.bytes), Schemas::Added::kNew);
}

TEST(PayloadDecoder, FieldsLieWhereACompilerPutsThem) {
  Schemas schemas;
  add(schemas, kSchemaId,
      Description().schema("s", 1, 24, 4).field("a", 1).field("b", 20).field("c", 13).field("d", 16));
  struct {
    char a = -3;
    double b = 2.5;
    int16_t c = -300;
    uint32_t d = 4000000000u;
  } s;
  const auto out = decode(schemas, kSchemaId, std::span(reinterpret_cast<const uint8_t*>(&s), sizeof s));
  ASSERT_TRUE(out.whole);
  ASSERT_EQ(out.values.size(), 4u);
  EXPECT_EQ(static_cast<int64_t>(out.find("a")->bits), -3);
  EXPECT_EQ(std::bit_cast<double>(out.find("b")->bits), 2.5);
  EXPECT_EQ(static_cast<int64_t>(out.find("c")->bits), -300);
  EXPECT_EQ(out.find("d")->bits, 4000000000u);
}

TEST(PayloadDecoder, NestedStructuresArraysAndEnumerations) {
  Schemas schemas;
  add(schemas, kInnerId, Description().schema("inner", 1, 8, 2).field("x", 15).field("y", 15));
  Description e;
  e.text("mode").number(4).number(3).text("idle").number(0).number(0).text("r").number(1).number(1);
  e.text("w").number(2).number(1);
  ASSERT_EQ(schemas.add(0, spool::Registered::kEnum, kEnumId, e.bytes), Schemas::Added::kNew);
  add(schemas, kSchemaId,
      Description()
          .schema("s", 1, 0, 4)
          .field("at", kInnerId)
          .field("pair", kInnerId, kFixed, 2)
          .field("mode", kEnumId)
          .field("list", 14, kFixed, 3));
  std::vector<uint8_t> bytes;
  for (int32_t v : {1, -2, 3, 4, 5, 6, 3}) put(&bytes, v);
  for (uint16_t v : {7, 8, 9}) put(&bytes, v);
  const auto out = decode(schemas, kSchemaId, bytes);
  ASSERT_TRUE(out.whole);
  EXPECT_EQ(static_cast<int64_t>(out.find("at.y")->bits), -2);
  EXPECT_EQ(out.find("pair.x", 2)->bits, 5u);
  EXPECT_EQ(out.find("mode")->text, "r|w");
  EXPECT_EQ(out.find("mode")->kind, Kind::kEnum);
  EXPECT_EQ(out.find("list", 3)->bits, 9u);
  EXPECT_EQ(out.values.size(), 2u + 4 + 1 + 3);
}

TEST(PayloadDecoder, LengthsTextsAndPointers) {
  Schemas schemas;
  add(schemas, kSchemaId,
      Description()
          .schema("s", 2, 0, 5)
          .field("n", 16)
          .field("numbers", 16, kLengthField, 0)
          .field("tag", 75, 0, 4)
          .field("ended", 14, kZeroEnded)
          .field("path", 75, kPointer));
  std::vector<uint8_t> bytes;
  for (uint32_t v : {2u, 10u, 20u}) put(&bytes, v);
  for (char c : {'a', 'b', '\0', 'x'}) put(&bytes, c);
  for (uint16_t v : {1, 2, 0}) put(&bytes, v);
  put(&bytes, uint16_t{0});  // the pointer is aligned
  put(&bytes, uint64_t{0x5004});
  const PayloadBytes text{75, 0x5000, {'1', '2', '3', '4', 'h', 'e', 'r', 'e'}};
  const auto out = decode(schemas, kSchemaId, bytes, {}, std::span(&text, 1));
  ASSERT_TRUE(out.whole);
  EXPECT_EQ(out.find("numbers", 2)->bits, 20u);
  EXPECT_EQ(out.find("tag")->text, "ab");
  EXPECT_EQ(out.find("ended", 2)->bits, 2u);
  EXPECT_EQ(out.find("ended", 3), nullptr);
  EXPECT_EQ(out.find("path")->text, "here");
}

TEST(PayloadDecoder, AUnionTellsTheMemberThatHolds) {
  Schemas schemas;
  add(schemas, kInnerId, Description().schema("u", 3, 8, 2).field("whole", 17).field("real", 20));
  add(schemas, kSchemaId,
      Description().schema("s", 1, 16, 2).field("which", 15).field("value", kInnerId, 0, 0));
  std::vector<uint8_t> bytes;
  put(&bytes, int32_t{1});
  put(&bytes, int32_t{0});
  put(&bytes, 6.25);
  const auto out = decode(schemas, kSchemaId, bytes);
  ASSERT_TRUE(out.whole);
  ASSERT_NE(out.find("value.real"), nullptr);
  EXPECT_EQ(std::bit_cast<double>(out.find("value.real")->bits), 6.25);
  EXPECT_EQ(out.find("value.whole"), nullptr);
}

TEST(PayloadDecoder, PredefinedTypes) {
  const Schemas schemas;
  std::vector<uint8_t> bytes;
  for (float v : {1.5f, -2.0f}) put(&bytes, v);
  auto out = decode(schemas, 19, bytes);
  ASSERT_EQ(out.values.size(), 2u);
  EXPECT_EQ(std::bit_cast<double>(out.find("value", 2)->bits), -2.0);
  const uint8_t half[] = {0x00, 0xc2};  // -3
  EXPECT_EQ(std::bit_cast<double>(decode(schemas, 42, half).values.at(0).bits), -3.0);
  const uint8_t text[] = {'o', 'k', 0, 'x'};
  EXPECT_EQ(decode(schemas, 75, text).values.at(0).text, "ok");
  const uint8_t wide[] = {0x3d, 0xd8, 0x00, 0xde};  // U+1F600 in UTF-16
  EXPECT_EQ(decode_text(77, wide), "\xF0\x9F\x98\x80");
}

TEST(PayloadDecoder, ShortBytesAreToldAndNothingBehindThemIsRead) {
  Schemas schemas;
  add(schemas, kSchemaId,
      Description().schema("s", 1, 0, 3).field("a", 17).field("b", 17).field("c", 75, 0, 8));
  std::vector<uint8_t> whole(24, 1);
  for (size_t n = 0; n < whole.size(); ++n) {
    const std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<long>(n));
    EXPECT_FALSE(decode(schemas, kSchemaId, cut).whole) << n;
  }
  EXPECT_TRUE(decode(schemas, kSchemaId, whole).whole);
}

TEST(PayloadDecoder, SchemasThatHoldThemselvesEnd) {
  Schemas schemas;
  Description d;
  d.schema("s", 1, 0, 64);
  for (int i = 0; i < 64; ++i) d.field("f" + std::to_string(i), kSchemaId);
  add(schemas, kSchemaId, d);
  const std::vector<uint8_t> bytes(4096, 1);
  EXPECT_FALSE(decode(schemas, kSchemaId, bytes).whole);
}

TEST(PayloadDecoder, AnyDescriptionAndAnyBytesAreHarmless) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    Schemas schemas;
    Description d;
    const uint64_t fields = 1 + random() % 6;
    d.schema("s", 1 + random() % 5, random() % 3 == 0 ? random() % 64 : 0, fields);
    for (uint64_t i = 0; i < fields; ++i) {
      const uint64_t types[] = {random() % 110, kSchemaId, kInnerId, random()};
      d.field("f", types[random() % 4], random() % 2048, random() % 4 == 0 ? random() : random() % 9,
              random() % 4 == 0 ? random() % 70 : 0);
    }
    (void)schemas.add(0, spool::Registered::kSchema, kSchemaId, d.bytes);
    std::string damaged = d.bytes;
    for (char& c : damaged)
      if (random() % 20 == 0) c = static_cast<char>(random());
    (void)schemas.add(0, spool::Registered::kSchema, kInnerId, damaged.substr(0, random() % damaged.size()));
    std::vector<PayloadBytes> all(2);
    for (PayloadBytes& p : all) {
      p.schema = random() % 30;
      p.address = random() % 64;
      p.bytes.resize(random() % 100);
      for (uint8_t& b : p.bytes) b = static_cast<uint8_t>(random() % 3 == 0 ? random() : random() % 4);
    }
    (void)decode(schemas, kSchemaId, all[0].bytes, all);
    (void)decode(schemas, kInnerId, all[1].bytes, all);
  }
}

}  // namespace
}  // namespace sextant::collector
