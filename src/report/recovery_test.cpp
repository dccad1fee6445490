// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Appending after a kill, failing writes, replacing, reading while another thread writes.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "report/checksum.h"
#include "report/sample_test.h"

namespace sextant::report {
namespace {

using test::Content;
using test::Folder;

/// Cut anywhere, reopened, the groups that are missing written again: nothing twice, nothing missing.
TEST(Recovery, ReopenAfterEveryCut) {
  Folder folder;
  const std::string path = folder.file("r"), cut = folder.file("cut");
  test::write_sample(path, true);
  const std::string bytes = test::read_file(path);
  const auto key = std::pair<int, int>{event::kNvtxRange, event::nvtx::kName};
  Content whole = test::content(*Reader::open(path));
  for (size_t length = sizeof(FileHeader); length <= bytes.size(); length += length < 2000 ? 1 : 7) {
    test::write_file(cut, bytes.substr(0, length));
    std::vector<Provenance> done;
    auto writer = Writer::reopen(cut, &done);
    ASSERT_TRUE(writer) << writer.error().message;
    for (uint64_t g = 0; g < 3; ++g) {
      const auto same = [&](const Provenance& p) { return p.ring == 2 && p.first_sequence == g * 100; };
      if (std::any_of(done.begin(), done.end(), same)) continue;
      const Rows rows = test::ranges(&*writer, 5 + g * 20, g);
      const Rows* parts[] = {&rows};
      const Provenance from[] = {{1, 2, g * 100, 50}, {1, 3, g * 10, 5}};
      ASSERT_TRUE(writer->write_group(parts, from));
    }
    ASSERT_TRUE(writer->finish());
    auto reader = Reader::open(cut);
    ASSERT_TRUE(reader);
    EXPECT_TRUE(reader->complete());
    EXPECT_TRUE(reader->damage().empty());
    EXPECT_TRUE(reader->verify().empty()) << length;
    EXPECT_EQ(test::content(*reader).columns.at(key), whole.columns.at(key)) << length;
  }
}

TEST(Recovery, ReopenKeepsHeaderStringsAndGroups) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, true);
  const Content before = test::content(*Reader::open(path));
  std::vector<Provenance> done;
  auto writer = Writer::reopen(path, &done);
  ASSERT_TRUE(writer);
  EXPECT_EQ(done.size(), 7u);
  EXPECT_EQ(done.back().first_sequence, 300u);  // the checkpoint
  const size_t strings = Reader::open(path)->string_count();
  EXPECT_EQ(writer->string_id("thread 1"), writer->string_id("thread 1"));
  EXPECT_LE(writer->string_id("thread 1"), strings);
  EXPECT_EQ(writer->string_id("a new one"), strings + 1);
  EXPECT_EQ(writer->string(writer->string_id("thread 1")), "thread 1");
  EXPECT_EQ(writer->string(static_cast<uint32_t>(strings + 1)), "a new one");
  EXPECT_EQ(writer->string(0), "");
  EXPECT_EQ(writer->string(static_cast<uint32_t>(strings + 2)), "");
  EXPECT_FALSE(Reader::open(path)->complete());
  EXPECT_EQ(test::content(*Reader::open(path)), before);
  ASSERT_TRUE(writer->finish());
  auto reader = Reader::open(path);
  EXPECT_TRUE(reader->complete());
  EXPECT_EQ(reader->header().clock_kind, 1u);
  EXPECT_EQ(reader->string(strings + 1), "a new one");
  EXPECT_TRUE(reader->verify().empty());
}

TEST(Recovery, ReopenKeepsWhatStandsAroundDamage) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, true);
  std::string bytes = test::read_file(path);
  const ChunkRef data = Reader::open(path)->chunks()[3];
  bytes[data.offset + 5] ^= 1;
  test::write_file(path, bytes);
  std::vector<Provenance> done;
  auto writer = Writer::reopen(path, &done);
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->finish());
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->complete());
  ASSERT_EQ(reader->damage().size(), 1u);
  EXPECT_EQ(reader->damage()[0].offset, data.offset);
  EXPECT_EQ(reader->damage()[0].bytes, chunk_bytes(data.header));
}

TEST(Recovery, ReopenRefusesWhatIsNoReport) {
  Folder folder;
  std::vector<Provenance> done;
  EXPECT_EQ(Writer::reopen(folder.file("none"), &done).error().code, ErrorCode::kNotFound);
  test::write_file(folder.file("empty"), "");
  EXPECT_EQ(Writer::reopen(folder.file("empty"), &done).error().code, ErrorCode::kCorrupt);
  test::write_file(folder.file("text"), std::string(1000, 't'));
  EXPECT_EQ(Writer::reopen(folder.file("text"), &done).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(test::read_file(folder.file("text")).size(), 1000u);
}

TEST(Recovery, OneAppenderAtATime) {
  Folder folder;
  const std::string path = folder.file("r");
  std::vector<Provenance> done;
  {
    auto writer = Writer::create(path, {});
    ASSERT_TRUE(writer);
    auto second = Writer::reopen(path, &done);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::kDenied);
    EXPECT_TRUE(Reader::open(path));
  }
  EXPECT_TRUE(Writer::reopen(path, &done));
}

/// The file must not grow beyond a limit: the write fails, the file stays whole, a later one succeeds. In a
/// child, since the limit is for a process.
TEST(Recovery, FailedWriteIsCutOffAndTriedAgain) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, false);
  const size_t before = test::read_file(path).size();
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    std::vector<Provenance> done;
    auto writer = Writer::reopen(path, &done);
    const Rows rows = test::ranges(&*writer, 1000, 9);
    const Rows* parts[] = {&rows};
    const Provenance from[] = {{1, 2, 900, 50}};
    rlimit limit{before + 300, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    if (writer->write_group(parts, from)) ::_exit(1);
    if (writer->write_group(parts, from).error().code != ErrorCode::kIo) ::_exit(2);
    struct stat status;
    if (::stat(path.c_str(), &status) != 0 || status.st_size != static_cast<off_t>(before)) ::_exit(3);
    if (!Reader::open(path)->verify().empty()) ::_exit(4);
    limit.rlim_cur = RLIM_INFINITY;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    if (!writer->write_group(parts, from)) ::_exit(5);
    ::_exit(writer->finish() ? 0 : 6);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  auto reader = Reader::open(path);
  EXPECT_TRUE(reader->complete());
  EXPECT_TRUE(reader->verify().empty());
  const Content all = test::content(*reader);
  EXPECT_EQ(all.columns.at({event::kNvtxRange, event::nvtx::kTid}).size(), 1075u);
  EXPECT_EQ(all.provenance.back(), (std::pair<uint64_t, uint64_t>{900, 50}));
}

TEST(Recovery, CreateIsExclusiveAndReplaceIsLate) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, true);
  const std::string old = test::read_file(path);
  EXPECT_FALSE(Writer::create(path, {}));
  EXPECT_FALSE(Writer::create(folder.file("no/such/folder"), {}));
  { auto unused = Writer::create(path, {.replace = true}); }
  EXPECT_EQ(test::read_file(path), old);
  auto reader = Reader::open(path);  // keeps the old file while it is replaced
  auto writer = Writer::create(path, {.replace = true});
  ASSERT_TRUE(writer);
  EXPECT_EQ(test::read_file(path), old);
  ASSERT_TRUE(writer->write_meta("a", "b"));
  EXPECT_NE(test::read_file(path), old);
  EXPECT_TRUE(reader->verify().empty());
  auto fresh = Reader::open(path);
  ASSERT_TRUE(fresh);
  EXPECT_FALSE(fresh->complete());
  EXPECT_EQ(fresh->meta().size(), 1u);
}

TEST(Recovery, AReplacementThatCannotBeWrittenLeavesTheOldFile) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, true);
  const std::string old = test::read_file(path);
  auto writer = Writer::create(path, {.replace = true});
  ASSERT_TRUE(writer);
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit tiny = {8, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tiny), 0);
  const bool failed = !writer->write_meta("a", "b");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_TRUE(failed);
  EXPECT_EQ(test::read_file(path), old);
  ASSERT_TRUE(writer->write_meta("c", "d"));  // there is room again
  EXPECT_NE(test::read_file(path), old);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()), {}),
            1);
}

TEST(Recovery, FinishWithoutRowsIsAReport) {
  Folder folder;
  for (bool replace : {false, true}) {
    const std::string path = folder.file(replace ? "a" : "b");
    auto writer = Writer::create(path, {.replace = replace});
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->write_group({}, {}));
    ASSERT_TRUE(writer->finish());
    EXPECT_FALSE(writer->write_meta("too", "late"));
    EXPECT_EQ(writer->bytes_written(), test::read_file(path).size());
    auto reader = Reader::open(path);
    ASSERT_TRUE(reader);
    EXPECT_TRUE(reader->complete());
    EXPECT_TRUE(reader->verify().empty());
  }
}

/// A report read again and again while it grows is never damaged and never loses anything.
TEST(Recovery, ReadWhileItGrows) {
  Folder folder;
  const std::string path = folder.file("r");
  std::atomic<bool> done = false;
  auto writer = Writer::create(path, {});
  ASSERT_TRUE(writer);
  std::thread recording([&] {
    for (uint64_t g = 0; g < 300; ++g) {
      const Rows rows = test::ranges(&*writer, 50 + g % 7, g);
      const Rows* parts[] = {&rows};
      const Provenance from[] = {{1, 1, g, 1}};
      EXPECT_TRUE(writer->write_group(parts, from));
    }
    EXPECT_TRUE(writer->finish());
    done = true;
  });
  size_t rounds = 0, last = 0;
  for (bool end = false; !end; ++rounds) {
    end = done;
    auto reader = Reader::open(path);
    EXPECT_TRUE(reader);
    if (!reader) break;
    EXPECT_TRUE(reader->damage().empty());
    EXPECT_TRUE(reader->verify().empty());
    const Content part = test::content(*reader);
    EXPECT_EQ(part.unreadable, 0u);
    EXPECT_GE(part.provenance.size(), last);
    last = part.provenance.size();
  }
  recording.join();
  EXPECT_GT(rounds, 1u);
  EXPECT_EQ(last, 300u);
  EXPECT_TRUE(Reader::open(path)->complete());
}

TEST(Recovery, ConstReaderIsThreadSafe) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, true);
  auto reader = Reader::open(path);
  const Content expected = test::content(*reader);
  std::vector<std::thread> threads;
  std::atomic<int> different = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        different += test::content(*reader) != expected || !reader->verify().empty();
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(different, 0);
}

}  // namespace
}  // namespace sextant::report
