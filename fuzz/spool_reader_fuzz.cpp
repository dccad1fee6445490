// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A run folder as a hostile program may leave it: one process page and its arena. A sound image is made, the
// input patches it: (region u8, offset u16, length u8, bytes) again and again. First the bare reader goes
// over it in memory of exactly its size, then recovery over the same bytes in files.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "collector/collector.h"
#include "spool/reader.h"
#include "spool/run_folder.h"

namespace {

using namespace sextant;

constexpr uint32_t kSegments = 4;
constexpr size_t kSegmentBytes = spool::kSegmentClass0Bytes;
constexpr size_t kArenaBytes = spool::kSegmentsOffset + kSegments * kSegmentBytes;
constexpr uint32_t kDeadPid = 0x3fffffff;

struct Image {
  std::unique_ptr<uint8_t[]> page{new uint8_t[spool::kPageBytes + spool::kPageBytes]()};
  std::unique_ptr<uint8_t[]> arena{new uint8_t[kArenaBytes + spool::kPageBytes]()};

  static uint8_t* aligned(const std::unique_ptr<uint8_t[]>& memory) {
    return reinterpret_cast<uint8_t*>((reinterpret_cast<uintptr_t>(memory.get()) + spool::kPageBytes - 1) &
                                      ~uintptr_t{spool::kPageBytes - 1});
  }
  uint8_t* page_bytes() { return aligned(page); }
  uint8_t* arena_bytes() { return aligned(arena); }
};

uint64_t* word(Image& image, uint32_t segment, uint32_t slot) {
  return reinterpret_cast<uint64_t*>(image.arena_bytes() + spool::kSegmentsOffset + segment * kSegmentBytes +
                                     slot * 16);
}

void put(Image& image, uint32_t slot, uint64_t stamp, spool::Kind kind, uint32_t name, uint64_t slots,
         uint64_t flags) {
  word(image, 1, slot)[0] = stamp << 8 | static_cast<uint8_t>(kind);
  word(image, 1, slot)[1] = name | slots << 48 | flags << 56;
}

void make_sound(Image& image) {
  auto& page = *reinterpret_cast<spool::ProcessPage*>(image.page_bytes());
  page.magic = spool::kProcessMagic;
  page.version = spool::kVersion;
  page.origin = 1;
  page.pid = kDeadPid;
  page.start_time = 7;
  page.arena.store(1);
  page.state.store(static_cast<uint32_t>(spool::PageState::kLive));
  auto& header = *reinterpret_cast<spool::ArenaHeader*>(image.arena_bytes());
  header.magic = spool::kArenaMagic;
  header.version = spool::kVersion;
  header.segment_count.store(kSegments);
  header.file_bytes.store(kArenaBytes);
  auto* descriptors =
      reinterpret_cast<spool::SegmentDescriptor*>(image.arena_bytes() + spool::kDescriptorsOffset);
  for (uint32_t i = 0; i < kSegments; ++i) {
    descriptors[i].size_bytes = kSegmentBytes;
    descriptors[i].offset = spool::kSegmentsOffset + i * kSegmentBytes;
    descriptors[i].tid = 5;
    descriptors[i].ring = 1;
    descriptors[i].first_sequence = (i - 1) * 256;
    descriptors[i].used = i == 1 ? 12 : 0;
    descriptors[i].state.store(
        static_cast<uint32_t>(i == 0 ? spool::SegmentState::kStrings : spool::SegmentState::kRing));
  }
  word(image, 0, 0)[0] = 5;  // a name of four bytes
  std::memcpy(word(image, 0, 0) + 1, "name", 4);
  const uint32_t name = spool::kSegmentsOffset / 16;
  put(image, 0, 10, spool::Kind::kPush, name, 1, 0);
  put(image, 1, 20, spool::Kind::kPush, name, 3, spool::kHasAttributes);
  put(image, 4, 30, spool::Kind::kPop, 0, 1, 0);
  put(image, 5, 40, spool::Kind::kStart, name, 2, 0);
  put(image, 7, 50, spool::Kind::kEnd, 0, 2, 0);
  put(image, 9, 60, spool::Kind::kDomain, name, 1, 0);
  put(image, 10, 70, spool::Kind::kThreadName, name, 2, 0);
}

void patch(Image& image, const uint8_t* data, size_t size) {
  while (size >= 4) {
    struct Region {
      uint8_t* begin;
      size_t bytes;
    };
    const Region regions[4] = {{image.page_bytes(), spool::kPageBytes},
                               {image.arena_bytes(), spool::kPageBytes},
                               {image.arena_bytes() + spool::kDescriptorsOffset, kSegments * 64},
                               {image.arena_bytes() + spool::kSegmentsOffset, kSegments * kSegmentBytes}};
    const Region& region = regions[data[0] % 4];
    const size_t offset = (data[1] | data[2] << 8) % region.bytes;
    const size_t length = std::min({size_t{data[3]}, size - 4, region.bytes - offset});
    std::memcpy(region.begin + offset, data + 4, length);
    data += 4 + length;
    size -= 4 + length;
  }
}

void read_bare(Image& image) {
  spool::PageCopy copy;
  (void)spool::copy_page(*reinterpret_cast<spool::ProcessPage*>(image.page_bytes()), &copy);
  spool::ArenaReader reader(image.arena_bytes(), kArenaBytes);
  if (!reader.valid()) return;
  std::string name;
  for (uint32_t i = 0; i < reader.segment_count(); ++i) {
    spool::Segment segment;
    bool damaged;
    if (!reader.segment(i, &segment, &damaged)) continue;
    const uint32_t used = reader.used(segment);
    for (uint32_t at = 0; at < used;) {
      spool::Record record;
      spool::Found found = spool::next_record(segment.data + at, used - at, &record);
      if (found == spool::Found::kRecord) {
        (void)reader.name(record.name, &name);
        for (uint32_t s = 1; s < record.slots; ++s) (void)spool::value_slot(record, s);
      }
      at += record.slots;
      if (record.slots == 0) std::abort();
    }
  }
}

void recover_files(Image& image) {
  static const std::string place = "/dev/shm/sextant-fuzz-" + std::to_string(::getpid());
  std::filesystem::remove_all(place);
  std::filesystem::create_directory(place);
  {
    spool::RunFolder::Options how;
    how.budget_bytes = 1u << 20;
    auto folder = spool::RunFolder::create(place + "/run", how);
    if (!folder || !folder->add_pages(1)) std::abort();
    std::memcpy(static_cast<void*>(folder->page(0)), image.page_bytes(), spool::kPageBytes);
    spool::PageCopy copy;
    if (spool::copy_page(*folder->page(0), &copy) && copy.pid > (1u << 22)) {  // never somebody who lives
      std::ofstream file(place + "/run/" + spool::arena_file_name(copy.pid, copy.start_time, 0),
                         std::ios::binary);
      file.write(reinterpret_cast<const char*>(image.arena_bytes()), kArenaBytes);
    }
  }
  auto folder = spool::RunFolder::open(place + "/run");
  auto writer = report::Writer::create(place + "/r.sxt", {});
  if (!folder || !writer) std::abort();
  collector::Collector collector(std::move(*folder), std::move(*writer), {{}, true});
  collector.adopt({});
  collector.pass();
  if (!collector.finish(false)) std::abort();
  (void)collector.verdict();
  std::filesystem::remove_all(place);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Image image;
  make_sound(image);
  patch(image, data, size);
  read_bare(image);
  recover_files(image);
  return 0;
}
