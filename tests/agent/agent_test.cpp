// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The agent in real processes, without a collector: what the target does, and what is found in the run folder
// afterwards.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>

#include "run_folder_fixture.h"

namespace sextant::tests {
namespace {

using spool::ExitKind;
using spool::Kind;
using spool::PageOrigin;
using spool::Untraced;

using Options = RunFolderFixture::Options;

std::vector<std::string> target(std::initializer_list<std::string> arguments) {
  std::vector<std::string> command = {SEXTANT_AGENT_TARGET};
  command.insert(command.end(), arguments);
  return command;
}

int exit_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Records of a kind, as "name" or "domain/name".
std::multiset<std::string> names(const DecodedProcess& p, Kind kind) {
  std::multiset<std::string> all;
  for (const DecodedRecord& r : p.records)
    if (r.kind == kind) all.insert(r.domain.empty() ? r.name : r.domain + "/" + r.name);
  return all;
}

uint64_t named(const DecodedProcess& p, const std::string& name) {
  uint64_t n = 0;
  for (const DecodedRecord& r : p.records) n += r.name == name ? 1 : 0;
  return n;
}

void expect_clean(const DecodedProcess& p) {
  EXPECT_EQ(p.holes, 0u);
  EXPECT_EQ(p.damaged, 0u);
  EXPECT_EQ(p.page.lost_records, 0u);
  EXPECT_EQ(p.page.loss_reasons, 0u);
}

TEST(Agent, RecordsEveryCall) {
  RunFolderFixture folder(Options{});
  EXPECT_EQ(exit_code(folder.run(target({"calls"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  const DecodedProcess& p = all[0];
  expect_clean(p);
  EXPECT_EQ(p.voids, 0u);
  EXPECT_EQ(p.page.nvtx_instances, 1u);
  EXPECT_EQ(
      names(p, Kind::kPush),
      (std::multiset<std::string>{"outer", "gr\u00fc\u00df \U0001F600", "attributed", "domain a/registered a",
                                  "domain w/registered w", "default domain", "domain a/attributed"}));
  EXPECT_EQ(p.count(Kind::kPop), 8u);
  EXPECT_EQ(names(p, Kind::kMark),
            (std::multiset<std::string>{"mark a", "mark w", "attributed", "domain a/registered w", "",
                                        "wide message", "", ""}));
  EXPECT_EQ(names(p, Kind::kStart),
            (std::multiset<std::string>{"start a", "start w", "attributed", "domain a/attributed"}));
  EXPECT_EQ(names(p, Kind::kEnd), (std::multiset<std::string>{"", "", "", "domain a/"}));
  EXPECT_EQ(names(p, Kind::kCategoryName),
            (std::multiset<std::string>{"seven", "eight", "domain a/category a", "domain a/category w"}));
  EXPECT_EQ(names(p, Kind::kThreadName), (std::multiset<std::string>{"main thread", "other thread"}));
  EXPECT_EQ(names(p, Kind::kDomain), (std::multiset<std::string>{"domain a/domain a", "domain w/domain w"}));
}

TEST(Agent, KeepsAttributesAndRangeIds) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"calls"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  std::multiset<uint64_t> starts, ends;
  int attributed = 0, registered = 0;
  for (const DecodedRecord& r : all[0].records) {
    if (r.kind == Kind::kStart) starts.insert(r.value);
    if (r.kind == Kind::kEnd) ends.insert(r.value);
    EXPECT_TRUE(r.name != "other thread" || r.value == 4242u);
    EXPECT_TRUE(r.name != "eight" || r.value == 8u);
    registered += (r.flags & spool::kRegisteredName) != 0 ? 1 : 0;
    if (!r.attributes) continue;
    ++attributed;
    EXPECT_EQ(r.name, "attributed");
    EXPECT_EQ(r.attributes->color, 0xff112233u);
    EXPECT_EQ(r.attributes->has_color, 1u);
    EXPECT_EQ(r.attributes->category, 7u);
    EXPECT_EQ(r.attributes->payload_type, static_cast<uint8_t>(spool::PayloadType::kInt32));
    EXPECT_EQ(r.attributes->payload, uint32_t(-5));
  }
  EXPECT_EQ(attributed, 5);
  EXPECT_EQ(registered, 3);
  EXPECT_EQ(starts, ends);
  EXPECT_EQ(starts.size(), 4u);
}

TEST(Agent, DescribesTheProcess) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"pairs", "1"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  const spool::PageCopy& page = all[0].page;
  EXPECT_EQ(page.origin, PageOrigin::kImage);
  EXPECT_EQ(page.comm, "agent_target");
  EXPECT_EQ(page.ppid, static_cast<uint32_t>(::getpid()));
  EXPECT_EQ(page.uid, ::getuid());
  EXPECT_NE(page.start_time, 0u);
  EXPECT_NE(page.image_id, 0u);
  EXPECT_EQ(page.exe, SEXTANT_AGENT_TARGET);
  EXPECT_EQ(page.args, std::string(SEXTANT_AGENT_TARGET) + '\0' + "pairs" + '\0' + "1" + '\0');
  EXPECT_EQ(page.exit_kind, ExitKind::kExit);
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_GT(page.end_stamp, page.start_stamp);
}

struct End {
  const char* how;
  int status;
  ExitKind kind;
  int code;
};
class AgentEnd : public ::testing::TestWithParam<End> {};

TEST_P(AgentEnd, NothingIsLost) {
  RunFolderFixture folder(Options{});
  EXPECT_EQ(exit_code(folder.run(target({"end", GetParam().how}),
                                 [] {
                                   rlimit none{0, 0};
                                   ::setrlimit(RLIMIT_CORE, &none);
                                 })),
            GetParam().status);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].count(Kind::kPush), 100u);
  EXPECT_EQ(all[0].count(Kind::kPop), 100u);
  EXPECT_EQ(all[0].page.exit_kind, GetParam().kind);
  EXPECT_EQ(all[0].page.exit_code, GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, AgentEnd,
    ::testing::Values(End{"exit", 11, ExitKind::kExit, 11}, End{"_exit", 12, ExitKind::kUnderscoreExit, 12},
                      End{"quick_exit", 13, ExitKind::kExit, 13}, End{"return", 14, ExitKind::kExit, 14},
                      End{"abort", -SIGABRT, ExitKind::kNone, 0}, End{"kill", -SIGKILL, ExitKind::kNone, 0}),
    [](const auto& way) { return std::string(way.param.how[0] == '_' ? "underscore_exit" : way.param.how); });

TEST(Agent, ThreadsThatRaceForTheFirstCall) {
  for (int round = 0; round < 10; ++round) {
    RunFolderFixture folder(Options{});
    ASSERT_EQ(exit_code(folder.run(target({"threads", "50"}))), 0);
    auto all = folder.decode();
    ASSERT_EQ(all.size(), 1u);
    expect_clean(all[0]);
    EXPECT_EQ(all[0].page.nvtx_instances, 1u);
    EXPECT_EQ(all[0].count(Kind::kPop), 32u * 50);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(named(all[0], "t" + std::to_string(i)), 50u);
  }
}

TEST(Agent, RecordsOfARingAreInOrder) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"pairs", "20000"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  expect_clean(all[0]);
  ASSERT_EQ(all[0].records.size(), 40000u);
  for (size_t i = 0; i < all[0].records.size(); ++i) {
    const DecodedRecord& r = all[0].records[i];
    ASSERT_EQ(r.sequence, i);
    ASSERT_EQ(r.kind, i % 2 == 0 ? Kind::kPush : Kind::kPop);
    ASSERT_TRUE(i == 0 || r.stamp >= all[0].records[i - 1].stamp);
  }
}

TEST(Agent, ThreadsThatComeAndGoReuseTheirMemory) {
  RunFolderFixture folder(Options{});
  {
    RunFolderFixture::Drainer drainer(folder);
    ASSERT_EQ(exit_code(folder.run(target({"churn", "2000"}))), 0);
  }
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].page.lost_records, 0u);
  EXPECT_LT(folder.control().budget_used.load(), 64u << 20);
}

TEST(Agent, ForkChildrenAreProcessesOfTheirOwn) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"fork"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(named(all[0], "parent"), 20u);
  EXPECT_EQ(named(all[0], "child"), 0u);
  EXPECT_EQ(all[1].page.origin, PageOrigin::kFork);
  EXPECT_EQ(all[1].page.ppid, all[0].page.pid);
  EXPECT_EQ(all[1].page.image_id, all[0].page.image_id);
  EXPECT_EQ(all[1].page.args, all[0].page.args);
  EXPECT_EQ(named(all[1], "child"), 20u);
  EXPECT_EQ(named(all[1], "parent"), 0u);
  EXPECT_EQ(all[1].page.exit_kind, ExitKind::kUnderscoreExit);
  EXPECT_EQ(all[1].page.exit_code, 3);
  EXPECT_EQ(all[2].page.exit_code, 4);
  EXPECT_EQ(all[2].page.arena, 0u);
  for (const auto& p : all) expect_clean(p);
}

TEST(Agent, HandlesSurviveFork) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"fork_handles"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(names(all[0], Kind::kMark),
            (std::multiset<std::string>{"kept domain/kept string", "kept domain/kept string"}));
  EXPECT_EQ(names(all[1], Kind::kMark), (std::multiset<std::string>{"kept domain/kept string"}));
}

TEST(Agent, ForksFromBusyThreads) {
  RunFolderFixture folder(Options{.budget_bytes = 1u << 30, .pages = 256, .arenas = 8});
  {
    RunFolderFixture::Drainer drainer(folder);
    ASSERT_EQ(exit_code(folder.run(target({"fork_busy", "100"}))), 0);
  }
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 101u);
  for (size_t i = 1; i < all.size(); ++i) {
    EXPECT_EQ(named(all[i], "busy"), 0u);
    EXPECT_EQ(named(all[i], "child"), 7u);
    EXPECT_EQ(all[i].page.lost_records, 0u);
  }
}

TEST(Agent, RawCloneChildrenRegisterAtTheirFirstEvent) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"clone"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(named(all[0], "parent"), 6u);
  EXPECT_EQ(all[1].page.origin, PageOrigin::kFork);
  EXPECT_EQ(named(all[1], "raw child"), 4u);
}

TEST(Agent, EventsOfVforkChildrenAreDroppedAndCounted) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"vfork", "50"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(named(all[0], "parent"), 4u);
  EXPECT_EQ(named(all[0], "in vfork child"), 0u);
  EXPECT_EQ(all[0].page.lost_records, 50u);
  EXPECT_EQ(all[0].page.loss_reasons, uint32_t{spool::kLossVfork});
  EXPECT_EQ(all[0].page.exit_kind, ExitKind::kExit);
}

TEST(Agent, ExecOfAProgramThatCanBeTraced) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"exec", SEXTANT_AGENT_TARGET, "pairs", "3"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].page.pid, all[1].page.pid);
  EXPECT_EQ(all[0].page.start_time, all[1].page.start_time);
  EXPECT_NE(all[0].page.image_id, all[1].page.image_id);
  EXPECT_EQ(all[0].page.exit_kind, ExitKind::kExec);
  EXPECT_EQ(all[0].page.exec_untraced, Untraced::kNo);
  EXPECT_EQ(all[0].page.exec_path, SEXTANT_AGENT_TARGET);
  EXPECT_EQ(named(all[0], "exec"), 1u);
  EXPECT_EQ(named(all[1], "pair"), 3u);
}

TEST(Agent, StaticProgramsRunWithoutTheNvtxToolAndAreListed) {
  for (const char* mode : {"exec", "vfork_exec", "spawn"}) {
    RunFolderFixture folder(Options{});
    EXPECT_EQ(exit_code(folder.run(target({mode, SEXTANT_LOOK_STATIC}))), 0) << mode;  // 0: sees no NVTX tool
    auto all = folder.decode();
    ASSERT_FALSE(all.empty());
    if (std::string(mode) == "exec") {
      ASSERT_EQ(all.size(), 1u);
      EXPECT_EQ(all[0].page.exec_untraced, Untraced::kStatic);
    } else {
      ASSERT_EQ(all.size(), 2u) << mode;
      EXPECT_EQ(all[1].page.origin, PageOrigin::kUntraced);
      EXPECT_EQ(all[1].page.untraced, Untraced::kStatic);
      EXPECT_EQ(all[1].page.ppid, all[0].page.pid);
      EXPECT_EQ(all[1].page.exec_path, SEXTANT_LOOK_STATIC);
      EXPECT_EQ(all[0].page.exit_kind, ExitKind::kExit);
    }
  }
}

TEST(Agent, AClearedEnvironmentStaysCleared) {
  RunFolderFixture folder(Options{});
  EXPECT_EQ(exit_code(folder.run(target({"spawn_bare", SEXTANT_AGENT_TARGET, "pairs", "3"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].page.origin, PageOrigin::kUntraced);
  EXPECT_EQ(all[1].page.untraced, Untraced::kEnvironment);
}

TEST(Agent, VforkAndExecOfAProgramThatCanBeTraced) {
  RunFolderFixture folder(Options{});
  EXPECT_EQ(exit_code(folder.run(target({"vfork_exec", SEXTANT_AGENT_TARGET, "pairs", "3"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(named(all[0], "before") + named(all[0], "after"), 2u);
  EXPECT_EQ(all[1].page.origin, PageOrigin::kImage);
  EXPECT_EQ(named(all[1], "pair"), 3u);
}

TEST(Agent, AnExecThatFailsLeavesNoNote) {
  RunFolderFixture folder(Options{});
  EXPECT_EQ(exit_code(folder.run(target({"failing_exec"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].page.exit_kind, ExitKind::kExit);
  EXPECT_EQ(all[0].page.exec_path, "");
  EXPECT_EQ(all[0].count(Kind::kMark), 2u);
}

class AgentSignals : public ::testing::TestWithParam<const char*> {};

TEST_P(AgentSignals, HandlersThatRecordAndJumpLoseNothing) {
  RunFolderFixture folder(Options{.budget_bytes = 1u << 30});
  char out[] = "/tmp/sextant-signals-XXXXXX";
  int fd = ::mkstemp(out);
  ASSERT_EQ(exit_code(folder.run(target({GetParam(), "3000000"}), [fd] { ::dup2(fd, 1); })), 0);
  long marks = 0, handled = 0, jumps = 0;
  FILE* file = std::fopen(out, "r");
  ASSERT_EQ(std::fscanf(file, "%ld %ld %ld", &marks, &handled, &jumps), 3);
  std::fclose(file);
  ::close(fd);
  ::unlink(out);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  const DecodedProcess& p = all[0];
  EXPECT_EQ(p.page.lost_records, 0u);
  EXPECT_EQ(p.damaged, 0u);
  EXPECT_GT(handled, 100);
  EXPECT_GT(jumps, 10);
  EXPECT_EQ(named(p, "in handler"), static_cast<uint64_t>(handled));
  EXPECT_EQ(p.count(Kind::kPop), static_cast<uint64_t>(handled));
  // a jump may abandon the mark that is being written, or come between the mark and the program's own count
  EXPECT_GE(named(p, "main loop"), static_cast<uint64_t>(marks));
  EXPECT_LE(named(p, "main loop"), static_cast<uint64_t>(marks + jumps));
  EXPECT_LE(p.voids + p.holes, static_cast<uint64_t>(jumps) + 64);
}

INSTANTIATE_TEST_SUITE_P(Stacks, AgentSignals, ::testing::Values("signals", "signals_altstack"),
                         [](const auto& mode) { return std::string(mode.param); });

TEST(Agent, NamesAreStoredOnce) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"names", "20000"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  expect_clean(all[0]);
  auto got = names(all[0], Kind::kMark);
  EXPECT_EQ(got.size(), 20000u);
  for (int i = 0; i < 10001; ++i) ASSERT_EQ(got.count("name " + std::to_string(i)), i < 9999 ? 2u : 1u) << i;
}

TEST(Agent, LongNamesAndNamesAtTheEndOfAPage) {
  RunFolderFixture folder(Options{});
  ASSERT_EQ(exit_code(folder.run(target({"long_names"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].page.loss_reasons, uint32_t{spool::kLossTruncated});
  auto got = names(all[0], Kind::kMark);
  EXPECT_EQ(got.count(std::string(60000, 'x')), 1u);
  EXPECT_EQ(got.count(std::string(59999, 'x')), 1u);
  for (size_t length = 0; length < 40; ++length) EXPECT_EQ(got.count(std::string(length, 'e')), 2u) << length;
}

TEST(Agent, WithoutArenasItMakesItsOwn) {
  RunFolderFixture folder(Options{.arenas = 0});
  ASSERT_EQ(exit_code(folder.run(target({"pairs", "100000"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  expect_clean(all[0]);
  EXPECT_EQ(all[0].page.arena, UINT32_MAX);
  EXPECT_EQ(all[0].records.size(), 200000u);
}

TEST(Agent, ABudgetThatIsUsedUpCountsEveryLoss) {
  for (uint32_t arenas : {0u, 1u}) {
    RunFolderFixture folder(Options{.budget_bytes = 2u << 20, .arenas = arenas});
    ASSERT_EQ(exit_code(folder.run(target({"pairs", "200000"}))), 0);
    auto all = folder.decode();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_GT(all[0].records.size(), 50000u);
    EXPECT_GT(all[0].page.lost_records, 0u);
    EXPECT_EQ(all[0].records.size() + all[0].page.lost_records, 400000u);
    EXPECT_EQ(all[0].page.loss_reasons, uint32_t{spool::kLossBudget});
    EXPECT_LE(folder.control().budget_used.load(), 2u << 20);
    EXPECT_GT(all[0].page.lost_last, all[0].page.lost_first);
  }
}

TEST(Agent, LossesOfManyThreadsAddUp) {
  RunFolderFixture folder(Options{.budget_bytes = 2u << 20, .arenas = 1});
  ASSERT_EQ(exit_code(folder.run(target({"threads", "10000"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_GT(all[0].page.lost_records, 0u);
  EXPECT_EQ(all[0].records.size() + all[0].page.lost_records, 32u * 20000);
}

TEST(Agent, AFileSizeLimitHarmsNobody) {
  RunFolderFixture folder(Options{});
  auto limit = [] {
    rlimit small{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &small);
  };
  EXPECT_EQ(exit_code(folder.run(target({"pairs", "100000"}), limit)), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_GT(all[0].records.size(), 10000u);
  EXPECT_EQ(all[0].records.size() + all[0].page.lost_records, 200000u);
  EXPECT_EQ(all[0].page.loss_reasons, uint32_t{spool::kLossLimits});
}

TEST(Agent, AFileSizeLimitWithoutArenas) {
  RunFolderFixture folder(Options{.arenas = 0});
  auto limit = [] {
    rlimit small{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &small);
  };
  EXPECT_EQ(exit_code(folder.run(target({"pairs", "1000"}), limit)), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].page.lost_records, 2000u);
  EXPECT_EQ(all[0].page.untraced, Untraced::kNoArena);
}

TEST(Agent, ASmallAddressSpaceHarmsNobody) {
  for (rlim_t mib : {16, 64, 256}) {
    RunFolderFixture folder(Options{});
    auto limit = [mib] {
      rlimit small{mib << 20, mib << 20};
      ::setrlimit(RLIMIT_AS, &small);
    };
    EXPECT_EQ(exit_code(folder.run(target({"pairs", "300000"}), limit)), 0);
    auto all = folder.decode();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].records.size() + all[0].page.lost_records, 600000u) << mib;
  }
}

TEST(Agent, NothingIsRecordedOrLostWhilePaused) {
  RunFolderFixture folder(Options{.collecting = false});
  EXPECT_EQ(exit_code(folder.run(target({"calls"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].records.size(), 0u);
  EXPECT_EQ(all[0].page.lost_records, 0u);
}

TEST(Agent, NoPagesLeft) {
  RunFolderFixture folder(Options{.pages = 1});
  EXPECT_EQ(exit_code(folder.run(target({"fork"}))), 0);
  EXPECT_EQ(folder.decode().size(), 1u);
  EXPECT_EQ(folder.control().processes_dropped.load(), 2u);
}

TEST(Agent, ASandboxIsNotLeftByTheAgent) {
  for (const char* before : {"0", "1"}) {
    RunFolderFixture folder(Options{});
    int code = exit_code(folder.run(target({"sandbox", before})));
    if (code == 77) GTEST_SKIP() << "no seccomp here";
    EXPECT_EQ(code, 9);
    auto all = folder.decode();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_GT(named(all[0], "after"), 1000u);
    EXPECT_EQ(all[0].page.loss_reasons, uint32_t{spool::kLossSandbox});
    EXPECT_EQ(all[0].records.size() + all[0].page.lost_records, 400000u + (before[0] == '1' ? 20 : 0));
  }
}

TEST(Agent, AnotherRootLeavesThePool) {
  RunFolderFixture folder(Options{});
  int code = exit_code(folder.run(target({"chroot"})));
  if (code == 77) GTEST_SKIP() << "may not chroot";
  EXPECT_EQ(code, 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_GT(named(all[0], "after"), 1000u);
  EXPECT_EQ(all[0].page.loss_reasons, uint32_t{spool::kLossSandbox});
  EXPECT_EQ(all[0].records.size() + all[0].page.lost_records, 200000u);
  EXPECT_EQ(all[1].page.exit_code, 6);
}

TEST(Agent, AVforkChildMayConfineItself) {
  RunFolderFixture folder(Options{});
  int code = exit_code(folder.run(target({"vfork_chroot"})));
  if (code == 77) GTEST_SKIP() << "may not chroot";
  EXPECT_EQ(code, 0);
  auto all = folder.decode();
  ASSERT_GE(all.size(), 1u);
  EXPECT_EQ(named(all[0], "parent"), 200000u);
  EXPECT_EQ(all[0].page.lost_records, 0u);
}

TEST(Agent, BlockingWaitsForRoomAndLosesNothing) {
  RunFolderFixture folder(
      Options{.budget_bytes = 3u << 20, .flags = spool::kTraceNvtx | spool::kBlockWhenFull, .arenas = 1});
  {
    RunFolderFixture::Drainer drainer(folder);
    EXPECT_EQ(exit_code(folder.run(target({"pairs", "1000000"}))), 0);
  }
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].page.lost_records, 0u);
}

TEST(Agent, BlockingEndsWhereNoCollectorAnswers) {
  RunFolderFixture folder(
      Options{.budget_bytes = 3u << 20, .flags = spool::kTraceNvtx | spool::kBlockWhenFull, .arenas = 1});
  EXPECT_EQ(exit_code(folder.run(target({"pairs", "1000000"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].records.size() + all[0].page.lost_records, 2000000u);
}

TEST(Agent, WithoutNvtxInTheListOfSources) {
  RunFolderFixture folder(Options{.flags = 0});
  EXPECT_EQ(exit_code(folder.run(target({"pairs", "10"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].page.nvtx_instances, 1u);
  EXPECT_EQ(all[0].page.arena, 0u);
}

TEST(Agent, AnotherNvtxToolIsLeftAlone) {
  RunFolderFixture folder(Options{});
  EXPECT_EQ(exit_code(folder.run(target({"pairs", "10"}),
                                 [] { ::setenv("NVTX_INJECTION64_PATH", "/no/such/tool.so", 1); })),
            0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].page.untraced, Untraced::kOtherNvtxTool);
  EXPECT_EQ(all[0].records.size(), 0u);
}

TEST(Agent, SetsTheNvtxToolWhereNoneIsNamed) {
  RunFolderFixture folder(Options{});
  EXPECT_EQ(exit_code(folder.run(target({"pairs", "10"}), [] { ::unsetenv("NVTX_INJECTION64_PATH"); })), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].page.untraced, Untraced::kNo);
  EXPECT_EQ(all[0].records.size(), 20u);
}

TEST(Agent, IsInertWithoutARunFolder) {
  for (const char* folder_path : {"", "relative", "/no/such/folder"}) {
    RunFolderFixture folder(Options{});
    EXPECT_EQ(
        exit_code(folder.run(target({"pairs", "10"}), [=] { ::setenv("SEXTANT_RUN", folder_path, 1); })), 0);
    EXPECT_EQ(folder.decode().size(), 0u);
  }
}

TEST(Agent, RefusesAnotherVersion) {
  RunFolderFixture folder(Options{});
  folder.control().version = spool::kVersion + 1;
  EXPECT_EQ(exit_code(folder.run(target({"pairs", "10"}))), 0);
  EXPECT_EQ(folder.control().pages_claimed.load(), 0u);
}

TEST(Agent, AbsurdOffersAreNotFollowed) {
  RunFolderFixture folder(Options{.arenas = 1});
  auto arena = spool::Arena::open(folder.folder(), "free-0");
  ASSERT_TRUE(arena);
  for (uint32_t i = 0; i < 6; ++i) {
    spool::SegmentDescriptor& d = arena->descriptor(i);
    if (i == 0) d.offset = uint64_t{1} << 60;
    if (i == 1) d.offset = 0;
    if (i == 2) d.size_bytes = 0;
    if (i == 3) d.size_bytes = 0xffffffff;
    if (i == 4) d.size_bytes = 12345;
    if (i == 5) d.offset += 1;
  }
  arena->header().offers[20].store(0xffffffff);
  arena->header().offers[21].store(spool::kMaxSegments);
  EXPECT_EQ(exit_code(folder.run(target({"pairs", "100000"}))), 0);
  auto all = folder.decode();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].records.size(), 200000u);
}

}  // namespace
}  // namespace sextant::tests
