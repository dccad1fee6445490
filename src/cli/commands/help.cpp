// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/fd.h"
#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/pages.h"
#include "text/log.h"
#include "text/output.h"

namespace sextant::cli {

namespace {

Status write_page(const std::string& folder, const std::string& name, std::string_view text) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string path = folder + "/" + name;
  const base::Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.valid()) return fail_errno(errno, path);
  text::Output out(file.get(), path);
  out.write(text);
  return out.finish();
}

}  // namespace

Status write_pages(const std::string& folder) {
  const std::string manual = folder + "/share/man/man1";
  SEXTANT_TRY(write_page(manual, "sextant.1", manual_page(nullptr)));
  for (const Command& command : commands())
    SEXTANT_TRY(write_page(manual, fmt::format("sextant-{}.1", command.name), manual_page(&command)));
  SEXTANT_TRY(
      write_page(folder + "/share/bash-completion/completions", "sextant", *completion_script("bash")));
  SEXTANT_TRY(write_page(folder + "/share/zsh/site-functions", "_sextant", *completion_script("zsh")));
  return write_page(folder + "/share/fish/vendor_completions.d", "sextant.fish", *completion_script("fish"));
}

int run_help(const Arguments& arguments) {
  if (const auto folder = arguments.text("write-pages")) {
    const Status written = write_pages(std::string(*folder));
    if (written) return kExitOk;
    text::error("{}", written.error().message);
    return kExitFailed;
  }
  const bool manual = arguments.flag("man");
  if (arguments.words().empty()) return print_result(manual ? manual_page(nullptr) : general_help());
  const std::string& name = arguments.words()[0];
  const Command* command = find_command(name);
  if (command == nullptr) {
    text::error("there is no command '{}'; `sextant --help` lists what there is", name);
    return kExitFailed;
  }
  return print_result(manual ? manual_page(command) : *command_help(*command, ""));
}

int run_version(const Arguments&) {
  return print_result(version_text());
}

int run_completion(const Arguments& arguments) {
  if (arguments.words().size() != 1) {
    text::error("sextant completion takes one shell: bash, zsh or fish");
    return kExitFailed;
  }
  const auto script = completion_script(arguments.words()[0]);
  if (script) return print_result(*script);
  text::error("{}", script.error().message);
  return kExitFailed;
}

}  // namespace sextant::cli
