// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which names hold a text, without regard to case of ASCII letters; each name is looked at once.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "serve/names.h"

namespace sextant::serve {

class NameFilter {
 public:
  NameFilter(const Names& names, std::string text) : names_(names), text_(std::move(text)) {
    for (char& c : text_) c = lower(c);
    if (!text_.empty()) known_.resize(names.count());
  }

  bool holds(uint32_t name) {
    if (text_.empty()) return true;
    if (name >= known_.size()) return false;
    uint8_t& known = known_[name];
    if (known == 0) known = matches(names_.text(name)) ? 2 : 1;
    return known == 2;
  }

 private:
  static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
  bool matches(std::string_view name) const {
    return std::search(name.begin(), name.end(), text_.begin(), text_.end(),
                       [](char a, char b) { return lower(a) == b; }) != name.end();
  }

  const Names& names_;
  std::string text_;
  std::vector<uint8_t> known_;  // 0 not looked at, 1 no, 2 yes
};

}  // namespace sextant::serve
