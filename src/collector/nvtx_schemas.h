// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What NVTX clients registered, read from the descriptions that agents wrote (docs/formats/spool.md §5.1):
// hostile input. By domain (number within an instance) and id. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spool/format.h"

namespace sextant::collector {

/// Types below this are predefined ones.
inline constexpr uint64_t kFirstSchema = 1u << 24;

struct CounterMeaning {
  uint64_t flags = 0;
  std::string unit;
  uint64_t scale_numerator = 1, scale_denominator = 1, limit_type = 0, min = 0, max = 0;
};

struct SchemaField {
  uint64_t flags = 0, type = 0, detail = 0, offset = 0;
  std::string name, description;
  uint64_t scope = 0, time_domain = 0;
  CounterMeaning counter;
};

struct Schema {
  std::string name;
  uint64_t type = 0, flags = 0, bytes = 0, alignment = 0;
  std::vector<SchemaField> fields;
};

struct EnumValue {
  std::string name;
  uint64_t value = 0;
  bool is_flag = false;
};

struct Enumeration {
  std::string name;
  uint64_t bytes = 4;
  std::vector<EnumValue> values;
};

struct Scope {
  std::string path;
  uint64_t parent = 0;
};

struct Counter {
  std::string name, description;
  uint64_t schema = 0, scope = 0, time_domain = 0;
  CounterMeaning meaning;
};

struct TimeDomain {
  uint64_t scope = 0, timestamp_type = 0, flags = 0, resolution = 0, start = 0;
};

class Schemas {
 public:
  using Key = std::pair<uint16_t, uint64_t>;

  enum class Added { kNew, kKnown, kDamaged };
  /// Adds what `bytes` describe. kKnown: the same was there already.
  Added add(uint16_t domain, spool::Registered what, uint64_t id, std::string_view bytes);

  const Schema* schema(uint16_t domain, uint64_t id) const { return find(schemas_, domain, id); }
  const Enumeration* enumeration(uint16_t domain, uint64_t id) const { return find(enums_, domain, id); }
  const Scope* scope(uint16_t domain, uint64_t id) const { return find(scopes_, domain, id); }
  const Counter* counter(uint16_t domain, uint64_t id) const { return find(counters_, domain, id); }
  const TimeDomain* time_domain(uint16_t domain, uint64_t id) const { return find(times_, domain, id); }

  /// A predefined type, or one that was registered.
  bool knows_type(uint16_t domain, uint64_t type) const {
    return type < kFirstSchema || schema(domain, type) != nullptr || enumeration(domain, type) != nullptr;
  }

  /// Everything that was added, in order: for a report that begins later.
  struct Given {
    uint16_t domain;
    spool::Registered what;
    uint64_t id;
    std::string bytes;
  };
  const std::vector<Given>& given() const { return given_; }

 private:
  template <typename T>
  static const T* find(const std::map<Key, T>& in, uint16_t domain, uint64_t id) {
    const auto found = in.find({domain, id});
    return found != in.end() ? &found->second : nullptr;
  }

  std::map<Key, Schema> schemas_;
  std::map<Key, Enumeration> enums_;
  std::map<Key, Scope> scopes_;
  std::map<Key, Counter> counters_;
  std::map<Key, TimeDomain> times_;
  std::vector<Given> given_;
};

}  // namespace sextant::collector
