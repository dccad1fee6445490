// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers that nsys's tables use, as its ENUM_ tables name them. Those of what only Windows or graphics
// programs have are left out.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace sextant::exporters {

struct EnumValue {
  int64_t id = 0;
  std::string_view name;
  std::string_view label;
};

/// The names of all tables, ENUM_... .
void for_each_enum_table(const std::function<void(std::string_view table)>& use);

/// The rows of one table, ids ascending.
void for_each_enum_value(std::string_view table, const std::function<void(const EnumValue&)>& use);

}  // namespace sextant::exporters
