// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A run folder as a hostile program may leave it: one process page and its arena. A sound image is made, the
// input patches it: (region u8, offset u16, length u8, bytes) again and again. First the bare reader goes
// over it in memory of exactly its size, then recovery over the same bytes in files.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "collector/collector.h"
#include "event/osrt_functions.h"
#include "spool/opencl.h"
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
         uint64_t flags, uint64_t domain = 0) {
  word(image, 1, slot)[0] = stamp << 8 | static_cast<uint8_t>(kind);
  word(image, 1, slot)[1] = name | domain << 32 | slots << 48 | flags << 56;
}

/// Behind the first slot of a record.
void put_values(Image& image, uint32_t slot, std::initializer_list<uint64_t> words) {
  std::copy(words.begin(), words.end(), word(image, 1, slot + 1));
}

/// The id of a string in the first segment.
uint32_t put_string(Image& image, uint32_t slot, std::string_view bytes) {
  word(image, 0, slot)[0] = bytes.size() + 1;
  std::memcpy(word(image, 0, slot) + 1, bytes.data(), bytes.size());
  return spool::kSegmentsOffset / 16 + slot;
}

std::string bytes_of(std::initializer_list<uint64_t> words) {
  return {reinterpret_cast<const char*>(words.begin()), words.size() * sizeof(uint64_t)};
}

/// A queue, a kernel that ran there, a program that was built, and what was seen of their clock.
void put_opencl(Image& image, uint32_t name) {
  namespace cl = spool::opencl;
  const auto number = [](std::string_view function) {
    return static_cast<uint64_t>(std::find(std::begin(cl::kFunctions), std::end(cl::kFunctions), function) -
                                 std::begin(cl::kFunctions));
  };
  const uint32_t queue = put_string(image, 1, bytes_of({1, 1, 0, 2}));
  const uint32_t arguments = put_string(image, 4, bytes_of({1, 8}));
  const uint64_t kernel_program = name | uint64_t{1} << 32,
                 arguments_dimensions = arguments | uint64_t{2} << 32;
  const uint32_t launch =
      put_string(image, 6, bytes_of({kernel_program, arguments_dimensions, 0, 0, 0, 64, 8, 1, 8, 8, 1}));
  const uint32_t device = put_string(image, 13, bytes_of({1, 2}) + "GP");
  const uint64_t run = number("clEnqueueNDRangeKernel");
  put(image, 18, 100, spool::Kind::kClObject, queue, 2, 0, static_cast<uint64_t>(cl::Object::kQueue));
  put_values(image, 18, {1, 0x7000});
  put(image, 20, 101, spool::Kind::kClObject, device, 2, 0, static_cast<uint64_t>(cl::Object::kDevice));
  put_values(image, 20, {1, 0x7100});
  put(image, 22, 110, spool::Kind::kClClock, 0, 2, 0, 1);
  put_values(image, 22, {5, 1000});
  put(image, 24, 120, spool::Kind::kClCall, 0, 2, 0, number("clFinish"));
  put_values(image, 24, {4, 1});
  put(image, 26, 130, spool::Kind::kClEnqueue, launch, 3, 0, run);
  put_values(image, 26, {1, 6, uint64_t{1} << 32, 0});
  put(image, 29, 190, spool::Kind::kClDone, launch, 6, 0, run);
  put_values(image, 29, {1, 0, 130, 6, uint64_t{1} << 32 | 1, 1, 1020, 1030, 1040, 1080});
  put(image, 35, 200, spool::Kind::kClBuild, name, 4, 0, 1);
  put_values(image, 35, {9, uint64_t{1} << 32 | 1, 0, uint64_t{name} << 32, 512, 0});
  put(image, 39, 210, spool::Kind::kClUntraced, name, 2, 0);
  put_values(image, 39, {1, 3});
}

/// Calls of the C library: a file was opened and read.
void put_osrt(Image& image, uint32_t name) {
  const auto functions = event::osrt_functions();
  const auto number = [&](std::string_view function) {
    uint64_t i = 0;
    while (i < functions.size() && functions[i].name != function) ++i;
    return i;
  };
  put(image, 12, 80, spool::Kind::kOsrtCall, 3, 3, spool::kOsrtNamed, number("open"));
  put_values(image, 12, {5, 3, 1, name});
  put(image, 15, 90, spool::Kind::kOsrtCall, 3, 3, spool::kOsrtNamed | spool::kOsrtWaits, number("read"));
  put_values(image, 15, {6, 4096, 1, 0});
}

/// What NVTX has beside ranges.
void put_extensions(Image& image, uint32_t name) {
  put(image, 41, 220, spool::Kind::kPayload, 0, 4, 0);
  put_values(image, 41, {1, 1, 0, 16, 0x4142434445464748, 0x4142434445464748});
  put(image, 45, 230, spool::Kind::kMemory, name, 4, 0);
  put_values(image, 45, {1, 1, 0x8000, 64, 0, 1});
  put(image, 49, 240, spool::Kind::kCounter, 0, 2, 0);
  put_values(image, 49, {1, 42});
  put(image, 51, 250, spool::Kind::kResource, name, 3, 0);
  put_values(image, 51, {1, 1, 0x9000, 0});
  put(image, 54, 260, spool::Kind::kSync, 0, 2, 0);
  put_values(image, 54, {1, uint64_t{1} << 32});
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
    descriptors[i].used = i == 1 ? 56 : 0;
    descriptors[i].state.store(
        static_cast<uint32_t>(i == 0 ? spool::SegmentState::kStrings : spool::SegmentState::kRing));
  }
  const uint32_t name = put_string(image, 0, "name");
  put(image, 0, 10, spool::Kind::kPush, name, 1, 0);
  put(image, 1, 20, spool::Kind::kPush, name, 3, spool::kHasAttributes);
  put(image, 4, 30, spool::Kind::kPop, 0, 1, 0);
  put(image, 5, 40, spool::Kind::kStart, name, 2, 0);
  put(image, 7, 50, spool::Kind::kEnd, 0, 2, 0);
  put(image, 9, 60, spool::Kind::kDomain, name, 1, 0);
  put(image, 10, 70, spool::Kind::kThreadName, name, 2, 0);
  put_osrt(image, name);
  put_opencl(image, name);
  put_extensions(image, name);
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
