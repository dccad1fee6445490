// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// LineEditor: lines typed at a terminal, with editing, completion by tab and a history that is kept in a
// file. One at a time. Built without libedit it reads lines as they come. Not thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sextant::cli {

class LineEditor {
 public:
  /// What a word may become, given the word and the line before it.
  using Complete = std::function<std::vector<std::string>(std::string_view word, std::string_view before)>;

  /// `history_file`: read now, written as lines come; empty: none.
  LineEditor(const std::string& program, std::string history_file, Complete complete);
  ~LineEditor();

  enum class Outcome : uint8_t { kLine, kInterrupted, kEnd };
  /// A line without its end.
  Outcome read(const std::string& prompt, std::string* line);

  /// Puts a statement into the history, on one line.
  void remember(std::string_view statement);

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// $XDG_STATE_HOME/sextant/NAME, or ~/.local/state/sextant/NAME; empty where there is no such place. Makes
/// the folder.
std::string state_file(std::string_view name);

}  // namespace sextant::cli
