// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/source_place.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "base/fd.h"

namespace sextant::symbols {

namespace {

class FindSource : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_debug_info()) GTEST_SKIP() << "built without libdw";
    library_ = ::dlopen(SEXTANT_EXAMPLE, RTLD_NOW);
    ASSERT_NE(library_, nullptr) << ::dlerror();
    file_ = base::Fd(::open(SEXTANT_EXAMPLE, O_RDONLY | O_CLOEXEC));
  }

  /// A return address within a function of the example, and the line that it is in.
  CodeAddress frame(const char* function, const char* called = nullptr) {
    auto* const call = reinterpret_cast<void* (*)(int*)>(::dlsym(library_, function));
    line_ = 0;
    return {called == nullptr ? function : called, reinterpret_cast<uint64_t>(call(&line_)), true};
  }
  Result<SourcePlace> find(const std::vector<CodeAddress>& frames, size_t which) {
    return find_source(file_.get(), "example.so", frames, which);
  }

  void* library_ = nullptr;
  base::Fd file_;
  int line_ = 0;
};

TEST_F(FindSource, FindsTheLineOfACallWhereverTheFileWasLoaded) {
  const CodeAddress one = frame("example_frame");
  const auto place = find({one}, 0);
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_TRUE(place->file.ends_with("symbols/example/example.c")) << place->file;
  EXPECT_TRUE(place->file.starts_with("/") && place->file.find("/../") == std::string::npos) << place->file;
  EXPECT_EQ(place->line, static_cast<uint64_t>(line_));
  EXPECT_TRUE(place->exact);
}

TEST_F(FindSource, KnowsStaticFunctionsAndNamesWithVersions) {
  const auto place = find({frame("example_inner", "inner@@EXAMPLE_1")}, 0);
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_EQ(place->line, static_cast<uint64_t>(line_));
}

TEST_F(FindSource, SaysThatOnlyTheFunctionIsKnownWhereTheAddressAloneLeavesSeveralPlaces) {
  CodeAddress large = frame("example_large");
  auto place = find({large}, 0);
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_FALSE(place->exact);
  EXPECT_EQ(place->line, static_cast<uint64_t>(line_));
  // a second frame decides
  place = find({frame("example_frame"), large}, 1);
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_TRUE(place->exact);
  EXPECT_GT(place->line, 0u);
}

TEST_F(FindSource, PlacesAFrameWithoutANameByItsNeighbours) {
  CodeAddress unknown = frame("example_frame");
  const int wanted = line_;
  unknown.function = "0x1234";
  const auto place = find({frame("example_inner", "inner"), unknown}, 1);
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_EQ(place->line, static_cast<uint64_t>(wanted));
  EXPECT_FALSE(find({unknown}, 0));
}

TEST_F(FindSource, RefusesAFileThatIsNotTheOneThatRan) {
  CodeAddress elsewhere = frame("example_frame");
  elsewhere.address += 2048;
  const auto place = find({elsewhere}, 0);
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().code, ErrorCode::kCorrupt);
  CodeAddress moved = frame("example_inner", "inner");
  moved.address += 3 * 4096;
  EXPECT_TRUE(find({moved}, 0));  // alone it could be so
  const auto contradiction = find({frame("example_frame"), moved}, 0);
  ASSERT_FALSE(contradiction);
  EXPECT_EQ(contradiction.error().code, ErrorCode::kCorrupt);
}

TEST_F(FindSource, SaysWhatIsNoProgram) {
  const base::Fd text(::memfd_create("notes", MFD_CLOEXEC));
  ASSERT_EQ(::write(text.get(), "words\n", 6), 6);
  const CodeAddress one = frame("example_frame");
  const auto place = find_source(text.get(), "notes.txt", {&one, 1}, 0);
  ASSERT_FALSE(place);
  EXPECT_NE(place.error().message.find("notes.txt is no program"), std::string::npos);
}

}  // namespace

}  // namespace sextant::symbols
