// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/table_output.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "cli/open_report.h"
#include "cli/time_filter.h"
#include "text/log.h"

namespace sextant::cli {

namespace {

text::TimeUnit time_unit_of(const Arguments& arguments) {
  const std::string_view word = arguments.text("timeunit").value_or("nsec");
  if (word.starts_with("u")) return text::TimeUnit::kMicroseconds;
  if (word.starts_with("m")) return text::TimeUnit::kMilliseconds;
  return word.starts_with("s") ? text::TimeUnit::kSeconds : text::TimeUnit::kNanoseconds;
}

/// What may stand in the name of a file; the rest becomes '_'.
std::string plain_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("._-=@+").find(c) != std::string_view::npos;
    out += plain ? c : '_';
  }
  return out;
}

/// As nsys names files of a part of a report.
std::string filter_suffix(const Arguments& arguments) {
  if (const auto range = arguments.text("filter-nvtx")) return plain_name(fmt::format("_nvtx={}", *range));
  const auto time = arguments.text("filter-time");
  const auto window = time ? parse_window(*time) : Result<query::Window>(query::Window{});
  std::string out;
  if (window && window->from_ns != INT64_MIN) out += fmt::format("_start={}", window->from_ns);
  if (window && window->to_ns != INT64_MAX) out += fmt::format("_end={}", window->to_ns);
  return out;
}

template <typename T>
const T& entry(const std::vector<T>& list, size_t index) {
  return list[std::min(index, list.size() - 1)];
}

}  // namespace

bool prints_for_people(const Arguments& arguments) {
  bool for_people = true;
  for (const std::string_view list : arguments.all("format"))
    for_each_word(list, ',', [&](std::string_view word) {
      const auto format = text::parse_table_format(word);
      for_people =
          for_people && (format == text::TableFormat::kColumn || format == text::TableFormat::kTable);
    });
  for (const std::string_view place : arguments.all("output")) for_people = for_people && place == "-";
  return for_people;
}

TableOutput::TableOutput(const Arguments& arguments, const OpenedReport& report)
    : stem_(report.stem),
      set_name_(report.set_name),
      suffix_(filter_suffix(arguments)),
      unit_(time_unit_of(arguments)),
      replace_(arguments.flag("force-overwrite")),
      standard_(STDOUT_FILENO) {
  for (const std::string_view list : arguments.all("format"))
    for_each_word(list, ',',
                  [&](std::string_view word) { formats_.push_back(*text::parse_table_format(word)); });
  for (const std::string_view list : arguments.all("output")) {
    if (list.starts_with('@'))  // a command may have commas
      places_.emplace_back(list);
    else
      for_each_word(list, ',', [&](std::string_view word) { places_.emplace_back(word); });
  }
  if (formats_.empty()) formats_.push_back(text::TableFormat::kColumn);
  if (places_.empty()) places_.emplace_back("-");
}

TableOutput::~TableOutput() {
  if (command_ != nullptr) ::pclose(command_);
}

text::TableFormat TableOutput::format() const {
  return entry(formats_, next_);
}

bool TableOutput::to_one_place(text::TableFormat format) const {
  return formats_ == std::vector{format} && places_ == std::vector<std::string>{"-"};
}

std::string TableOutput::file_name(std::string_view base, std::string_view name) const {
  const std::string first =
      base == "." ? stem_ : fmt::format("{}{}{}", base, set_name_.empty() ? "" : "_", set_name_);
  return fmt::format("{}_{}{}{}", first, plain_name(name), suffix_, text::table_extension(format()));
}

text::Output* TableOutput::open_file(const std::string& path) {
  place_ = path;
  auto file = exporters::OutputFile::create(path, replace_);
  if (!file) {
    text::error("{}", file.error().message);
    failed_ = true;
    return nullptr;
  }
  file_.emplace(std::move(*file));
  return &output_.emplace(file_->fd(), path);
}

text::Output* TableOutput::open_command(const std::string& command) {
  place_ = command;
  if (command.find_first_not_of(" \t\n") == std::string::npos) {
    text::error("-o @: names no command");
    failed_ = true;
    return nullptr;
  }
  broken_pipe_before_ =
      ::signal(SIGPIPE, SIG_IGN);  // a command that reads only the beginning, or fails, is told about
  command_ = ::popen(command.c_str(), "we");
  if (command_ == nullptr) {
    text::error("-o @{}: cannot be started", command);
    failed_ = true;
    return nullptr;
  }
  return &output_.emplace(::fileno(command_), fmt::format("-o @{}", command));
}

text::Output* TableOutput::open(std::string_view name) {
  const std::string& place = entry(places_, next_);
  if (place == "-") return &standard_;
  if (!standard_.finish()) return &standard_;  // finish() tells; what a command prints comes behind it
  if (place.starts_with('@')) return open_command(place.substr(1));
  return open_file(file_name(place, name));
}

bool TableOutput::close_command() {
  const int status = ::pclose(std::exchange(command_, nullptr));
  ::signal(SIGPIPE, broken_pipe_before_);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;  // it may have enough before the end
  text::error("-o @{}: ended with {}", place_,
              WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status)) : "a signal");
  return false;
}

bool TableOutput::close() {
  ++next_;
  if (!output_) return true;
  const Status written = output_->finish();
  const bool reader_gone = output_->broken_pipe();
  output_.reset();
  bool good = written.has_value();
  if (!good && !reader_gone) text::error("{}", written.error().message);
  if (command_ != nullptr) good = close_command();
  if (file_ && good) {
    if (const Status committed = file_->commit(); committed) {
      text::info("wrote {}", place_);
    } else {
      text::error("{}", committed.error().message);
      good = false;
    }
  }
  file_.reset();
  failed_ = failed_ || !good;
  return good;
}

bool TableOutput::print(text::Table table) {
  const text::TableFormat how = format();
  text::Output* out = open(table.name);
  if (out == nullptr) return false;
  text::print_table(out, text::in_time_unit(std::move(table), unit_), how);
  return close();
}

bool TableOutput::finish() {
  const Status written = standard_.finish();
  if (!written && !standard_.broken_pipe()) text::error("{}", written.error().message);
  return written.has_value() && !failed_;
}

}  // namespace sextant::cli
