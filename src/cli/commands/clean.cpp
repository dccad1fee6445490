// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant clean: what dead recordings left, and imports.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "open/cache.h"
#include "recording/stale.h"
#include "text/log.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

using recording::Staleness;

std::vector<std::string> places(const Arguments& arguments) {
  std::vector<std::string> out = arguments.words();
  if (out.empty()) out.emplace_back(".");
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') out.emplace_back(runtime);
  out.emplace_back("/tmp");
  out.emplace_back("/dev/shm");
  return out;
}

std::string_view why(Staleness staleness) {
  switch (staleness) {
    case Staleness::kRemains:
      return "nothing is in it";
    case Staleness::kComplete:
      return "its report is complete";
    case Staleness::kEvents:
      return "its events are discarded";
    case Staleness::kAlive:
    case Staleness::kForeign:
      break;
  }
  return "";
}

class Cleaning {
 public:
  explicit Cleaning(const Arguments& arguments)
      : dry_run_(arguments.flag("dry-run")), discard_(arguments.flag("discard")) {}

  void look_at(const recording::StaleFolder& folder) {
    const std::string name = text::printable(folder.path);
    if (folder.staleness == Staleness::kForeign) return;
    if (folder.staleness == Staleness::kAlive) {
      out_ += fmt::format("kept     {}: {}\n", name, folder.note);
      return;
    }
    if (folder.staleness == Staleness::kEvents && !discard_) {
      out_ += fmt::format(
          "kept     {}: holds events that no report has; `sextant recover {}` saves them, --discard "
          "removes them\n",
          name, name);
      return;
    }
    if (!dry_run_) {
      if (const Status removed = recording::remove_run_folder(folder); !removed) {
        text::error("{}", removed.error().message);
        failed_ = true;
        return;
      }
    }
    removed(name, folder.bytes, why(folder.staleness));
  }

  void empty_cache() {
    const auto folder = open::Cache::default_folder();
    std::error_code error;
    if (!folder || !std::filesystem::is_directory(*folder, error)) return;
    uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*folder, error))
      if (entry.path().extension() == ".sxt") bytes += entry.file_size(error);
    if (bytes == 0) return;
    if (!dry_run_) {
      const auto cache = open::Cache::open(*folder, 0);
      if (!cache) {
        text::error("{}", cache.error().message);
        failed_ = true;
        return;
      }
      cache->trim("");
    }
    removed(text::printable(*folder), bytes, "imports; they are made again when they are needed");
  }

  int finish() {
    if (bytes_ > 0)
      out_ += fmt::format("{} {}\n", text::bytes(bytes_), dry_run_ ? "would be freed" : "freed");
    else if (out_.empty())
      out_ = "nothing to clean\n";
    const int printed = print_result(out_);
    return failed_ ? kExitFailed : printed;
  }

 private:
  void removed(const std::string& name, uint64_t bytes, std::string_view reason) {
    out_ +=
        fmt::format("{} {}: {} ({})\n", dry_run_ ? "would go" : "removed ", name, reason, text::bytes(bytes));
    bytes_ += bytes;
  }

  bool dry_run_, discard_;
  bool failed_ = false;
  uint64_t bytes_ = 0;
  std::string out_;
};

}  // namespace

int run_clean(const Arguments& arguments) {
  std::error_code error;
  for (const std::string& folder : arguments.words())
    if (!std::filesystem::is_directory(folder, error)) {
      text::error("{}: no such folder", folder);
      return kExitNoInput;
    }
  Cleaning cleaning(arguments);
  for (const recording::StaleFolder& folder : recording::find_run_folders(places(arguments)))
    cleaning.look_at(folder);
  if (arguments.flag("cache")) cleaning.empty_cache();
  return cleaning.finish();
}

}  // namespace sextant::cli
