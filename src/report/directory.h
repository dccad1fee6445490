// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which chunks a report file has (§2, §7, §8): by its index where that can be trusted, else by walking from
// header to header and searching on after damage. Reader, verify and Writer::reopen all stand on this.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/format.h"
#include "report/reader.h"

namespace sextant::report {

struct Directory {
  FileHeader header{};
  uint64_t file_bytes = 0;       // when it was read
  std::vector<ChunkRef> chunks;  // in file order
  std::vector<Damage> damage;
  bool complete = false;          // valid trailer, and nothing behind it
  bool by_index = false;          // `chunks` are the index's, not found by walking
  uint64_t content_end = 0;       // behind the last chunk of the last whole group: where an appender goes on
  uint64_t unfinished_bytes = 0;  // from there to the end of a file without trailer, unless it is damage
};

enum class Lookup { kIndexThenWalk, kWalk };

/// Errors: kIo, kCorrupt, kUnsupported, with `path` in the message.
Result<Directory> read_directory(int fd, const std::string& path, Lookup lookup);

/// Exactly `bytes` bytes at `offset`. Errors: kIo, also when the file ends before.
Status read_exactly(int fd, uint64_t offset, void* to, size_t bytes);

/// The body of a chunk, after its checksum was found right. Errors: kIo, kCorrupt.
Status read_body(int fd, const ChunkRef& chunk, std::vector<uint8_t>* body);

/// Adds an entry; beyond kMaxDamageEntries it is merged into the last one, so that hostile files cannot fill
/// the memory.
inline constexpr size_t kMaxDamageEntries = 1000;
void add_damage(std::vector<Damage>* list, uint64_t offset, uint64_t bytes, std::string what);

}  // namespace sextant::report
