// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/dictionary.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "report/column_codec.h"

namespace sextant::report {

namespace {

void append(std::vector<uint8_t>* out, const void* data, size_t bytes) {
  const auto* from = static_cast<const uint8_t*>(data);
  out->insert(out->end(), from, from + bytes);
}

uint32_t load_u32(const uint8_t* from) {
  uint32_t value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

}  // namespace

void encode_strings(uint64_t first_id, std::span<const std::string_view> strings, int zstd_level,
                    std::vector<uint8_t>* out) {
  std::vector<uint8_t> raw;
  for (std::string_view s : strings) {
    const auto length = static_cast<uint32_t>(s.size());
    append(&raw, &length, sizeof(length));
  }
  for (std::string_view s : strings) append(&raw, s.data(), s.size());

  std::vector<uint8_t> packed(ZSTD_compressBound(raw.size()));
  const size_t bytes = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), zstd_level);
  const bool use = !ZSTD_isError(bytes) && bytes < raw.size() && raw.size() <= bytes * kMaxStringRatio;
  StringsHeader header{first_id, static_cast<uint32_t>(raw.size()),
                       static_cast<uint32_t>(use ? bytes : raw.size())};
  append(out, &header, sizeof(header));
  append(out, use ? packed.data() : raw.data(), header.stored_bytes);
}

Status Dictionary::add(std::span<const uint8_t> body, uint32_t rows) {
  StringsHeader header;
  if (body.size() < sizeof(header)) return fail(ErrorCode::kCorrupt, "strings without header");
  std::memcpy(&header, body.data(), sizeof(header));
  const std::span<const uint8_t> stored = body.subspan(sizeof(header));
  if (header.stored_bytes != stored.size() || header.raw_bytes > kMaxBodyBytes ||
      header.raw_bytes < header.stored_bytes || header.raw_bytes > kMaxStringRatio * header.stored_bytes ||
      header.raw_bytes / sizeof(uint32_t) < rows)
    return fail(ErrorCode::kCorrupt, "strings whose lengths contradict each other");
  if (header.first_id < next_id_ || header.first_id + rows < header.first_id)
    return fail(ErrorCode::kCorrupt, "strings with ids that were given before");
  // 4 bytes for the end of each string on top of its length and text
  const uint64_t memory = uint64_t{header.raw_bytes} + uint64_t{rows} * sizeof(uint32_t);
  if (total_bytes_ + memory > kMaxTotalStringBytes)
    return fail(ErrorCode::kUnsupported, "more strings than this release keeps in memory");

  Block block{.first_id = header.first_id};
  block.bytes.resize(header.raw_bytes);
  if (header.stored_bytes == header.raw_bytes) {
    std::copy(stored.begin(), stored.end(), block.bytes.begin());
  } else {
    SEXTANT_TRY(decompress_exactly(stored, block.bytes.data(), block.bytes.size()));
  }
  block.text_offset = rows * sizeof(uint32_t);
  block.ends.reserve(rows);
  uint64_t end = block.text_offset;
  for (uint32_t i = 0; i < rows; ++i) {
    end += load_u32(block.bytes.data() + i * sizeof(uint32_t));
    if (end > block.bytes.size()) return fail(ErrorCode::kCorrupt, "a string that is longer than its chunk");
    block.ends.push_back(static_cast<uint32_t>(end));
  }
  total_bytes_ += memory;
  count_ += rows;
  next_id_ = header.first_id + rows;
  blocks_.push_back(std::move(block));
  return {};
}

const Dictionary::Block* Dictionary::block_of(uint64_t id) const {
  auto after = std::upper_bound(blocks_.begin(), blocks_.end(), id,
                                [](uint64_t wanted, const Block& block) { return wanted < block.first_id; });
  if (after == blocks_.begin()) return nullptr;
  const Block& block = *std::prev(after);
  return id - block.first_id < block.ends.size() ? &block : nullptr;
}

bool Dictionary::has(uint64_t id) const {
  return id == 0 || block_of(id) != nullptr;
}

std::string_view Dictionary::find(uint64_t id) const {
  if (id == 0) return "";
  const Block* block = block_of(id);
  return block != nullptr ? block->text(id - block->first_id) : "(unknown string)";
}

void encode_meta(std::string_view key, std::string_view value, std::vector<uint8_t>* out) {
  const uint32_t lengths[2] = {static_cast<uint32_t>(key.size()), static_cast<uint32_t>(value.size())};
  append(out, lengths, sizeof(lengths));
  append(out, key.data(), key.size());
  append(out, value.data(), value.size());
}

bool parse_meta(std::span<const uint8_t> body, std::map<std::string, std::string>* meta) {
  while (!body.empty()) {
    if (body.size() < 8) return false;
    const uint64_t key = load_u32(body.data());
    const uint64_t value = load_u32(body.data() + 4);
    body = body.subspan(8);
    if (key + value > body.size() || meta->size() >= kMaxMeta) return false;
    const auto* text = reinterpret_cast<const char*>(body.data());
    (*meta)[std::string(text, key)] = std::string(text + key, value);
    body = body.subspan(key + value);
  }
  return true;
}

}  // namespace sextant::report
