// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/nvtx_schemas.h"

#include <algorithm>
#include <cstring>

namespace sextant::collector {

namespace {

constexpr size_t kMostGiven = 1u << 16;  // descriptions of an instance
constexpr uint64_t kMostEntries = 4096;

/// Reads numbers and texts; behind the end everything is 0 and `ok` is false.
class Parser {
 public:
  explicit Parser(std::string_view bytes) : rest_(bytes) {}
  bool ok = true;

  uint64_t number() {
    uint64_t value = 0;
    if (rest_.size() < sizeof value) {
      ok = false;
      return 0;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const uint64_t bytes = number();
    if (bytes > rest_.size()) {
      ok = false;
      return {};
    }
    std::string out(rest_.substr(0, bytes));
    rest_.remove_prefix(bytes);
    return out;
  }

 private:
  std::string_view rest_;
};

CounterMeaning parse_meaning(Parser& p) {
  CounterMeaning m;
  m.flags = p.number();
  m.unit = p.text();
  m.scale_numerator = p.number();
  m.scale_denominator = p.number();
  m.limit_type = p.number();
  m.min = p.number();
  m.max = p.number();
  return m;
}

/// A description that was cut keeps what is whole.
Schema parse_schema(Parser& p) {
  Schema s;
  s.name = p.text();
  s.type = p.number();
  s.flags = p.number();
  s.bytes = p.number();
  s.alignment = p.number();
  const uint64_t count = std::min(p.number(), kMostEntries);
  for (uint64_t i = 0; i < count && p.ok; ++i) {
    SchemaField f;
    f.flags = p.number();
    f.type = p.number();
    f.name = p.text();
    f.description = p.text();
    f.detail = p.number();
    f.offset = p.number();
    f.scope = p.number();
    f.time_domain = p.number();
    f.counter = parse_meaning(p);
    if (p.ok) s.fields.push_back(std::move(f));
  }
  return s;
}

Enumeration parse_enumeration(Parser& p) {
  Enumeration e;
  e.name = p.text();
  e.bytes = p.number();
  const uint64_t count = std::min(p.number(), kMostEntries);
  for (uint64_t i = 0; i < count && p.ok; ++i) {
    EnumValue v;
    v.name = p.text();
    v.value = p.number();
    v.is_flag = p.number() != 0;
    if (p.ok) e.values.push_back(std::move(v));
  }
  return e;
}

Counter parse_counter(Parser& p) {
  Counter c;
  c.name = p.text();
  c.description = p.text();
  c.schema = p.number();
  c.scope = p.number();
  c.time_domain = p.number();
  c.meaning = parse_meaning(p);
  return c;
}

}  // namespace

Schemas::Added Schemas::add(uint16_t domain, spool::Registered what, uint64_t id, std::string_view bytes) {
  for (const Given& given : given_)
    if (given.id == id && given.domain == domain && given.what == what && given.bytes == bytes)
      return Added::kKnown;
  if (given_.size() >= kMostGiven) return Added::kDamaged;
  Parser p(bytes);
  const Key key(domain, id);
  switch (what) {
    case spool::Registered::kSchema:
      schemas_[key] = parse_schema(p);
      break;
    case spool::Registered::kEnum:
      enums_[key] = parse_enumeration(p);
      break;
    case spool::Registered::kScope: {
      Scope s;
      s.path = p.text();
      s.parent = p.number();
      scopes_[key] = std::move(s);
      break;
    }
    case spool::Registered::kCounter:
      counters_[key] = parse_counter(p);
      break;
    case spool::Registered::kTimeDomain: {
      TimeDomain t;
      t.scope = p.number();
      t.timestamp_type = p.number();
      t.flags = p.number();
      t.resolution = p.number();
      t.start = p.number();
      times_[key] = t;
      break;
    }
    case spool::Registered::kTimeSync:
      break;
    default:
      return Added::kDamaged;
  }
  given_.push_back({domain, what, id, std::string(bytes)});
  return p.ok ? Added::kNew : Added::kDamaged;
}

}  // namespace sextant::collector
