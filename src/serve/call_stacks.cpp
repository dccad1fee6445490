// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/call_stacks.h"

#include <algorithm>
#include <array>

#include "event/schema_system.h"

namespace sextant::serve {

namespace {

using namespace event::call_frame;
using Columns = std::vector<std::vector<uint64_t>>;

/// Frames of one chain after the other: a chain may go on in the next chunk.
class Chains {
 public:
  explicit Chains(const std::function<void(uint64_t, const std::vector<Frame>&)>& use) : use_(use) {}
  void add(uint64_t chain, const Frame& frame) {
    if (!frames_.empty() && chain != chain_) finish();
    chain_ = chain;
    frames_.push_back(frame);
  }
  void finish() {
    if (frames_.empty()) return;
    std::stable_sort(frames_.begin(), frames_.end(),
                     [](const Frame& a, const Frame& b) { return a.depth < b.depth; });
    use_(chain_, frames_);
    frames_.clear();
  }

 private:
  const std::function<void(uint64_t, const std::vector<Frame>&)>& use_;
  uint64_t chain_ = 0;
  std::vector<Frame> frames_;
};

/// False: the chunk is damaged.
Result<bool> read(const query::Source& source, const report::ChunkRef& chunk,
                  const std::vector<uint16_t>& ids, Columns* columns) {
  columns->resize(ids.size());
  if (const Status done = source.reader().read_columns(chunk, ids, *columns); !done) {
    SEXTANT_TRY(source.skip(chunk, done.error()));
    return false;
  }
  return true;
}

}  // namespace

Status scan_stacks(const query::Source& source, ChainSource source_of,
                   const std::function<bool(uint64_t)>& wanted,
                   const std::function<void(uint64_t, const std::vector<Frame>&)>& use) {
  Chains chains(use);
  Columns keys, rest;
  for (const report::ChunkRef& chunk : source.reader().chunks()) {
    const report::ChunkHeader& h = chunk.header;
    if (h.kind != static_cast<uint16_t>(report::ChunkKind::kData) || h.table != event::kCallFrame) continue;
    SEXTANT_ASSIGN(const bool there, read(source, chunk, {kSource, kChain}, &keys));
    if (!there) continue;
    const auto fits = [&](size_t i) {
      return keys[0][i] == static_cast<uint64_t>(source_of) && wanted(keys[1][i]);
    };
    size_t first = 0;
    while (first < keys[0].size() && !fits(first)) ++first;
    if (first == keys[0].size()) continue;
    SEXTANT_ASSIGN(const bool whole,
                   read(source, chunk, {kSymbol, kModule, kDepth, kKernelMode, kAddress}, &rest));
    if (!whole) continue;
    for (size_t i = first; i < keys[0].size(); ++i)
      if (fits(i)) chains.add(keys[1][i], {rest[0][i], rest[1][i], rest[2][i], rest[3][i] != 0, rest[4][i]});
  }
  chains.finish();
  return {};
}

Result<std::vector<Frame>> stack_of(const query::Source& source, const StoredRow& row, bool* at_sample) {
  struct Of {
    uint16_t table;
    ChainSource source;
    std::string_view column;
  };
  constexpr std::array kOf = {Of{event::kCpuSample, ChainSource::kSample, "sample"},
                              Of{event::kOsrtCall, ChainSource::kOsrtCall, "call_chain"},
                              Of{event::kCudaApi, ChainSource::kCudaApi, "call_chain"},
                              Of{event::kSyscall, ChainSource::kSyscall, "call_chain"}};
  std::vector<Frame> out;
  for (const Of& of : kOf) {
    const auto wanted = of.table == row.table->id ? row.value(of.column) : std::nullopt;
    if (!wanted) continue;
    if (at_sample != nullptr) *at_sample = of.source == ChainSource::kSample;
    SEXTANT_TRY(scan_stacks(
        source, of.source, [&](uint64_t chain) { return chain == *wanted; },
        [&](uint64_t, const std::vector<Frame>& frames) {
          out.insert(out.end(), frames.begin(), frames.end());
        }));
  }
  return out;
}

}  // namespace sextant::serve
