// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/collection.h"

#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>

namespace sextant::serve {

namespace {

constexpr int64_t kLookAgainNs = 1'000'000'000;

int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

Result<std::string> real_path(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return fail_errno(errno, fmt::format("cannot serve {}", path));
  std::string out = resolved;
  ::free(resolved);
  return out;
}

bool stamp_of(const std::string& file, FileStamp* stamp) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  *stamp = {static_cast<uint64_t>(status.st_size), static_cast<uint64_t>(status.st_ino),
            status.st_mtim.tv_sec * int64_t{1'000'000'000} + status.st_mtim.tv_nsec};
  return true;
}

/// The same in every run, so that links can be sent.
std::string id_of(const std::string& file) {
  return fmt::format("r{:012x}", XXH3_64bits(file.data(), file.size()) & 0xFFFFFFFFFFFF);
}

std::string_view folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

Result<Timeline*> OpenReport::timeline() {
  const std::lock_guard lock(timeline_mutex_);
  if (!timeline_) {
    SEXTANT_ASSIGN(timeline_, Timeline::make(source, slices));
  }
  return timeline_.get();
}

query::Source OpenReport::limited(const query::Window& window) const {
  query::Source limited = source.again();
  limited.set_window(window);
  return limited;
}

Result<std::unique_ptr<Collection>> Collection::make(const std::vector<std::string>& paths,
                                                     const open::OpenOptions& options) {
  auto collection = std::make_unique<Collection>();
  collection->options_ = options;
  collection->options_.go_on = [raw = collection.get()] { return !raw->stop_; };
  for (const std::string& path : paths.empty() ? std::vector<std::string>{"."} : paths) {
    SEXTANT_ASSIGN(std::string real, real_path(path));
    struct stat status {};
    if (::stat(real.c_str(), &status) != 0) return fail_errno(errno, fmt::format("cannot serve {}", path));
    const bool is_folder = S_ISDIR(status.st_mode);
    if (!is_folder) {
      SEXTANT_ASSIGN(const open::Sniffed sniffed, open::sniff(real));
      if (sniffed.kind == open::FileKind::kUnknown)
        return fail(ErrorCode::kUsage, fmt::format("{} is no report that Sextant can read", path));
    }
    std::string shown(path == "." || path == "/" ? name_of(real) : std::string_view(path));
    while (shown.size() > 1 && shown.back() == '/') shown.pop_back();
    collection->roots_.push_back({std::move(shown), std::move(real), is_folder});
  }
  return collection;
}

void Collection::add_item(const Root& root, const std::string& file, std::vector<Item>* items) const {
  const auto real = real_path(file);
  if (!real || items->size() >= kMostItems) return;
  const bool inside =
      root.is_folder ? real->starts_with(root.real == "/" ? "/" : root.real + "/") : *real == root.real;
  Item item;
  if (!inside || !stamp_of(*real, &item.stamp)) return;
  const auto sniffed = open::sniff(*real);
  if (!sniffed) return;
  item.kind = sniffed->kind;
  item.file = *real;
  item.path = root.is_folder ? root.shown + file.substr(root.real.size()) : root.shown;
  item.name = name_of(item.path);
  item.folder = root.is_folder ? folder_of(item.path) : std::string_view();
  item.id = id_of(item.file);
  items->push_back(std::move(item));
}

std::vector<Item> Collection::look() const {
  std::vector<Item> items;
  for (const Root& root : roots_) {
    if (!root.is_folder) {
      add_item(root, root.real, &items);
      continue;
    }
    const std::string folder[] = {root.real};
    if (const auto files = open::expand(folder, open::Take::kAllNamedSo))
      for (const std::string& file : *files) add_item(root, file, &items);
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.path < b.path; });
  const auto same = [](const Item& a, const Item& b) { return a.id == b.id; };
  items.erase(std::unique(items.begin(), items.end(), same), items.end());
  return items;
}

void Collection::summarise(Item* item) {
  const auto known = summaries_.find(item->id);
  if (known != summaries_.end() && known->second.first == item->stamp && !known->second.second.growing) {
    item->summary = known->second.second;
    return;
  }
  if (item->kind == open::FileKind::kReport || item->kind == open::FileKind::kUnknown) {
    const auto source = query::Source::open(item->file);
    if (source) {
      item->summary = summary_of(*source, *item);
    } else {
      item->summary.state = "unreadable", item->summary.verdict = source.error().message;
    }
  } else {
    item->summary.state = "unopened";
    item->summary.verdict = "a file of another tool, imported when it is opened";
    if (item->kind == open::FileKind::kNcuReport)
      item->summary.state = "unreadable", item->summary.verdict = "this kind of file cannot be read yet";
  }
  summaries_[item->id] = {item->stamp, item->summary};
}

std::vector<Item> Collection::list() {
  const std::lock_guard lock(mutex_);
  if (items_.empty() || now_ns() - looked_ns_ > kLookAgainNs) {
    items_ = look();
    for (Item& item : items_) summarise(&item);
    looked_ns_ = now_ns();
  }
  return items_;
}

Result<std::shared_ptr<OpenReport>> Collection::open(const std::string& id) {
  const auto find = [&](const std::vector<Item>& items) {
    return std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.id == id; });
  };
  std::shared_ptr<Slot> slot;
  Item item;
  {
    std::unique_lock lock(mutex_);
    auto at = find(items_);
    if (at == items_.end()) {
      lock.unlock();
      list();
      lock.lock();
      at = find(items_);
    }
    if (at == items_.end()) return fail(ErrorCode::kNotFound, "there is no report with this id");
    item = *at;
    std::shared_ptr<Slot>& place = slots_[id];
    if (!place) place = std::make_shared<Slot>();
    place->used = ++clock_;
    slot = place;
    close_oldest();
  }
  if (!stamp_of(item.file, &item.stamp)) return fail(ErrorCode::kNotFound, item.path + " is gone");
  const std::lock_guard lock(slot->mutex);
  if (slot->report && slot->report->item.stamp == item.stamp) return slot->report;
  SEXTANT_ASSIGN(slot->report, open_item(item));
  return slot->report;
}

Result<std::shared_ptr<OpenReport>> Collection::open_item(const Item& item) {
  if (stop_) return fail(ErrorCode::kUnsupported, "the server is ending");
  SEXTANT_ASSIGN(query::Source source, open::open(item.file, options_));
  auto report = std::make_shared<OpenReport>(std::move(source), slices_);
  report->item = item;
  report->item.summary = summary_of(report->source, item);
  report->etag = report->item.summary.etag;
  const std::lock_guard lock(mutex_);
  summaries_[item.id] = {item.stamp, report->item.summary};
  for (Item& listed : items_)
    if (listed.id == item.id) listed.summary = report->item.summary;
  return report;
}

void Collection::close_oldest() {
  while (slots_.size() > kMostOpen) {
    const auto oldest = std::min_element(slots_.begin(), slots_.end(), [](const auto& a, const auto& b) {
      return a.second->used < b.second->used;
    });
    slots_.erase(oldest);  // who uses it now keeps it
  }
}

}  // namespace sextant::serve
