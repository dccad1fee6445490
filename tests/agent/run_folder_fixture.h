// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A run folder without a collector, for tests of the agent: makes it, runs a program under the agent, and
// decodes every record that the program left. A Drainer stands in for the collector where a test needs
// segments to come back.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "spool/reader.h"
#include "spool/run_folder.h"
#include "spool/run_folder_arena.h"

namespace sextant::tests {

struct DecodedRecord {
  spool::Kind kind = spool::Kind::kNone;
  uint64_t stamp = 0;
  std::string name;
  std::string domain;
  uint32_t tid = 0;
  uint32_t ring = 0;
  uint64_t sequence = 0;
  uint64_t value = 0;  // range id, tid or category
  uint8_t flags = 0;
  std::optional<spool::Attributes> attributes;
};

struct DecodedProcess {
  spool::PageCopy page;
  std::vector<DecodedRecord> records;  // by ring, then by sequence
  uint64_t holes = 0;                  // reserved slots that were never filled, by record
  uint64_t voids = 0;
  uint64_t damaged = 0;

  uint64_t count(spool::Kind kind) const {
    uint64_t n = 0;
    for (const DecodedRecord& r : records) n += r.kind == kind ? 1 : 0;
    return n;
  }
};

class RunFolderFixture {
 public:
  struct Options {
    uint64_t budget_bytes = 256u << 20;
    uint32_t flags = spool::kTraceNvtx;
    uint32_t pages = 64;
    uint32_t arenas = 4;
    bool collecting = true;
  };

  explicit RunFolderFixture(const Options& options);
  ~RunFolderFixture();

  spool::ControlPage& control() { return folder_->control(); }
  spool::RunFolder& folder() { return *folder_; }
  const std::string& path() const { return folder_->path(); }

  /// Runs a program under the agent and waits; returns the wait status. `before_exec` runs in the child.
  int run(const std::vector<std::string>& command, const std::function<void()>& before_exec = {});

  /// All processes that have a page, in order of pages.
  std::vector<DecodedProcess> decode();

  /// Takes the part of a collector that throws everything away: offers drained segments again, keeps the
  /// heartbeat fresh.
  class Drainer {
   public:
    explicit Drainer(RunFolderFixture& fixture);
    ~Drainer();
    uint64_t records() const { return records_; }

   private:
    void pass();
    RunFolderFixture& fixture_;
    std::map<uint32_t, std::unique_ptr<spool::Arena>> arenas_;  // by page
    std::atomic<bool> stop_{false};
    uint64_t records_ = 0;
    std::thread thread_;
  };

  static std::string agent_path();

 private:
  std::string base_;
  std::optional<spool::RunFolder> folder_;
};

}  // namespace sextant::tests
