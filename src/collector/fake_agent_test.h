// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// FakeAgent writes records straight into a run folder, as an agent of a process that is gone by the time
// anybody looks (or, with `live`, of this very process). FakeThread is one of its rings. Tests only.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collector/collector.h"
#include "collector/exit_status.h"
#include "collector/restore.h"
#include "report/reader.h"
#include "spool/run_folder.h"
#include "spool/run_folder_arena.h"

namespace sextant::collector {

/// A folder of its own that goes away with the test.
class TestPlace {
 public:
  TestPlace() {
    char name[] = "/tmp/sextant-collector-XXXXXX";
    if (::mkdtemp(name) == nullptr) std::abort();
    path_ = name;
  }
  ~TestPlace() { std::filesystem::remove_all(path_); }
  std::string report() const { return path_ + "/r.sxt"; }
  std::string folder() const { return path_ + "/r.sxt.run"; }

 private:
  std::string path_;
};

struct FakeRecord {
  spool::Kind kind;
  std::vector<spool::ValueSlot> more = {};
  uint32_t name = 0;
  uint16_t domain = 0;
  uint8_t flags = 0;
};

class FakeAgent {
 public:
  FakeAgent(const std::string& folder, bool live) : folder_(*spool::RunFolder::open(folder)), live_(live) {}

  /// Registers: page, then arena. False: nothing is on offer.
  bool start(uint32_t pid, uint64_t start_time = 7) {
    spool::ControlPage& c = folder_.control();
    index_ = c.pages_claimed.fetch_add(1);
    if (index_ >= c.pages_ready.load()) return false;
    spool::ProcessPage& p = page();
    p.magic = spool::kProcessMagic;
    p.version = spool::kVersion;
    p.origin = static_cast<uint32_t>(spool::PageOrigin::kImage);
    p.instance = index_;
    p.pid = live_ ? static_cast<uint32_t>(::getpid()) : pid;
    p.start_time = live_ ? read_stat(p.pid)->start_time : start_time;
    p.start_stamp = 1000;
    p.nvtx_instances.store(1);
    std::strcpy(p.exe, "/usr/bin/fake");
    p.args_bytes = 14;
    std::memcpy(p.args, "fake\0--token=x", 15);
    p.state.store(static_cast<uint32_t>(spool::PageState::kLive), std::memory_order_release);
    uint32_t n = c.arenas_claimed.fetch_add(1);
    if (n >= c.arenas_ready.load()) return false;
    std::string name = spool::arena_file_name(p.pid, p.start_time, index_);
    std::filesystem::rename(folder_.path() + "/free-" + std::to_string(n), folder_.path() + "/" + name);
    arena_ = std::make_unique<spool::Arena>(*spool::Arena::open(folder_, name));
    p.arena.store(1 + n, std::memory_order_release);
    return true;
  }

  spool::ProcessPage& page() { return *folder_.page(index_); }
  uint32_t index() const { return index_; }
  spool::Arena& arena() { return *arena_; }
  uint32_t next_ring() { return arena_->header().next_ring.fetch_add(1) + 1; }

  /// Takes an offer of at least `least` class; -1: none.
  int take(uint32_t least, spool::Segment* out) {
    std::lock_guard lock(mutex_);
    arena_->refresh();
    for (auto& offer : arena_->header().offers) {
      uint32_t seen = offer.load(std::memory_order_acquire);
      bool damaged;
      if (seen == 0 || !arena_->reader().segment(seen - 1, out, &damaged) || out->segment_class < least)
        continue;
      if (!offer.compare_exchange_strong(seen, 0, std::memory_order_acquire)) continue;
      return static_cast<int>(seen - 1);
    }
    return -1;
  }

  uint32_t name(const std::string& text) {
    auto [at, fresh] = names_.try_emplace(text, 0);
    if (!fresh) return at->second;
    uint32_t units = static_cast<uint32_t>((sizeof(spool::StringHeader) + text.size() + 1 + 15) / 16);
    if (strings_.data == nullptr || string_used_ + units > strings_.slots) {
      int index = take(spool::kStringClass, &strings_);
      if (index < 0) {
        names_.erase(at);
        return spool::kNameDropped;
      }
      arena_->descriptor(static_cast<uint32_t>(index))
          .state.store(static_cast<uint32_t>(spool::SegmentState::kStrings));
      string_used_ = 0;
    }
    auto* header =
        reinterpret_cast<spool::StringHeader*>(const_cast<spool::Slot*>(strings_.data + string_used_));
    std::memcpy(reinterpret_cast<char*>(header) + sizeof *header, text.data(), text.size());
    header->bytes_plus_1.store(static_cast<uint32_t>(text.size()) + 1, std::memory_order_release);
    at->second = static_cast<uint32_t>((strings_first() + string_used_ * 16) / 16);
    string_used_ += units;
    return at->second;
  }

  uint64_t stamp() { return stamp_.fetch_add(10) + 10; }

 private:
  uint64_t strings_first() const {
    return static_cast<uint64_t>(reinterpret_cast<const uint8_t*>(strings_.data) -
                                 reinterpret_cast<const uint8_t*>(&arena_->header()));
  }

  spool::RunFolder folder_;
  bool live_;
  uint32_t index_ = 0;
  std::unique_ptr<spool::Arena> arena_;
  std::mutex mutex_;  // threads of a test share the view of the arena
  std::map<std::string, uint32_t> names_;
  spool::Segment strings_;
  uint32_t string_used_ = 0;
  std::atomic<uint64_t> stamp_{1000};
};

class FakeThread {
 public:
  FakeThread(FakeAgent& agent, uint32_t tid) : agent_(agent), tid_(tid), ring_(agent.next_ring()) {}

  /// Reserves and fills. False: no segment was to be had (nothing is written). Returns with `filled` false:
  /// reserved only.
  bool write(const FakeRecord& record, bool filled = true) {
    uint32_t slots = 1 + static_cast<uint32_t>(record.more.size());
    if ((segment_.data == nullptr || position_ + slots > segment_.slots) && !next_segment()) return false;
    spool::Slot* at = const_cast<spool::Slot*>(segment_.data) + position_;
    position_ += slots;
    __atomic_store_n(&descriptor().used, position_, __ATOMIC_RELEASE);
    if (!filled) return true;
    uint64_t second =
        record.name | uint64_t{record.domain} << 32 | uint64_t{slots} << 48 | uint64_t{record.flags} << 56;
    auto* words = reinterpret_cast<uint64_t*>(at);
    __atomic_store_n(words + 1, second, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < record.more.size(); ++i) {
      __atomic_store_n(words + 2 + 2 * i, record.more[i].a, __ATOMIC_RELAXED);
      __atomic_store_n(words + 3 + 2 * i, record.more[i].b, __ATOMIC_RELAXED);
    }
    __atomic_store_n(words, agent_.stamp() << 8 | static_cast<uint8_t>(record.kind), __ATOMIC_RELEASE);
    return true;
  }

  bool push(const std::string& name, uint16_t domain = 0) {
    return write({spool::Kind::kPush, {}, agent_.name(name), domain});
  }
  bool pop(uint16_t domain = 0) { return write({spool::Kind::kPop, {}, 0, domain}); }
  void finish() {
    if (segment_.data != nullptr) set_state(spool::SegmentState::kClosed);
  }
  void next_segment_after_loss(uint64_t records) {
    if (next_segment()) descriptor().lost.store(records);
  }
  uint32_t ring() const { return ring_; }
  spool::SegmentDescriptor& descriptor() { return agent_.arena().descriptor(segment_.index); }

 private:
  bool next_segment() {
    spool::Segment fresh;
    if (agent_.take(0, &fresh) < 0) return false;
    if (segment_.data != nullptr) {
      while (position_ < segment_.slots) {  // the rest is void, as agents leave it
        auto* words = reinterpret_cast<uint64_t*>(const_cast<spool::Slot*>(segment_.data) + position_++);
        __atomic_store_n(words + 1, uint64_t{1} << 48, __ATOMIC_RELAXED);
        __atomic_store_n(words, uint64_t{255}, __ATOMIC_RELEASE);
      }
      __atomic_store_n(&descriptor().used, position_, __ATOMIC_RELEASE);
    }
    finish();
    sequence_ += segment_.slots;
    segment_ = fresh;
    position_ = 0;
    spool::SegmentDescriptor& d = descriptor();
    __atomic_store_n(&d.tid, tid_, __ATOMIC_RELAXED);
    __atomic_store_n(&d.ring, ring_, __ATOMIC_RELAXED);
    __atomic_store_n(&d.first_sequence, sequence_, __ATOMIC_RELAXED);
    set_state(spool::SegmentState::kRing);
    return true;
  }
  void set_state(spool::SegmentState state) {
    descriptor().state.store(static_cast<uint32_t>(state), std::memory_order_release);
  }

  FakeAgent& agent_;
  uint32_t tid_;
  uint32_t ring_;
  spool::Segment segment_;
  uint32_t position_ = 0;
  uint64_t sequence_ = 0;
};

/// A collector on a fresh run folder.
inline std::unique_ptr<Collector> start_collector(const TestPlace& place, uint64_t budget = 64u << 20) {
  spool::RunFolder::Options how;
  how.run_id[0] = 42;
  how.budget_bytes = budget;
  auto folder = spool::RunFolder::create(place.folder(), how);
  report::Writer::Options writing;
  writing.run_id = how.run_id;
  auto writer = report::Writer::create(place.report(), writing);
  auto collector = std::make_unique<Collector>(std::move(*folder), std::move(*writer), Collector::Options{});
  if (!collector->start()) return nullptr;
  return collector;
}

/// What recovery does, without the files around it.
inline std::unique_ptr<Collector> recover_collector(const TestPlace& place) {
  auto reader = report::Reader::open(place.report());
  if (!reader) return nullptr;
  Restored restored = read_restored(*reader);
  std::vector<report::Provenance> done;
  auto writer = report::Writer::reopen(place.report(), &done);
  auto folder = spool::RunFolder::open(place.folder());
  if (!writer || !folder) return nullptr;
  auto collector =
      std::make_unique<Collector>(std::move(*folder), std::move(*writer), Collector::Options{{}, true});
  collector->adopt(std::move(restored));
  return collector;
}

/// One row of a table, by column name.
using FakeRow = std::map<std::string, uint64_t>;

struct TestReport {
  report::Reader reader;

  explicit TestReport(const std::string& path) : reader(*report::Reader::open(path)) {}

  std::vector<FakeRow> rows(event::TableId table) const {
    std::vector<FakeRow> out;
    for (const report::ChunkRef& chunk : reader.chunks()) {
      if (chunk.header.kind != static_cast<uint16_t>(report::ChunkKind::kData) || chunk.header.table != table)
        continue;
      size_t first = out.size();
      out.resize(first + chunk.header.rows);
      for (const event::Column& column : event::find_table(table)->columns) {
        std::vector<uint64_t> values;
        if (!reader.read_column(chunk, column.id, &values)) continue;
        for (size_t i = 0; i < values.size(); ++i) out[first + i][std::string(column.name)] = values[i];
      }
    }
    return out;
  }
  std::string text(uint64_t id) const { return std::string(reader.string(id)); }

  /// Of the rows in the last group of each ring: those are the open ranges.
  size_t diagnostics(const std::string& code) const {
    uint64_t count = 0;
    for (const FakeRow& row : rows(event::kDiagnostic))
      if (text(row.at("code")) == code) count = row.at("count");
    return count;
  }
};

}  // namespace sextant::collector
