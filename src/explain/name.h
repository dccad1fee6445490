// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of explain/: a kernel's name taken apart. Understood are plain names, demangled C++ as nvcc's tools
// and as binutils write it, and mangled C++. A name that was cut off is understood as far as it goes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant::explain {

struct Name {
  std::string text;                     // demangled; unnamed namespaces left out
  std::string scope;                    // "at::native", without template arguments
  std::string base;                     // "reduce_kernel"
  std::string qualified;                // scope::base
  std::vector<std::string> arguments;   // of the template
  std::string all_arguments;            // the same in one
  std::vector<std::string> parameters;  // of the function
  bool cpp = false;                     // written in C++, for sure

  bool in(std::string_view outermost) const;  // is that the outermost namespace?
};

Name parse_name(std::string_view name);

/// Parts between separators that are not inside of brackets, trimmed.
std::vector<std::string> split_outside_brackets(std::string_view list, char separator);

/// "a_b__c" -> a b c
std::vector<std::string_view> words_of(std::string_view name);

/// The text matches a pattern in which * stands for anything.
bool matches(std::string_view pattern, std::string_view text);

/// "(int)128", "128", "2ul": a number of at most nine digits. -1: it is none.
long number(std::string_view text);
std::string_view trimmed(std::string_view text);

}  // namespace sextant::explain
