// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "open/open.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "open/cache.h"
#include "open/nsys_program.h"
#include "query/gpu_busy.h"
#include "report/writer.h"

namespace sextant::open {
namespace {

namespace fs = std::filesystem;

class Open : public testing::Test {
 protected:
  Open() {
    std::string name = (fs::temp_directory_path() / "sextant-open-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    options_.cache_folder = file("cache");
    const char* path = ::getenv("PATH");
    search_path_ = path == nullptr ? "/usr/bin:/bin" : path;
    options_.notice = [this](const std::string& text) { notices_.push_back(text); };
  }
  ~Open() override {
    ::setenv("PATH", search_path_.c_str(), 1);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }

  std::string database(const std::string& name, int rows) const {
    sqlite3* handle = nullptr;
    EXPECT_EQ(sqlite3_open(file(name).c_str(), &handle), SQLITE_OK);
    const std::string sql =
        "PRAGMA synchronous = OFF; CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO "
        "StringIds VALUES (1, 'k');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, shortName INTEGER);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
        std::to_string(rows) +
        ") INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 10, i * 10 + 4, 1 FROM n;";
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(handle);
    return file(name);
  }

  std::string report(const std::string& name) const {
    auto writer = report::Writer::create(file(name), {});
    EXPECT_TRUE(writer);
    EXPECT_TRUE(writer->finish());
    return file(name);
  }

  /// A program that plays nsys: prints a version, and "exports" by copying a database.
  void fake_nsys(const std::string& folder, const std::string& version, const std::string& exported) const {
    fs::create_directories(file(folder));
    write(folder + "/nsys",
          "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'NVIDIA Nsight Systems version " + version +
              "-1v0'; exit 0; fi\n[ -e hostile.py ] && exit 3\nfor a; do case $a in --output=*) "
              "out=${a#--output=};; esac; done\n[ -n \"" +
              exported + "\" ] || { echo 'Exportation error: no'; exit 1; }\ncp '" + exported +
              "' \"$out\"\n");
    ::chmod(file(folder + "/nsys").c_str(), 0755);
  }

  size_t cached() const {
    size_t files = 0;
    std::error_code missing;
    for (fs::directory_iterator at(file("cache"), missing); !missing && at != fs::directory_iterator(); ++at)
      ++files;
    return files;
  }

  std::string message(const std::string& path) {
    auto opened = open_file(path, options_);
    EXPECT_FALSE(opened) << path;
    return opened ? "" : opened.error().message;
  }

  std::string folder_;
  std::string search_path_;
  OpenOptions options_;
  std::vector<std::string> notices_;
};

uint64_t rows_of(const query::Source& source, uint16_t table) {
  uint64_t rows = 0;
  for (const report::ChunkRef& chunk : source.reader().chunks())
    if (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) && chunk.header.table == table)
      rows += chunk.header.rows;
  return rows;
}

TEST_F(Open, FilesAreKnownByContent) {
  const std::string report_header("NVIDIA Tegra Profiler Report 2023@4@4@54-234433681190v0.\n");
  EXPECT_EQ(sniff(report("named.sqlite"))->kind, FileKind::kReport);
  EXPECT_EQ(sniff(database("named.sxt", 1))->kind, FileKind::kSqlite);
  EXPECT_EQ(sniff(write("a", report_header))->kind, FileKind::kNsysReport);
  EXPECT_EQ(sniff(write("a", report_header))->made_by, "2023.4.4.54");
  EXPECT_EQ(sniff(write("b", std::string("U3w[END]NVIDIA Nsight Systems Stream 2024.1.2.3-99v0!")))->kind,
            FileKind::kNsysStream);
  EXPECT_EQ(sniff(file("b"))->made_by, "2024.1.2.3");
  EXPECT_EQ(sniff(write("c", std::string("NVR\0\2", 5)))->kind, FileKind::kNcuReport);
  EXPECT_EQ(sniff(write("d", ""))->kind, FileKind::kUnknown);
  EXPECT_EQ(sniff(write("e", "text"))->kind, FileKind::kUnknown);
  EXPECT_EQ(sniff(folder_)->kind, FileKind::kFolder);
  EXPECT_FALSE(sniff(file("missing")));
  ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0600), 0);
  EXPECT_FALSE(sniff(file("fifo")));
}

TEST_F(Open, LargeImportsSayTheirFiguresWithoutRows) {
  constexpr uint64_t kRows = 70000;
  const std::string path = database("d", 1);
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  const std::string sql =
      "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; INSERT INTO StringIds VALUES (2, 'other');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, demangledName "
      "INTEGER);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
      std::to_string(kRows) +
      ") INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 10, i * 10 + 4 + i % 3 * 7, i % 2, 1 + i % 2 FROM "
      "n;";
  ASSERT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(handle);
  auto opened = open_file(path, options_);
  ASSERT_TRUE(opened) << opened.error().message;
  query::Source& source = opened->source;
  EXPECT_TRUE(source.reader().verify().empty());

  std::map<std::pair<std::string, uint64_t>, uint64_t> counts;
  const auto take = [&](const query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i)
      counts[{std::string(source.reader().string(b.columns[0][i])), b.columns[1][i]}] += b.columns[2][i];
  };
  const auto summed_up = source.scan_summary(event::kCudaKernel, take);
  ASSERT_TRUE(summed_up && *summed_up);
  ASSERT_EQ(counts.size(), 6u);
  uint64_t rows = 0;
  for (const auto& [key, count] : counts) {
    EXPECT_TRUE(key.first == "k" || key.first == "other");
    EXPECT_TRUE(key.second == 4 || key.second == 11 || key.second == 18) << key.second;
    rows += count;
  }
  EXPECT_EQ(rows, kRows);
  EXPECT_FALSE(*source.scan_summary(event::kCudaApi, take));

  ASSERT_TRUE(source.reader().meta().contains(std::string(query::kGpuBusyKey)));
  const auto noted = query::gpu_busy(source);
  source.set_window({INT64_MIN + 1, INT64_MAX});
  const auto by_rows = query::gpu_busy(source);
  EXPECT_FALSE(*source.scan_summary(event::kCudaKernel, take));
  ASSERT_TRUE(noted && by_rows);
  EXPECT_EQ(noted->range_ns, by_rows->range_ns);
  EXPECT_EQ(noted->busy_ns, by_rows->busy_ns);
  EXPECT_EQ(noted->gpus, 2u);
  EXPECT_EQ(by_rows->gpus, 2u);
  EXPECT_LT(noted->busy_ns, 2 * noted->range_ns);
}

TEST_F(Open, AFileIsImportedOnce) {
  const std::string path = database("d", 100);
  auto first = open_file(path, options_);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(first->imported);
  EXPECT_EQ(rows_of(first->source, event::kCudaKernel), 100u);
  const std::string copy = file("copy of it");
  fs::copy_file(path, copy);
  auto second = open_file(copy, options_);
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->imported);  // the same content
  EXPECT_EQ(second->path, copy);
  EXPECT_EQ(cached(), 1u);
  auto other = open_file(database("other", 101), options_);
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->imported);
  EXPECT_EQ(cached(), 2u);
}

TEST_F(Open, DamagedImportsAreMadeAgain) {
  const std::string path = database("d", 10);
  ASSERT_TRUE(open_file(path, options_));
  const std::string import = fs::directory_iterator(file("cache"))->path().string();
  for (const uint64_t bytes : {0, 10, 200}) {
    fs::resize_file(import, bytes);
    auto again = open_file(path, options_);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->imported);
    EXPECT_EQ(rows_of(again->source, event::kCudaKernel), 10u);
  }
  fs::remove(import);  // another import in its place
  ASSERT_TRUE(open_file(database("other", 7), options_));
  for (const auto& entry : fs::directory_iterator(file("cache"))) fs::rename(entry.path(), import);
  auto again = open_file(path, options_);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->imported);
  EXPECT_EQ(rows_of(again->source, event::kCudaKernel), 10u);
}

TEST_F(Open, WithoutCacheNothingStays) {
  options_.no_cache = true;
  auto opened = open_file(database("d", 100), options_);
  ASSERT_TRUE(opened);
  EXPECT_FALSE(fs::exists(file("cache")));
  EXPECT_FALSE(fs::exists(opened->source.reader().path()));
  EXPECT_EQ(rows_of(opened->source, event::kCudaKernel), 100u);
  EXPECT_TRUE(opened->source.reader().verify().empty());
}

TEST_F(Open, TheLeastRecentlyUsedImportsGo) {
  auto cache = Cache::open(file("cache"), 10000);
  ASSERT_TRUE(cache);
  for (int i = 0; i < 5; ++i) {
    const std::string path = write("cache/" + std::to_string(i) + ".sxt", std::string(4000, 'x'));
    const timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
    ::utimensat(AT_FDCWD, path.c_str(), times, 0);
  }
  write("cache/other", std::string(4000, 'x'));
  write("cache/a.sxt.part-1-1", "");
  const timespec old[2] = {{1000, 0}, {1000, 0}};
  ::utimensat(AT_FDCWD, file("cache/a.sxt.part-1-1").c_str(), old, 0);
  EXPECT_TRUE(cache->use(file("cache/0.sxt")));  // now the newest
  cache->trim(file("cache/1.sxt"));
  EXPECT_TRUE(fs::exists(file("cache/0.sxt")));
  EXPECT_TRUE(fs::exists(file("cache/1.sxt")));  // was to be kept
  for (const char* gone : {"2.sxt", "3.sxt", "4.sxt", "a.sxt.part-1-1"})
    EXPECT_FALSE(fs::exists(file("cache/") + gone)) << gone;
  EXPECT_TRUE(fs::exists(file("cache/other")));
  EXPECT_FALSE(cache->use(file("cache/2.sxt")));
}

TEST_F(Open, ACacheThatOthersCanWriteIsNotUsed) {
  fs::create_directory(file("cache"));
  ::chmod(file("cache").c_str(), 0777);
  auto opened = open_file(database("d", 3), options_);
  ASSERT_TRUE(opened);
  EXPECT_EQ(cached(), 0u);
  ASSERT_EQ(notices_.size(), 1u);
  EXPECT_NE(notices_[0].find("can be written by others"), std::string::npos);
  fs::remove(file("cache"));
  fs::create_directory(file("elsewhere"));
  fs::create_directory_symlink(file("elsewhere"), file("cache"));
  ASSERT_TRUE(open_file(file("d"), options_));
  EXPECT_TRUE(fs::is_empty(file("elsewhere")));
}

TEST_F(Open, WhatNeedsNsysSaysSo) {
  ::setenv("PATH", (file("nothing") + ":.").c_str(), 1);
  const std::string path = write("r.nsys-rep", "NVIDIA Tegra Profiler Report 2023@4@4@54-1v0.");
  const std::string text = message(path);
  EXPECT_NE(text.find("nsys 2023.4.4.54"), std::string::npos) << text;
  EXPECT_NE(text.find("nsys export --type=sqlite"), std::string::npos);
  EXPECT_NE(message(write("s", "....[END]NVIDIA Nsight Systems Stream 2024.1.2.3-9v0")).find("nsys import"),
            std::string::npos);
  EXPECT_NE(message(write("n", std::string("NVR\0", 4))).find("ncu"), std::string::npos);
  options_.with_nsys = true;
  EXPECT_NE(message(path).find("no nsys on PATH"), std::string::npos);
}

TEST_F(Open, NsysIsAskedToExport) {
  const std::string path = write("r.nsys-rep", "NVIDIA Tegra Profiler Report 2024@2@1@3-1v0.");
  fake_nsys("old", "2024.1.9.9", database("d", 42));
  fake_nsys("new", "2024.10.0.1", file("d"));
  options_.with_nsys = true;
  ::setenv("PATH", (file("old") + ":" + search_path_).c_str(), 1);
  EXPECT_NE(message(path).find("no nsys of version 2024.2.1.3 or later on PATH, only"), std::string::npos);
  ::setenv("PATH", (file("old") + ":" + file("new") + ":" + search_path_).c_str(), 1);
  fs::create_directory(file("cwd"));
  write("cwd/hostile.py", "");
  const fs::path here = fs::current_path();
  fs::current_path(file("cwd"));  // nsys would run what it finds there
  auto opened = open_file("../r.nsys-rep", options_);
  fs::current_path(here);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(rows_of(opened->source, event::kCudaKernel), 42u);
  EXPECT_EQ(opened->source.reader().meta().at("source.path"), "../r.nsys-rep");
  options_.with_nsys = false;
  EXPECT_TRUE(open_file(path, options_));  // from the cache
  fake_nsys("new", "2024.10.0.1", "");
  options_.with_nsys = options_.no_cache = true;
  EXPECT_NE(message(path).find("Exportation error: no"), std::string::npos);
}

TEST_F(Open, NsysIsNeverTakenFromTheCurrentFolder) {
  fake_nsys("here", "2030.1.1.1", database("d", 1));
  const fs::path before = fs::current_path();
  fs::current_path(file("here"));
  for (const std::string path : {"", ".", "./", "::", "../here"})
    EXPECT_FALSE(find_nsys(path, "2020.1.1")) << path;
  EXPECT_TRUE(find_nsys(file("here"), "2020.1.1"));
  fs::current_path(before);
}

TEST_F(Open, VersionsAreCompared) {
  EXPECT_LT(version_numbers("2023.4.4.54"), version_numbers("2023.10.1"));
  EXPECT_LT(version_numbers(""), version_numbers("1"));
  EXPECT_EQ(version_numbers("2024.1.2.3-99v0"), version_numbers("2024.1.2.3"));
  EXPECT_EQ(version_numbers("x").size(), 0u);
}

TEST_F(Open, FoldersAreSearched) {
  fs::create_directories(file("f/deep"));
  fs::create_directories(file("f/r.sxt.run"));
  report("f/b.sxt");
  database("f/deep/a.sqlite", 1);
  write("f/deep/a.nsys-rep", "NVIDIA Tegra Profiler Report 2023@4@4@54-1v0.");
  write("f/text", "text");
  report("f/r.sxt.run/inner");
  fs::create_symlink(file("f/b.sxt"), file("f/link.sxt"));
  const std::string named[] = {file("f"), file("missing")};
  const auto files = expand(named);
  ASSERT_TRUE(files);
  EXPECT_EQ(*files, (std::vector<std::string>{file("f/b.sxt"), file("f/deep/a.sqlite"), file("missing")}));
  write("f/empty.sxt", "");
  EXPECT_EQ(expand(named)->size(), 3u);
  const auto all = expand(named, Take::kAllNamedSo);
  ASSERT_TRUE(all);
  EXPECT_EQ((*all)[2], file("f/empty.sxt"));
  EXPECT_EQ(all->size(), 4u);
  EXPECT_NE(message(file("f")).find("holds 2 reports"), std::string::npos);
  EXPECT_TRUE(open_file(file("f/deep"), options_));
  fs::create_directory(file("none"));
  EXPECT_NE(message(file("none")).find("no reports"), std::string::npos);
}

TEST_F(Open, ReportsAreOpenedAsTheyAre) {
  const auto opened = open_file(report("r"), options_);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->source.reader().path(), file("r"));
  EXPECT_EQ(cached(), 0u);
  EXPECT_NE(message(write("t", std::string(100, 't'))).find("no Sextant report"), std::string::npos);
  EXPECT_NE(message(file("missing")).find("missing"), std::string::npos);
}

}  // namespace
}  // namespace sextant::open
