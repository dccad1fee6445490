// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace sextant::base {
namespace {

Status fails_when(bool bad) {
  if (bad) return fail(ErrorCode::kCorrupt, "bad byte");
  return {};
}

Result<int> doubled(Result<int> in) {
  SEXTANT_ASSIGN(int value, std::move(in));
  SEXTANT_TRY(fails_when(value < 0));
  return 2 * value;
}

TEST(Result, CarriesValueOrErrorThroughTheMacros) {
  EXPECT_EQ(*doubled(21), 42);
  EXPECT_EQ(doubled(-1).error().message, "bad byte");
  auto failed = doubled(fail(ErrorCode::kUsage, "no number"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kUsage);
  EXPECT_EQ(std::move(failed.error()).with("option -d").message, "option -d: no number");
}

TEST(Result, MapsErrnoToACode) {
  EXPECT_EQ(fail_errno(ENOENT, "x").value().code, ErrorCode::kNotFound);
  EXPECT_EQ(fail_errno(EACCES, "x").value().code, ErrorCode::kDenied);
  EXPECT_EQ(fail_errno(ENOSPC, "x").value().code, ErrorCode::kIo);
  EXPECT_EQ(fail_errno(ENOENT, "/a/b").value().message, "/a/b: No such file or directory");
}

TEST(Clock, SyncBracketsBothClocks) {
  for (ClockKind kind : {ClockKind::kMonotonic, best_clock_kind()}) {
    uint64_t monotonic_before = clock_ns(CLOCK_MONOTONIC), real_before = clock_ns(CLOCK_REALTIME);
    uint64_t raw_before = stamp(kind);
    ClockSync sync = take_clock_sync(kind);
    EXPECT_LE(monotonic_before, sync.monotonic_ns);
    EXPECT_GE(clock_ns(CLOCK_MONOTONIC), sync.monotonic_ns);
    EXPECT_LE(raw_before, sync.raw);
    EXPECT_GE(stamp(kind), sync.raw);
    // CLOCK_REALTIME can be stepped; a second is far more than the brackets are wide
    EXPECT_LT(sync.realtime_ns - real_before, 1'000'000'000u);
  }
}

TEST(Stamp, FetchAddReturnsTheOldValue) {
  uint32_t counter = 5;
  EXPECT_EQ(arch::fetch_add_same_thread(&counter, 3), 5u);
  EXPECT_EQ(counter, 8u);
}

TEST(Fd, ClosesOnceAndMoves) {
  int raw = ::dup(0);
  ASSERT_GE(raw, 0);
  {
    Fd a(raw);
    Fd b(std::move(a));
    EXPECT_FALSE(a.valid());
    EXPECT_EQ(b.get(), raw);
  }
  EXPECT_EQ(::close(raw), -1);
}

}  // namespace
}  // namespace sextant::base
