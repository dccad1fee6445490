// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Layout of a report file (.sxt). Constants and structures only; the prose, precise enough to write a reader
// from, is docs/formats/report.md (sections are cited as §). All integers little-endian. Version 0: may still
// change.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::report {

inline constexpr char kFileMagic[8] = {'S', 'X', 'T', 'R', 'E', 'P', 'R', 'T'};
inline constexpr uint16_t kFormatMajor = 0;  // a reader refuses a higher one
inline constexpr uint16_t kFormatMinor = 3;  // additions only: a reader skips what it does not know

struct FileHeader {  // §1, offset 0
  char magic[8];
  uint16_t major;
  uint16_t minor;
  uint32_t header_bytes;  // 64; later versions may append
  uint8_t run_id[16];
  uint32_t clock_kind;  // base::ClockKind of clock domain 1
  uint32_t reserved0;
  uint64_t reserved1[2];
  uint64_t checksum;  // XXH3_64bits of the bytes before
};
static_assert(sizeof(FileHeader) == 64);

inline constexpr uint32_t kChunkMagic = 0x4B435853;  // "SXCK"
inline constexpr uint32_t kChunkAlign = 8;           // chunks start at multiples of this, zero padded

enum class ChunkKind : uint16_t {
  kMeta = 1,        // §3 key/value strings; later ones override earlier ones
  kSchema = 2,      // §4 the tables and columns of this file
  kStrings = 3,     // §5 dictionary increment
  kData = 4,        // §6 rows of one table
  kIndex = 5,       // §8 directory of all chunks before it
  kCheckpoint = 6,  // §7 provenance only: a group that produced no rows
  kSummary = 7,     // §6.1 how often each duration occurs in a table, by name
  kOverview = 8,    // §6.2 what the data chunk behind it looks like from afar
};

struct ChunkHeader {  // §2
  uint32_t magic;
  uint16_t kind;
  uint16_t flags;            // ChunkFlags
  uint16_t table;            // kData: table id
  uint16_t columns;          // kData: number of columns stored
  uint32_t rows;             // kData: rows; kStrings: strings
  uint64_t body_bytes;       // bytes that follow this header, without padding
  uint64_t time_min;         // kData: smallest value of the first kTime column, raw; 0 if there is none
  uint64_t time_max;         // kData: largest value of it (ranges: of their end)
  uint32_t clock;            // clock domain of the kTime columns: 1, or 0 if there are none
  uint32_t group;            // chunks with the same number belong together (§7)
  uint64_t body_checksum;    // XXH3_64bits of the body
  uint64_t header_checksum;  // XXH3_64bits of the bytes before
};
static_assert(sizeof(ChunkHeader) == 64);

enum ChunkFlags : uint16_t {
  kGroupEnd = 1,  // the last chunk of its group; carries the group's provenance behind its columns
};

struct ColumnHeader {  // §6: one per column, all of them first, then the payloads in the same order
  uint16_t id;
  uint8_t transform;  // Transform
  uint8_t codec;      // Codec
  uint8_t width;      // bytes a value after the transform, 0..8; 0: every stored value is 0
  uint8_t type;       // event::Type
  uint16_t partner;  // kAfterEnd, kAfter: id of the column with the durations; kByPartner: of the column that
                     // this one depends on; of the same chunk
  uint64_t base;     // kOffset, kByPartner: added to every value; kDelta: the first value; kAfterEnd: the end
                     // before the first row; kAfter: the first value
  uint64_t step;     // kDelta: added to every difference
  uint32_t raw_bytes;  // width * stored values: rows (kDelta: rows - 1; kByPartner: as many as the partner
                       // has different values)
  uint32_t stored_bytes;
};
static_assert(sizeof(ColumnHeader) == 32);

enum class Transform : uint8_t {
  kOffset = 0,     // value = base + stored
  kDelta = 1,      // value[0] = base; value[i] = value[i-1] + step + unzigzag(stored[i-1])
  kAfterEnd = 2,   // starts of ranges in the order of their ends: stored even: begins stored/2 after the end
                   // before; odd: ends so
  kByPartner = 3,  // where the partner has equal values, so has this one: base + stored for each different
                   // value of the partner, in the order in which they first occur
  kAfter = 4,      // starts of ranges: value[i] = value[i-1] + duration[i-1] + unzigzag(stored[i])
  kWithin = 5,     // value = that of the row before with the same value of the partner + unzigzag(stored)
};
inline constexpr size_t kMostOrigins = 4096;  // kWithin: different values of the partner

enum class Codec : uint8_t {
  kPlain = 0,  // byte planes: all lowest bytes, then all second bytes, ...
  kZstd = 1,   // byte planes, then one zstd frame
};

/// Columns of a kSummary chunk (§6.1), encoded as those of kData.
enum SummaryColumn : uint16_t {
  kSummaryName = 0,      // value of the table's first column of strings
  kSummaryDuration = 1,  // of its first column of durations
  kSummaryCount = 2,     // rows that have both
};

struct StringsHeader {    // §5: first in the body of kStrings; then `stored_bytes` bytes
  uint64_t first_id;      // of `rows` consecutive ids
  uint32_t raw_bytes;     // u32 length of each string, then the bytes of all
  uint32_t stored_bytes;  // equal to raw_bytes: as they are; less: one zstd frame
};
static_assert(sizeof(StringsHeader) == 16);

struct Provenance {   // §7: an entry of the table at the end of a group's last chunk: u32 count, u32 0,
                      // entries
  uint32_t instance;  // process page number of the ring's agent
  uint32_t ring;      // serial of the ring in its arena
  uint64_t first_sequence;  // records of the group: first_sequence .. first_sequence + count - 1
  uint64_t count;           // in slots
};
static_assert(sizeof(Provenance) == 24);

struct IndexEntry {  // §8
  uint64_t offset;
  ChunkHeader header;
};

struct FileTrailer {      // §8: the last 32 bytes of a finished file
  uint64_t index_offset;  // of the kIndex chunk's header
  uint64_t file_bytes;    // whole length, this trailer included
  uint64_t checksum;      // XXH3_64bits of the 16 bytes before and the magic after
  char magic[8];          // kFileMagic reversed
};
static_assert(sizeof(FileTrailer) == 32);

// Bounds that a reader checks before it allocates (§9)
inline constexpr uint32_t kMaxRows = 1u << 20;
inline constexpr uint16_t kMaxColumns = 1024;
inline constexpr uint64_t kMaxBodyBytes = 256u << 20;
inline constexpr size_t kMaxTables = 4096;
inline constexpr size_t kMaxMeta = 65536;      // keys
inline constexpr uint32_t kChunkRows = 65536;  // what a writer aims at
inline constexpr uint64_t kMaxStringRatio =
    256;  // kStrings: raw bytes at most this many times the stored ones
inline constexpr uint64_t kMaxTotalStringBytes =
    1u << 30;  // a reader keeps no more; later ids are unknown to it

}  // namespace sextant::report
