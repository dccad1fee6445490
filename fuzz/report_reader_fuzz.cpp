// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a report: read everything there is, then append to it as recovery does and read again. Each
// input is tried as it is and with its checksums made right, so that the code behind them is reached.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/fd.h"
#include "report/checksum.h"
#include "report/reader.h"
#include "report/writer.h"

namespace {

using namespace sextant::report;

void repair(std::vector<uint8_t>* bytes) {
  uint8_t* data = bytes->data();
  const size_t size = bytes->size();
  if (size >= sizeof(FileHeader)) {
    FileHeader header;
    std::memcpy(&header, data, sizeof(header));
    std::memcpy(header.magic, kFileMagic, sizeof(kFileMagic));
    header.major = kFormatMajor;
    header.checksum = checksum(header);
    std::memcpy(data, &header, sizeof(header));
  }
  for (size_t at = sizeof(FileHeader); at + sizeof(ChunkHeader) <= size; at += kChunkAlign) {
    ChunkHeader header;
    std::memcpy(&header, data + at, sizeof(header));
    if (header.magic != kChunkMagic) continue;
    if (header.body_bytes <= size - at - sizeof(header))
      header.body_checksum = checksum(data + at + sizeof(header), header.body_bytes);
    header.header_checksum = checksum(header);
    std::memcpy(data + at, &header, sizeof(header));
  }
  if (size >= sizeof(FileTrailer)) {
    FileTrailer trailer;
    std::memcpy(&trailer, data + size - sizeof(trailer), sizeof(trailer));
    trailer.checksum = checksum(trailer);
    std::memcpy(data + size - sizeof(trailer), &trailer, sizeof(trailer));
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

void read_all(const Reader& reader) {
  std::vector<uint64_t> values;
  for (const ChunkRef& chunk : reader.chunks()) {
    (void)reader.provenance(chunk);
    for (uint16_t column = 0; column < 18; ++column) {
      if (!reader.read_column(chunk, column, &values)) continue;
      require(values.size() == chunk.header.rows);
      for (size_t i = 0; i < values.size(); i += 97) (void)reader.string(values[i]).size();
    }
  }
  (void)reader.verify();
}

void try_report(const std::vector<uint8_t>& bytes) {
  sextant::base::Fd fd(::memfd_create("fuzz", 0));
  require(::write(fd.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  const std::string path = "/proc/self/fd/" + std::to_string(fd.get());
  auto reader = Reader::open(path);
  if (reader) read_all(*reader);

  std::vector<Provenance> done;
  auto writer = Writer::reopen(path, &done);
  require(writer.has_value() <= reader.has_value());
  if (!writer) return;
  Rows rows(*sextant::event::find_table(sextant::event::kThread));
  rows.column(sextant::event::thread::kName) = {writer->string_id("recovered")};
  const Rows* parts[] = {&rows};
  require(writer->write_group(parts, {}).has_value() && writer->finish().has_value());
  auto again = Reader::open(path);
  require(again.has_value());
  require(again->complete());
  require(again
              ->read_column(again->chunks()[again->chunks().size() - 2], sextant::event::thread::kName,
                            &rows.columns[0])
              .has_value());
  require(again->string(rows.columns[0][0]) == "recovered");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> bytes(data, data + size);
  try_report(bytes);
  repair(&bytes);
  try_report(bytes);
  return 0;
}
