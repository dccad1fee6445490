// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Collection: the files and folders that are served, and nothing else: what a link leads to must lie inside,
// too. Folders are looked through again when they are asked for; reports are opened when they are asked for,
// and again when their file has changed. Of the open ones the last used kMostOpen stay. Thread-safe.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "open/open.h"
#include "serve/timeline.h"

namespace sextant::serve {

struct FileStamp {
  uint64_t bytes = 0, inode = 0;
  int64_t modified_ns = 0;
  bool operator==(const FileStamp&) const = default;
};

/// A report as a list shows it. What is empty or negative is not known.
struct Summary {
  std::string host, program, started, verdict, state, etag;
  std::vector<std::string> gpus;
  std::string rank;
  int64_t length_ns = -1;
  uint64_t lost = 0;
  bool growing = false;
};

struct Item {
  std::string id;
  std::string name, path;  // path: as it is shown, below a root
  std::string folder;      // of `path`; "" for a file that was named
  std::string file;        // where it really is
  open::FileKind kind = open::FileKind::kUnknown;
  FileStamp stamp;
  Summary summary;
};

struct OpenReport {
  OpenReport(query::Source s, SliceCache& cache) : source(std::move(s)), slices(cache) {}

  query::Source source;
  SliceCache& slices;
  std::string etag;
  Item item;

  /// Made at the first call.
  Result<Timeline*> timeline();
  /// The report once more, for a question about a span of time.
  query::Source limited(const query::Window& window) const;

 private:
  std::mutex timeline_mutex_;
  std::unique_ptr<Timeline> timeline_;
};

class Collection {
 public:
  static constexpr size_t kMostOpen = 16, kMostItems = 10'000;

  /// Errors: kNotFound and others, for the first of `paths` that cannot be served. Without paths: the current
  /// folder.
  static Result<std::unique_ptr<Collection>> make(const std::vector<std::string>& paths,
                                                  const open::OpenOptions& options);

  /// All reports there are now, by path.
  std::vector<Item> list();
  /// kNotFound: no such id, or its file is gone.
  Result<std::shared_ptr<OpenReport>> open(const std::string& id);
  /// From now on nothing long is begun.
  void stop() { stop_ = true; }

 private:
  struct Root {
    std::string shown, real;
    bool is_folder;
  };
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<OpenReport> report;
    uint64_t used = 0;
  };

  std::vector<Item> look() const;
  void add_item(const Root& root, const std::string& file, std::vector<Item>* items) const;
  void summarise(Item* item);
  Result<std::shared_ptr<OpenReport>> open_item(const Item& item);
  void close_oldest();

  std::vector<Root> roots_;
  open::OpenOptions options_;
  SliceCache slices_;
  std::mutex mutex_;  // guards what follows
  std::vector<Item> items_;
  int64_t looked_ns_ = 0;
  std::map<std::string, std::shared_ptr<Slot>> slots_;  // by id
  std::map<std::string, std::pair<FileStamp, Summary>> summaries_;
  uint64_t clock_ = 0;
  std::atomic<bool> stop_{false};
};

/// What a report says of itself.
Summary summary_of(const query::Source& source, const Item& item);

}  // namespace sextant::serve
