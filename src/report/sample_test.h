// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Small reports for the tests of this folder.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "report/reader.h"
#include "report/writer.h"

namespace sextant::report::test {

/// A folder of its own that goes away with the object.
class Folder {
 public:
  Folder() {
    const bool memory = ::access("/dev/shm", W_OK) == 0;  // thousands of small files
    path_ = std::string(memory ? "/dev/shm" : "/tmp") + "/sextant-report-XXXXXX";
    (void)!::mkdtemp(path_.data());
  }
  ~Folder() { (void)!::system(("rm -rf " + path_).c_str()); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// `count` ranges of a loop whose names, times and values depend on `seed` only.
inline Rows ranges(Writer* writer, size_t count, uint64_t seed) {
  Rows rows(*event::find_table(event::kNvtxRange));
  uint64_t time = 1'000'000'000 + seed * 1'000'000;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t duration = 100 + (i * 2654435761u + seed) % 5000;
    rows.column(event::nvtx::kProcessId).push_back(seed + 1);
    rows.column(event::nvtx::kTid).push_back(77);
    rows.column(event::nvtx::kStart).push_back(time);
    rows.column(event::nvtx::kDuration).push_back(duration);
    rows.column(event::nvtx::kName)
        .push_back(writer->string_id("range " + std::to_string((i * 7 + seed) % 13)));
    rows.column(event::nvtx::kLevel).push_back(i % 3);
    time += duration + 37;
  }
  return rows;
}

/// All that a reader gets out of a file, to be compared: rows by table and column, meta, provenance.
struct Content {
  std::map<std::string, std::string> meta;
  std::map<std::pair<int, int>, std::vector<std::string>> columns;
  std::vector<std::pair<uint64_t, uint64_t>> provenance;
  size_t unreadable = 0;  // chunks
  bool operator==(const Content&) const = default;
};

inline Content content(const Reader& reader) {
  Content all{.meta = reader.meta()};
  for (const ChunkRef& chunk : reader.chunks()) {
    const bool data = chunk.header.kind == static_cast<uint16_t>(ChunkKind::kData);
    const event::Table* table = data ? event::find_table(chunk.header.table) : nullptr;
    std::vector<std::vector<uint64_t>> values(table != nullptr ? table->columns.size() : 0);
    bool whole = true;
    for (size_t i = 0; i < values.size(); ++i)
      whole = whole && reader.read_column(chunk, table->columns[i].id, &values[i]).has_value();
    if (chunk.header.flags & kGroupEnd) {
      const auto entries = reader.provenance(chunk);
      whole = whole && entries.has_value();
      for (const Provenance& p : entries.value_or(std::vector<Provenance>{}))
        all.provenance.emplace_back(p.first_sequence, p.count);
    }
    if (!whole) {
      ++all.unreadable;
      continue;
    }
    for (size_t i = 0; i < values.size(); ++i) {
      auto& column = all.columns[{table->id, table->columns[i].id}];
      const bool text = table->columns[i].type == event::Type::kString;
      for (uint64_t v : values[i]) column.push_back(text ? std::string(reader.string(v)) : std::to_string(v));
    }
  }
  return all;
}

/// Three groups with rows, one checkpoint and two key/value pairs.
inline void write_sample(const std::string& path, bool finish) {
  auto writer = Writer::create(path, {.clock_kind = 1});
  ASSERT_TRUE(writer) << writer.error().message;
  ASSERT_TRUE(writer->write_meta("host", "somewhere"));
  for (uint64_t g = 0; g < 3; ++g) {
    const Rows rows = ranges(&*writer, 5 + g * 20, g);
    Rows thread(*event::find_table(event::kThread));
    thread.column(event::thread::kTid).push_back(77 + g);
    thread.column(event::thread::kName).push_back(writer->string_id("thread " + std::to_string(g)));
    const Rows* parts[] = {&rows, &thread};
    const Provenance from[] = {{1, 2, g * 100, 50}, {1, 3, g * 10, 5}};
    ASSERT_TRUE(writer->write_group(parts, from));
  }
  const Provenance idle[] = {{1, 2, 300, 4}};
  ASSERT_TRUE(writer->write_group({}, idle));
  ASSERT_TRUE(writer->write_meta("state", "done"));
  if (finish) {
    ASSERT_TRUE(writer->finish());
  }
}

}  // namespace sextant::report::test
