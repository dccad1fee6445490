// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "spool/reader.h"

#include <algorithm>
#include <string_view>

#include "spool/launcher.h"

namespace sextant::spool {

namespace {

template <typename T>
T load(const T& field) {
  return __atomic_load_n(&field, __ATOMIC_RELAXED);
}

/// A field of fixed size that should end with NUL but need not.
std::string fixed_text(const char* text, size_t capacity) {
  std::string copy(text, capacity);
  copy.resize(std::min(copy.find('\0'), copy.size()));
  return copy;
}

template <typename Enum>
Enum bounded(uint32_t value, Enum last) {
  return value <= static_cast<uint32_t>(last) ? static_cast<Enum>(value) : Enum{};
}

/// The class whose segments are `bytes` long, or kSegmentClasses.
uint32_t class_of(uint32_t bytes) {
  for (uint32_t c = 0; c < kSegmentClasses; ++c)
    if (bytes == kSegmentClass0Bytes << c) return c;
  return kSegmentClasses;
}

/// ProcessPage::launcher as text, "RANK=3 LOCAL_RANK=1": entries that are not what an agent writes are left
/// out.
std::string launcher_text(std::string_view bytes) {
  std::string out;
  while (!bytes.empty() && bytes[0] != '\0') {
    const std::string_view entry = bytes.substr(0, bytes.find('\0'));
    const size_t equals = entry.find('=');
    for (const char* name : kLauncherVariables)
      if (equals != std::string_view::npos && entry.substr(0, equals) == name &&
          is_launcher_value(entry.substr(equals + 1)))
        out.append(out.empty() ? "" : " ").append(entry);
    bytes.remove_prefix(entry.size() < bytes.size() ? entry.size() + 1 : bytes.size());
  }
  return out;
}

}  // namespace

bool ArenaReader::valid() const {
  if (bytes_ < kSegmentsOffset) return false;
  const auto* header = reinterpret_cast<const ArenaHeader*>(base_);
  return __atomic_load_n(&header->magic, __ATOMIC_ACQUIRE) == kArenaMagic &&
         load(header->version) == kVersion;
}

uint32_t ArenaReader::segment_count() const {
  const auto* header = reinterpret_cast<const ArenaHeader*>(base_);
  return std::min(header->segment_count.load(std::memory_order_acquire), kMaxSegments);
}

const SegmentDescriptor* ArenaReader::descriptor(uint32_t index) const {
  return reinterpret_cast<const SegmentDescriptor*>(base_ + kDescriptorsOffset) + index;
}

SegmentState ArenaReader::state(uint32_t index) const {
  return bounded(descriptor(index)->state.load(std::memory_order_acquire), SegmentState::kCalls);
}

bool ArenaReader::segment(uint32_t index, Segment* out, bool* damaged) const {
  *damaged = false;
  if (index >= kMaxSegments) return false;
  const SegmentDescriptor* d = descriptor(index);
  out->state = state(index);
  if (out->state == SegmentState::kNone) return false;
  *damaged = true;
  uint64_t offset = load(d->offset);
  uint32_t size = load(d->size_bytes);
  out->segment_class = class_of(size);
  if (out->segment_class == kSegmentClasses || offset % kPageBytes != 0 || offset < kSegmentsOffset)
    return false;
  if (offset > bytes_ || size > bytes_ - offset) return false;
  out->index = index;
  out->slots = size / kSlotBytes;
  out->tid = load(d->tid);
  out->ring = load(d->ring);
  out->first_sequence = load(d->first_sequence);
  out->consumed = std::min(d->consumed.load(std::memory_order_relaxed), out->slots);
  if (out->first_sequence > UINT64_MAX / 2) return false;
  out->data = reinterpret_cast<const Slot*>(base_ + offset);
  *damaged = false;
  return true;
}

uint32_t ArenaReader::used(const Segment& segment) const {
  return std::min(__atomic_load_n(&descriptor(segment.index)->used, __ATOMIC_ACQUIRE), segment.slots);
}

bool ArenaReader::name(uint32_t id, std::string* out) const {
  uint64_t offset = uint64_t{id} * kSlotBytes;
  if (offset < kSegmentsOffset || offset + sizeof(StringHeader) > bytes_) return false;
  const auto* header = reinterpret_cast<const StringHeader*>(base_ + offset);
  uint32_t bytes = header->bytes_plus_1.load(std::memory_order_acquire);
  if (bytes == 0) return false;
  bytes = std::min<uint32_t>(bytes - 1, kMaxNameBytes);
  if (bytes > bytes_ - offset - sizeof(StringHeader)) return false;
  out->assign(reinterpret_cast<const char*>(base_ + offset + sizeof(StringHeader)), bytes);
  return true;
}

bool copy_page(const ProcessPage& page, PageCopy* out) {
  out->state = bounded(page.state.load(std::memory_order_acquire), PageState::kDone);
  if (out->state != PageState::kLive && out->state != PageState::kDone) return false;
  if (load(page.magic) != kProcessMagic) return false;
  out->version_ok = load(page.version) == kVersion;
  out->origin = bounded(load(page.origin), PageOrigin::kUntraced);
  out->exit_kind = bounded(page.exit_kind.load(std::memory_order_acquire), ExitKind::kExec);
  out->exit_code = page.exit_code.load(std::memory_order_relaxed);
  out->untraced = bounded(page.untraced.load(std::memory_order_relaxed), Untraced::kOwnTool);
  out->exec_untraced = bounded(page.exec_untraced.load(std::memory_order_relaxed), Untraced::kOwnTool);
  out->pid = load(page.pid);
  out->ppid = load(page.ppid);
  out->uid = load(page.uid);
  out->arena = page.arena.load(std::memory_order_acquire);
  out->nvtx_instances = page.nvtx_instances.load(std::memory_order_relaxed);
  out->loss_reasons = page.loss_reasons.load(std::memory_order_relaxed);
  out->start_time = load(page.start_time);
  out->image_id = load(page.image_id);
  out->start_stamp = load(page.start_stamp);
  out->end_stamp = page.end_stamp.load(std::memory_order_relaxed);
  out->init_ticks = load(page.init_ticks);
  out->slow_ticks = page.slow_ticks.load(std::memory_order_relaxed);
  out->lost_records = page.lost_records.load(std::memory_order_relaxed);
  out->lost_first = page.lost_first.load(std::memory_order_relaxed);
  out->lost_last = page.lost_last.load(std::memory_order_relaxed);
  out->names_dropped = page.names_dropped.load(std::memory_order_relaxed);
  out->hook = page.hook.load(std::memory_order_relaxed);
  out->comm = fixed_text(page.comm, sizeof page.comm);
  out->exe = fixed_text(page.exe, sizeof page.exe);
  out->exec_path = fixed_text(page.exec_path, sizeof page.exec_path);
  uint32_t args_bytes = load(page.args_bytes);
  out->args_cut = args_bytes > sizeof page.args;
  out->args.assign(page.args, std::min<size_t>(args_bytes, sizeof page.args));
  out->launcher = launcher_text({page.launcher, sizeof page.launcher});
  return true;
}

std::string arena_file_name(uint32_t pid, uint64_t start_time, uint32_t instance) {
  return std::to_string(pid) + "-" + std::to_string(start_time) + "-" + std::to_string(instance) + ".ring";
}

}  // namespace sextant::spool
