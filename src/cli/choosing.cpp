// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/choosing.h"

#include <fmt/format.h>

#include "text/log.h"

namespace sextant::cli {

namespace {

bool take_word(const Command& command, const Shelf& shelf, std::string_view word) {
  const auto taken = shelf.take(word);
  if (!taken) {
    text::error("{}", taken.error().message);
    return false;
  }
  if (*taken) return true;
  const std::string_view name = word.substr(0, word.find(':'));
  const std::string_view close = nearest(name, shelf.names);
  text::error("there is no {} '{}'{}", shelf.option, name,
              close.empty() ? fmt::format("; `sextant {} --{}` lists all", command.name, shelf.list_option)
                            : fmt::format("; did you mean {}?", close));
  return false;
}

}  // namespace

bool take_chosen(const Arguments& arguments, const Shelf& shelf) {
  bool all_known = true;
  for (const std::string_view list : arguments.all(shelf.option))
    for_each_word(list, ',', [&](std::string_view word) {
      all_known = take_word(arguments.command(), shelf, word) && all_known;
    });
  return all_known;
}

std::string shelf_entry(std::string_view mark, std::string_view name, std::string_view arguments,
                        std::string_view title, std::string_view meaning) {
  return fmt::format("  {}{}{}\n      {}. {}.\n", mark, name, arguments, title, meaning);
}

}  // namespace sextant::cli
