// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "importers/duration_counts.h"

#include <algorithm>
#include <tuple>

namespace sextant::importers {

namespace {

constexpr uint64_t kFewestRows = 65536;    // fewer are summed up in no time
constexpr uint64_t kRowsForADuration = 4;  // on average, at least

size_t hash(uint64_t name, uint64_t high) {
  return (name * 0x9E3779B97F4A7C15u + high * 0xD6E8FEB86659FD93u) >> 32;
}

}  // namespace

DurationCounts::DurationCounts(const event::Table& table) : table_(table) {
  for (size_t i = table.columns.size(); i-- > 0;) {
    if (table.columns[i].type == event::Type::kString) name_at_ = i;
    if (table.columns[i].type == event::Type::kDuration) duration_at_ = i;
  }
}

bool DurationCounts::wanted(const event::Table& table) {
  return table.id == event::kCudaKernel || table.id == event::kCudaApi;
}

void DurationCounts::give_up() {
  given_up_ = true;
  slots_ = {};
  counts_ = {};
}

void DurationCounts::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.page == 0) continue;
    size_t at = hash(slot.name, slot.high) & (slots_.size() - 1);
    while (slots_[at].page != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

/// The page's number; kMostPages when there is no room for it.
uint32_t DurationCounts::page_of(uint64_t name, uint64_t high) {
  size_t at = hash(name, high) & (slots_.size() - 1);
  for (; slots_[at].page != 0; at = (at + 1) & (slots_.size() - 1))
    if (slots_[at].name == name && slots_[at].high == high) return slots_[at].page - 1;
  if (pages_ == kMostPages) return kMostPages;
  slots_[at] = {name, high, static_cast<uint32_t>(++pages_)};
  counts_.resize(pages_ * kPage);
  if (pages_ * 2 > slots_.size()) grow();
  return static_cast<uint32_t>(pages_ - 1);
}

void DurationCounts::add(const report::Rows& batch) {
  if (given_up_) return;
  const std::vector<uint64_t>&names = batch.columns[name_at_], &durations = batch.columns[duration_at_];
  rows_ += batch.count();
  if (names.size() != durations.size()) return give_up();  // one of them is missing in the source
  for (size_t i = 0; i < names.size(); ++i) {
    const uint32_t page = page_of(names[i], durations[i] >> kPageBits);
    if (page == kMostPages) return give_up();
    uint32_t& count = counts_[page * kPage + durations[i] % kPage];
    if (++count == UINT32_MAX) return give_up();
  }
}

Status DurationCounts::write(report::Writer& writer) {
  if (given_up_ || rows_ < kFewestRows) return {};
  const auto different = static_cast<uint64_t>(counts_.size()) -
                         static_cast<uint64_t>(std::count(counts_.begin(), counts_.end(), uint32_t{0}));
  if (different * kRowsForADuration > rows_) return {};
  std::erase_if(slots_, [](const Slot& slot) { return slot.page == 0; });
  std::sort(slots_.begin(), slots_.end(),
            [](const Slot& a, const Slot& b) { return std::tie(a.name, a.high) < std::tie(b.name, b.high); });
  std::vector<report::Writer::NamedDuration> rows;
  rows.reserve(different);
  for (const Slot& slot : slots_) {
    for (size_t low = 0; low < kPage; ++low)
      if (const uint32_t count = counts_[(slot.page - 1) * kPage + low]; count > 0)
        rows.push_back({slot.name, slot.high << kPageBits | low, count});
  }
  give_up();  // the memory
  return writer.write_summary(table_, rows);
}

}  // namespace sextant::importers
