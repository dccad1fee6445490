// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "base/fd.h"
#include "text/log.h"

extern char** environ;

namespace sextant::cli {

namespace {

constexpr size_t kMostBytes = 1u << 20;  // of a file with options

/// What only makes sense on the command line.
constexpr std::array<std::string_view, 8> kCommandLineOnly = {
    "help", "help-reports", "help-rules", "command-file", "dry-run", "man", "write-pages", "once"};

Result<std::string> read_text(const std::string& path, const base::Fd& file) {
  std::string text(kMostBytes + 1, '\0');
  size_t have = 0;
  for (ssize_t n; have < text.size(); have += static_cast<size_t>(n)) {
    n = ::read(file.get(), text.data() + have, text.size() - have);
    if (n < 0) return fail_errno(errno, path);
    if (n == 0) break;
  }
  if (have > kMostBytes) return fail(ErrorCode::kUsage, path + ": too long for a file of options");
  text.resize(have);
  return text;
}

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

Status set(Arguments* arguments, const std::string& option, const std::string& value,
           const std::string& where) {
  if (std::find(kCommandLineOnly.begin(), kCommandLineOnly.end(), option) != kCommandLineOnly.end())
    return fail(ErrorCode::kUsage,
                fmt::format("{}: {} can only be given on the command line", where, option));
  if (option == "output" && value.starts_with('@'))
    return fail(ErrorCode::kUsage, fmt::format("{}: a command can only be named on the command line", where));
  return arguments->add_setting(option, value, where);
}

/// Each by itself, so that a mistake has the name of its file and no option goes over the end of one.
Status check_command_file(const Command& command, const std::vector<std::string>& words,
                          const std::string& path) {
  const auto file = Arguments::parse(command, words);
  if (!file) return fail(ErrorCode::kUsage, fmt::format("--command-file {}: {}", path, file.error().message));
  if (!file->words().empty())
    return fail(ErrorCode::kUsage,
                fmt::format("--command-file {}: '{}' is no option; the program stands on the command line",
                            path, file->words()[0]));
  if (!file->all("command-file").empty())
    return fail(ErrorCode::kUsage,
                fmt::format("--command-file {}: a command file cannot name another one", path));
  return {};
}

Status apply_command_files(Arguments* arguments) {
  std::vector<std::string> words;
  for (const std::string_view name : arguments->all("command-file")) {
    const std::string path(name);
    const base::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) return fail_errno(errno, "--command-file " + path);
    SEXTANT_ASSIGN(const std::string text, read_text(path, file));
    auto more = split_command_file(text);
    if (!more) return fail(ErrorCode::kUsage, path + ": " + more.error().message);
    SEXTANT_TRY(check_command_file(arguments->command(), *more, path));
    words.insert(words.end(), more->begin(), more->end());
  }
  if (words.empty()) return {};
  auto file = Arguments::parse(arguments->command(), std::move(words));
  if (!file) return tl::unexpected<Error>(file.error());
  arguments->add_layer(*file);
  return {};
}

/// "PROFILE" of "profile", "BUFFER_SIZE" of "buffer-size".
std::string variable_part(std::string_view word) {
  std::string out;
  for (const char c : word)
    out += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

Status apply_variables(Arguments* arguments) {
  const std::string prefix = "SEXTANT_" + variable_part(arguments->command().name) + "_";
  arguments->begin_layer();
  Status status;
  for (char** entry = environ; status && entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (!text.starts_with(prefix) || equals == std::string_view::npos) continue;
    const std::string name(text.substr(0, equals));
    std::string_view option;
    for (const Flag& flag : flags())
      if ((flag.commands & arguments->command().bit) != 0 && name == prefix + variable_part(flag.long_name))
        option = flag.long_name;
    if (option.empty())
      text::warn("{}: sextant {} has no such option; the variable is ignored", name,
                 arguments->command().name);
    else
      status = set(arguments, std::string(option), std::string(text.substr(equals + 1)), name);
  }
  return status;
}

/// What others could have written must not choose options, least of all for root.
const char* reason_against(const base::Fd& file) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return "it is no regular file";
  const bool trusted =
      (info.st_uid == ::geteuid() || info.st_uid == 0) && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return trusted ? nullptr : "somebody else owns it or can write to it";
}

Status apply_configuration(Arguments* arguments) {
  const std::string path = configuration_path();
  if (path.empty()) return {};
  const base::Fd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) return {};  // none, or none for us
  if (const char* reason = reason_against(file)) {
    text::warn("{}: is ignored, since {}", path, reason);
    return {};
  }
  SEXTANT_ASSIGN(const std::string text, read_text(path, file));
  const auto settings = parse_configuration(text);
  if (!settings) return fail(ErrorCode::kUsage, path + ":" + settings.error().message);
  arguments->begin_layer();
  const Command& command = arguments->command();
  for (const Setting& setting : *settings) {
    if (!setting.command.empty() && setting.command != command.name) continue;
    const auto known = [&](uint32_t commands) {
      return std::any_of(flags().begin(), flags().end(), [&](const Flag& flag) {
        return (flag.commands & commands) != 0 && flag.long_name == setting.option;
      });
    };
    if (setting.command.empty() && !known(command.bit) && known(kEvery)) continue;  // some other command's
    SEXTANT_TRY(set(arguments, setting.option, setting.value, fmt::format("{}:{}", path, setting.line)));
  }
  return {};
}

}  // namespace

Status apply_settings(Arguments* arguments) {
  SEXTANT_TRY(apply_command_files(arguments));
  SEXTANT_TRY(apply_variables(arguments));
  return apply_configuration(arguments);
}

std::string configuration_path() {
  const char* folder = std::getenv("XDG_CONFIG_HOME");
  if (folder != nullptr && *folder == '/') return std::string(folder) + "/sextant/config";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.config/sextant/config" : "";
}

Result<std::vector<std::string>> split_command_file(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && !inside && c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (quote == 0 && std::string_view(" \t\r\n").find(c) != std::string_view::npos) {
      inside = false;
      continue;
    }
    if (!std::exchange(inside, true)) words.emplace_back();
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  if (quote != 0) return fail(ErrorCode::kUsage, fmt::format("a {} is not closed", quote));
  return words;
}

Result<std::vector<Setting>> parse_configuration(std::string_view text) {
  std::vector<Setting> settings;
  std::string section;
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[') && line.ends_with(']')) {
      section = trim(line.substr(1, line.size() - 2));
      if (find_command(section) == nullptr)
        return fail(ErrorCode::kUsage, fmt::format("{}: there is no command '{}'", number, section));
      continue;
    }
    const size_t equals = line.find('=');
    const std::string_view option = trim(line.substr(0, equals));
    if (equals == std::string_view::npos || option.empty())
      return fail(ErrorCode::kUsage, fmt::format("{}: neither [COMMAND] nor OPTION = VALUE", number));
    settings.push_back({section, std::string(option), std::string(trim(line.substr(equals + 1))), number});
  }
  return settings;
}

}  // namespace sextant::cli
