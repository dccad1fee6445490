// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "spool/run_folder_arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace sextant::spool {

namespace {

struct PoolEntry {
  uint32_t segment_class, count;
};
/// The pool that a process finds when it first records: 256 KiB for new threads, first growth and names.
constexpr std::array<PoolEntry, 3> kPool = {{{kStringClass, 1}, {2, 8}, {3, 2}}};

constexpr uint64_t pool_bytes() {
  uint64_t sum = 0;
  for (const PoolEntry& e : kPool) sum += uint64_t{e.count} * (kSegmentClass0Bytes << e.segment_class);
  return sum;
}

bool take_budget(ControlPage& control, uint64_t bytes) {
  uint64_t used = control.budget_used.fetch_add(bytes, std::memory_order_relaxed);
  if (used <= control.budget_bytes && bytes <= control.budget_bytes - used) return true;
  control.budget_used.fetch_sub(bytes, std::memory_order_relaxed);
  return false;
}

/// Never below zero: agents may have miscounted.
void give_back(ControlPage& control, uint64_t bytes) {
  uint64_t used = control.budget_used.load(std::memory_order_relaxed);
  while (!control.budget_used.compare_exchange_weak(used, used - std::min(used, bytes),
                                                    std::memory_order_relaxed)) {
  }
}

}  // namespace

Status Arena::map() {
  struct stat info {};
  if (::fstat(fd_.get(), &info) != 0) return fail_errno(errno, "arena");
  if (!S_ISREG(info.st_mode) || info.st_size < static_cast<off_t>(kSegmentsOffset))
    return fail(ErrorCode::kCorrupt, "arena: too short");
  // The whole reserve is mapped at once, so that growth costs nothing; what lies behind the end of the file
  // is not touched.
  uint64_t reserve =
      std::clamp<uint64_t>(folder_->control().arena_reserve_bytes, kSegmentsOffset, uint64_t{1} << 40);
  reserve = std::max<uint64_t>(reserve, static_cast<uint64_t>(info.st_size));
  void* address = ::mmap(nullptr, reserve, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  if (address == MAP_FAILED) return fail_errno(errno, "arena: cannot map");
  mapping_ = base::Mapping(address, reserve);
  reader_ = ArenaReader(mapping_.data(), static_cast<uint64_t>(info.st_size) & ~uint64_t{kPageBytes - 1});
  return {};
}

Result<Arena> Arena::make(RunFolder& folder, uint32_t number) {
  Arena arena(folder);
  constexpr uint64_t kBytes = kSegmentsOffset + pool_bytes();
  if (!take_budget(folder.control(), kBytes)) return fail(ErrorCode::kDenied, "--buffer-size is used up");
  std::string name = "free-" + std::to_string(number);
  arena.fd_ =
      base::Fd(::openat(folder.fd(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  Status status;
  if (!arena.fd_.valid())
    status = fail_errno(errno, folder.path() + "/" + name);
  else if (status = folder.hand_over(arena.fd_.get()); status)
    status = allocate(arena.fd_.get(), 0, kBytes);
  if (status) status = arena.map();
  if (!status) {
    ::unlinkat(folder.fd(), name.c_str(), 0);
    give_back(folder.control(), kBytes);
    return tl::unexpected<Error>(std::move(status).error());
  }
  populate(arena.mapping_.data(), kBytes);
  ArenaHeader& header = arena.header();
  header.version = kVersion;
  header.arena_number = number;
  uint64_t offset = kSegmentsOffset;
  uint32_t index = 0;
  for (const PoolEntry& entry : kPool) {
    for (uint32_t i = 0; i < entry.count; ++i, ++index) {
      SegmentDescriptor& d = arena.descriptor(index);
      d.size_bytes = static_cast<uint32_t>(kSegmentClass0Bytes << entry.segment_class);
      d.offset = offset;
      offset += d.size_bytes;
      d.state.store(static_cast<uint32_t>(SegmentState::kFree), std::memory_order_relaxed);
      header.offers[index].store(1 + index, std::memory_order_relaxed);
    }
  }
  header.file_bytes.store(offset, std::memory_order_relaxed);
  header.segment_count.store(index, std::memory_order_relaxed);
  __atomic_store_n(&header.magic, kArenaMagic, __ATOMIC_RELEASE);
  return arena;
}

Result<Arena> Arena::open(RunFolder& folder, const std::string& file_name) {
  Arena arena(folder);
  arena.fd_ =
      base::Fd(::openat(folder.fd(), file_name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!arena.fd_.valid()) return fail_errno(errno, folder.path() + "/" + file_name);
  SEXTANT_TRY(arena.map());
  if (!arena.reader_.valid())
    return fail(ErrorCode::kCorrupt, folder.path() + "/" + file_name + ": not an arena");
  return arena;
}

SegmentDescriptor& Arena::descriptor(uint32_t index) {
  return reinterpret_cast<SegmentDescriptor*>(mapping_.data() + kDescriptorsOffset)[index];
}

void Arena::refresh() {
  struct stat info {};
  if (::fstat(fd_.get(), &info) != 0) return;
  uint64_t bytes = std::min<uint64_t>(static_cast<uint64_t>(info.st_size), mapping_.size());
  reader_.set_bytes(bytes & ~uint64_t{kPageBytes - 1});
}

void Arena::count_offers(uint32_t* counts) const {
  std::fill_n(counts, kSegmentClasses, 0u);
  const auto& header = *reinterpret_cast<const ArenaHeader*>(mapping_.data());
  for (const Shared<uint32_t>& offer : header.offers) {
    uint32_t index = offer.load(std::memory_order_relaxed);
    Segment segment;
    bool damaged;
    if (index != 0 && reader_.segment(index - 1, &segment, &damaged)) ++counts[segment.segment_class];
  }
}

bool Arena::offer(uint32_t index) {
  for (Shared<uint32_t>& place : header().offers) {
    uint32_t empty = 0;
    if (place.compare_exchange_strong(empty, 1 + index, std::memory_order_release, std::memory_order_relaxed))
      return true;
  }
  return false;
}

bool Arena::add_segment(uint32_t segment_class) {
  uint64_t bytes = kSegmentClass0Bytes << segment_class;
  if (header().segment_count.load(std::memory_order_relaxed) >= kMaxSegments) return false;
  if (std::all_of(std::begin(header().offers), std::end(header().offers),
                  [](const auto& o) { return o.load() != 0; }))
    return false;
  if (!take_budget(folder_->control(), bytes)) return false;
  auto refuse = [&] {
    give_back(folder_->control(), bytes);
    return false;
  };
  uint64_t offset = header().file_bytes.load(std::memory_order_relaxed);
  do {
    if (offset % kPageBytes != 0 || offset < kSegmentsOffset || offset > mapping_.size() ||
        bytes > mapping_.size() - offset)
      return refuse();
  } while (!header().file_bytes.compare_exchange_weak(offset, offset + bytes, std::memory_order_relaxed));
  if (!allocate(fd_.get(), offset, bytes)) return refuse();
  uint32_t index = header().segment_count.fetch_add(1, std::memory_order_relaxed);
  if (index >= kMaxSegments) return refuse();
  refresh();
  populate(mapping_.data() + offset, bytes);
  SegmentDescriptor& d = descriptor(index);
  d.size_bytes = static_cast<uint32_t>(bytes);
  d.offset = offset;
  d.state.store(static_cast<uint32_t>(SegmentState::kFree), std::memory_order_release);
  offer(index);
  return true;
}

void Arena::recycle(const Segment& segment) {
  SegmentDescriptor& d = descriptor(segment.index);
  // In this order, so that a kill in between leaves a segment that recovery passes over.
  d.state.store(static_cast<uint32_t>(SegmentState::kRecycling), std::memory_order_release);
  std::memset(const_cast<Slot*>(segment.data), 0, uint64_t{segment.slots} * kSlotBytes);
  __atomic_store_n(&d.used, 0u, __ATOMIC_RELAXED);
  d.consumed.store(0, std::memory_order_relaxed);
  d.state.store(static_cast<uint32_t>(SegmentState::kFree), std::memory_order_release);
  offer(segment.index);
}

void Arena::retire(const Segment& segment) {
  descriptor(segment.index)
      .state.store(static_cast<uint32_t>(SegmentState::kRecycling), std::memory_order_release);
}

void Arena::release(const std::string& file_name) {
  refresh();
  give_back(folder_->control(), file_bytes());
  mapping_.reset();
  fd_.reset();
  reader_ = ArenaReader();
  ::unlinkat(folder_->fd(), file_name.c_str(), 0);
}

}  // namespace sextant::spool
