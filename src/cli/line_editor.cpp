// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/line_editor.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#ifdef SEXTANT_LIBEDIT
#include <histedit.h>
#endif

namespace sextant::cli {

std::string state_file(std::string_view name) {
  const auto absolute = [](const char* folder) { return folder != nullptr && folder[0] == '/'; };
  std::string folder;
  if (const char* state = ::getenv("XDG_STATE_HOME"); absolute(state)) {
    folder = state;
  } else if (const char* home = ::getenv("HOME"); absolute(home)) {
    folder = std::string(home) + "/.local";
    ::mkdir(folder.c_str(), 0700);
    folder += "/state";
  } else {
    return {};
  }
  ::mkdir(folder.c_str(), 0700);
  folder += "/sextant";
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return {};
  return folder + "/" + std::string(name);
}

#ifdef SEXTANT_LIBEDIT

namespace {

constexpr int kRemembered = 1000;
constexpr size_t kShown = 200;  // candidates of a completion

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

}  // namespace

struct LineEditor::State {
  EditLine* editor = nullptr;
  History* history = nullptr;
  HistEvent event{};
  std::string prompt, history_file;
  Complete complete;

  unsigned char complete_word();
};

namespace {

LineEditor::State& state_of(EditLine* editor) {
  void* data = nullptr;
  el_get(editor, EL_CLIENTDATA, &data);
  return *static_cast<LineEditor::State*>(data);
}

}  // namespace

unsigned char LineEditor::State::complete_word() {
  const LineInfo* info = el_line(editor);
  const std::string_view before(info->buffer, static_cast<size_t>(info->cursor - info->buffer));
  size_t begin = before.size();
  while (begin > 0 && is_word(before[begin - 1])) --begin;
  const std::string_view word = before.substr(begin);
  const std::vector<std::string> found = complete(word, before.substr(0, begin));
  if (found.empty()) return CC_REFRESH_BEEP;
  std::string common = found.front();
  for (const std::string& candidate : found) {
    const auto differs = std::mismatch(common.begin(), common.end(), candidate.begin(), candidate.end());
    common.erase(differs.first, common.end());
  }
  if (common.size() > word.size() || found.size() == 1) {
    // the candidate's own spelling, which may differ in case
    const std::string now = found.size() == 1 ? common + (common.ends_with('(') ? "" : " ") : common;
    el_deletestr(editor, static_cast<int>(word.size()));
    return el_insertstr(editor, now.c_str()) == 0 ? CC_REFRESH : CC_REFRESH_BEEP;
  }
  std::fputc('\n', stdout);
  for (size_t i = 0; i < std::min(found.size(), kShown); ++i) std::fprintf(stdout, "%s  ", found[i].c_str());
  std::fputs(found.size() > kShown ? "...\n" : "\n", stdout);
  std::fflush(stdout);
  return CC_REDISPLAY;
}

LineEditor::LineEditor(const std::string& program, std::string history_file, Complete complete)
    : state_(std::make_unique<State>()) {
  state_->history_file = std::move(history_file);
  state_->complete = std::move(complete);
  state_->history = history_init();
  history(state_->history, &state_->event, H_SETSIZE, kRemembered);
  history(state_->history, &state_->event, H_SETUNIQUE, 1);
  if (!state_->history_file.empty())
    history(state_->history, &state_->event, H_LOAD, state_->history_file.c_str());
  state_->editor = el_init(program.c_str(), stdin, stdout, stderr);
  if (state_->editor == nullptr) return;
  el_set(state_->editor, EL_CLIENTDATA, state_.get());
  el_set(
      state_->editor, EL_PROMPT, +[](EditLine* editor) { return state_of(editor).prompt.data(); });
  el_set(state_->editor, EL_EDITOR, "emacs");
  el_set(state_->editor, EL_HIST, history, state_->history);
  el_set(
      state_->editor, EL_ADDFN, "sextant-complete", "completes a word",
      +[](EditLine* editor, int) { return state_of(editor).complete_word(); });
  el_set(state_->editor, EL_BIND, "^I", "sextant-complete", nullptr);
  el_set(state_->editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
}

LineEditor::~LineEditor() {
  if (state_->editor != nullptr) el_end(state_->editor);
  history_end(state_->history);
}

LineEditor::Outcome LineEditor::read(const std::string& prompt, std::string* line) {
  if (state_->editor == nullptr) return Outcome::kEnd;
  state_->prompt = prompt;
  int length = 0;
  errno = 0;
  const char* got = el_gets(state_->editor, &length);
  if (got == nullptr || length <= 0) return errno == EINTR ? Outcome::kInterrupted : Outcome::kEnd;
  line->assign(got, static_cast<size_t>(length));
  while (line->ends_with('\n') || line->ends_with('\r')) line->pop_back();
  return Outcome::kLine;
}

void LineEditor::remember(std::string_view statement) {
  std::string line(statement);
  std::replace(line.begin(), line.end(), '\n', ' ');
  while (line.ends_with(' ')) line.pop_back();
  if (line.empty()) return;
  history(state_->history, &state_->event, H_ENTER, line.c_str());
  if (state_->history_file.empty()) return;
  const mode_t before = ::umask(0077);  // statements are nobody else's business
  history(state_->history, &state_->event, H_SAVE, state_->history_file.c_str());
  ::umask(before);
}

#else

struct LineEditor::State {};

LineEditor::LineEditor(std::string, std::string, Complete) : state_(std::make_unique<State>()) {}
LineEditor::~LineEditor() = default;

LineEditor::Outcome LineEditor::read(const std::string& prompt, std::string* line) {
  std::fputs(prompt.c_str(), stdout);
  std::fflush(stdout);
  line->clear();
  for (;;) {
    char c = 0;
    const ssize_t got = ::read(STDIN_FILENO, &c, 1);
    if (got < 0) return errno == EINTR ? Outcome::kInterrupted : Outcome::kEnd;
    if (got == 0) return line->empty() ? Outcome::kEnd : Outcome::kLine;
    if (c == '\n') return Outcome::kLine;
    *line += c;
  }
}

void LineEditor::remember(std::string_view) {}

#endif

}  // namespace sextant::cli
