// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "run_folder_fixture.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sextant::tests {

using spool::Arena;
using spool::Kind;
using spool::SegmentState;

namespace {

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "run folder fixture: %s\n", what.c_str());
  std::abort();
}

void decode_segment(const spool::ArenaReader& reader, const spool::Segment& segment,
                    std::map<uint16_t, std::string>& domains, DecodedProcess* out,
                    std::vector<std::pair<size_t, uint16_t>>* unresolved) {
  uint32_t end = reader.used(segment);
  for (uint32_t i = 0; i < end;) {
    spool::Record record;
    spool::Found found = spool::next_record(segment.data + i, segment.slots - i, &record);
    if (found == spool::Found::kRecord) {
      DecodedRecord d;
      d.kind = record.kind;
      d.stamp = record.stamp;
      d.tid = segment.tid;
      d.ring = segment.ring;
      d.sequence = segment.first_sequence + i;
      d.flags = record.flags;
      if (record.name == spool::kNameDropped)
        d.name = "(name dropped)";
      else if (record.name != 0 && !reader.name(record.name, &d.name))
        d.name = "(no such name)";
      if (record.kind == Kind::kDomain) domains[record.domain] = d.name;
      bool valued = record.kind >= Kind::kStart && record.kind <= Kind::kCategoryName;
      if (valued) d.value = spool::value_slot(record, 1).a;
      if ((record.flags & spool::kHasAttributes) != 0)
        d.attributes = spool::attributes(record, valued ? 2 : 1);
      unresolved->emplace_back(out->records.size(), record.domain);
      out->records.push_back(d);
    } else if (found == spool::Found::kHole) {
      ++out->holes;
    } else if (record.kind == Kind::kVoid) {
      ++out->voids;
    } else {
      ++out->damaged;
    }
    i += record.slots;
  }
}

void decode_arena(Arena& arena, DecodedProcess* out) {
  arena.refresh();
  const spool::ArenaReader& reader = arena.reader();
  std::vector<spool::Segment> segments;
  for (uint32_t i = 0; i < reader.segment_count(); ++i) {
    spool::Segment segment;
    bool damaged = false;
    if (!reader.segment(i, &segment, &damaged)) {
      out->damaged += damaged ? 1 : 0;
      continue;
    }
    if (segment.state == SegmentState::kRing || segment.state == SegmentState::kClosed)
      segments.push_back(segment);
  }
  std::sort(segments.begin(), segments.end(), [](const auto& a, const auto& b) {
    return std::pair(a.ring, a.first_sequence) < std::pair(b.ring, b.first_sequence);
  });
  std::map<uint16_t, std::string> domains;
  std::vector<std::pair<size_t, uint16_t>> unresolved;
  for (const spool::Segment& segment : segments) decode_segment(reader, segment, domains, out, &unresolved);
  for (auto [index, domain] : unresolved)
    if (domain != 0)
      out->records[index].domain = domains.contains(domain) ? domains[domain] : "(no such domain)";
}

}  // namespace

std::string RunFolderFixture::agent_path() {
  const char* path = std::getenv("SEXTANT_TEST_AGENT");
  return path != nullptr ? path : SEXTANT_AGENT_FILE;
}

RunFolderFixture::RunFolderFixture(const Options& options) {
  char name[] = "/tmp/sextant-agent-test-XXXXXX";
  if (::mkdtemp(name) == nullptr) give_up("mkdtemp");
  base_ = name;
  spool::RunFolder::Options folder;
  folder.clock_kind = static_cast<uint32_t>(base::best_clock_kind());
  folder.flags = options.flags;
  folder.budget_bytes = options.budget_bytes;
  folder.collecting = options.collecting;
  auto made = spool::RunFolder::create(base_ + "/run", folder);
  if (!made) give_up(made.error().message);
  folder_ = std::move(*made);
  if (auto status = folder_->add_pages(options.pages); !status) give_up(status.error().message);
  for (uint32_t i = 0; i < options.arenas; ++i) {
    auto arena = Arena::make(*folder_, i);
    if (!arena) give_up(arena.error().message);
    control().arenas_ready.store(i + 1, std::memory_order_release);
  }
}

RunFolderFixture::~RunFolderFixture() {
  folder_->remove();
  ::rmdir(base_.c_str());
}

int RunFolderFixture::run(const std::vector<std::string>& command, const std::function<void()>& before_exec) {
  std::string agent = agent_path();
  pid_t pid = ::fork();
  if (pid < 0) give_up("fork");
  if (pid == 0) {
    ::setenv("LD_PRELOAD", agent.c_str(), 1);
    ::setenv("NVTX_INJECTION64_PATH", agent.c_str(), 1);
    ::setenv("SEXTANT_RUN", path().c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (before_exec) before_exec();
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
  }
  return status;
}

std::vector<DecodedProcess> RunFolderFixture::decode() {
  std::vector<DecodedProcess> all;
  uint32_t claimed = control().pages_claimed.load();
  for (uint32_t i = 0; i < claimed && i < folder_->pages(); ++i) {
    DecodedProcess process;
    if (!spool::copy_page(*folder_->page(i), &process.page)) continue;
    if (process.page.arena != 0) {
      auto arena =
          Arena::open(*folder_, spool::arena_file_name(process.page.pid, process.page.start_time, i));
      if (arena)
        decode_arena(*arena, &process);
      else
        ++process.damaged;
    }
    all.push_back(std::move(process));
  }
  return all;
}

RunFolderFixture::Drainer::Drainer(RunFolderFixture& fixture) : fixture_(fixture) {
  thread_ = std::thread([this] {
    while (!stop_.load()) {
      pass();
      ::usleep(200);
    }
  });
}

RunFolderFixture::Drainer::~Drainer() {
  stop_.store(true);
  thread_.join();
}

void RunFolderFixture::Drainer::pass() {
  spool::ControlPage& control = fixture_.control();
  control.heartbeat_ns.store(base::clock_ns(CLOCK_MONOTONIC));
  for (uint32_t i = 0; i < control.pages_claimed.load() && i < fixture_.folder().pages(); ++i) {
    spool::PageCopy page;
    if (!spool::copy_page(*fixture_.folder().page(i), &page) || page.arena == 0) continue;
    if (!arenas_.contains(i)) {
      auto opened = Arena::open(fixture_.folder(), spool::arena_file_name(page.pid, page.start_time, i));
      if (!opened) continue;
      arenas_[i] = std::make_unique<Arena>(std::move(*opened));
    }
    Arena& arena = *arenas_[i];
    arena.refresh();
    std::vector<spool::Segment> closed;
    for (uint32_t s = 0; s < arena.reader().segment_count(); ++s) {
      spool::Segment segment;
      bool damaged = false;
      if (arena.reader().state(s) == SegmentState::kClosed && arena.reader().segment(s, &segment, &damaged))
        closed.push_back(segment);
    }
    for (const spool::Segment& segment : closed) {
      records_ += arena.reader().used(segment);
      arena.recycle(segment);
    }
    uint32_t wanted = arena.header().wanted_class.exchange(0);
    std::array<uint32_t, spool::kSegmentClasses> offers{};
    arena.count_offers(offers.data());
    if (wanted != 0 && wanted <= spool::kSegmentClasses && offers[wanted - 1] < 2)
      arena.add_segment(wanted - 1);
  }
}

}  // namespace sextant::tests
