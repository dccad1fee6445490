// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/osrt/record.h"

#include <dlfcn.h>

#include "agent/core/libc.h"
#include "agent/core/names.h"
#include "agent/core/osrt.h"
#include "agent/core/sys.h"
#include "agent/sources/nvtx/capture.h"
#include "agent/sources/osrt/next.h"

namespace sextant::agent::osrt {

constinit Hooks g_hooks{};
constinit const char* g_single_threaded = "";
constinit bool g_select_reads = false;

namespace {

constexpr const char* kSymbols[] = {
#define SEXTANT_OWN(symbol, ...) #symbol,
#define SEXTANT_CALL(symbol, ...) #symbol,
#define SEXTANT_PATH(symbol, ...) #symbol,
#include "event/osrt_functions.def"
#undef SEXTANT_OWN
#undef SEXTANT_CALL
#undef SEXTANT_PATH
};
static_assert(std::size(kSymbols) == kFunctions);

constexpr uint64_t kBlockedStamps = 3000;  // about a microsecond: more than a way through, on any machine
constexpr uint64_t kLongStamps = 50'000;   // so long that asking the system about a descriptor is nothing

/// Whether it is wanted now, as far as time and capture windows are concerned.
[[gnu::always_inline]] inline bool worth_it(uint64_t* duration) {
  if (static_cast<int64_t>(*duration) < 0) *duration = 0;  // clocks of two processors
  if (*duration < g_hooks.threshold) return false;
  if (*duration > spool::kOsrtMaxDuration) *duration = spool::kOsrtMaxDuration;
  return __builtin_expect(nvtx::g_filter == nullptr, 1) || nvtx::capture_open();
}

/// Resolves kAskDescriptor.
[[gnu::noinline]] uint64_t ask_descriptor(uint64_t head, uint64_t duration) {
  constexpr uint64_t kAsk = uint64_t{kAskDescriptor} << 56;
  head &= ~kAsk;
  const auto fd = static_cast<int>(head);
  if (duration < kLongStamps || !may_call()) return head;
  struct stat info {};
  if (sys::file_status(fd, &info) != 0) return head;
  const bool waits = S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || S_ISCHR(info.st_mode) ||
                     (info.st_mode & S_IFMT) == 0;  // anonymous ones: eventfd and its like
  note_kind(fd, waits ? kWaiter : kFile);
  return waits ? head | uint64_t{spool::kOsrtWaits} << 56 : head;
}

[[gnu::always_inline]] inline uint64_t resolved(uint64_t head, uint64_t duration) {
  return __builtin_expect((head >> 56 & kAskDescriptor) != 0, 0) ? ask_descriptor(head, duration) : head;
}

/// The thread's block where it has none yet. What children do between vfork and exec is not recorded.
[[gnu::noinline, gnu::cold]] ThreadBlock* new_thread() {
  if (sextant_borrowed != 0) return nullptr;
  const int error = errno;
  ThreadBlock* t = attach_thread();
  errno = error;
  return t;
}

[[gnu::always_inline]] inline ThreadBlock* thread_here() {
  ThreadBlock* t = known_thread();
  return __builtin_expect(t != nullptr, 1) ? t : new_thread();
}

/// "2.36"
bool version_is_at_least(const char* version, unsigned major, unsigned minor) {
  unsigned parts[2] = {};
  for (unsigned& part : parts) {
    while (*version >= '0' && *version <= '9') part = part * 10 + static_cast<unsigned>(*version++ - '0');
    if (*version == '.') ++version;
  }
  return parts[0] > major || (parts[0] == major && parts[1] >= minor);
}

}  // namespace

void* find_real(Function function) {
  void** place = &g_hooks.next[static_cast<uint32_t>(function)];
  const char* name = kSymbols[static_cast<uint32_t>(function)];
  void* found = next_definition(name);
  if (found == nullptr) found = libc::find_next(name);
  if (found != nullptr) __atomic_store_n(place, found, __ATOMIC_RELAXED);
  return found;
}

bool tells_that_it_read(int error) {
  constexpr int kLater[] = {EINTR,        EAGAIN,       ETIMEDOUT,   EINPROGRESS, EALREADY,      EISCONN,
                            ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRINUSE,  EADDRNOTAVAIL, ENOENT};
  for (const int later : kLater)
    if (error == later) return true;
  return false;
}

/// Where a call shows itself while the thread is in another one: kLevels is nowhere. Either it is made by a
/// signal handler, whose frame is below that of the other call, or the other one was left by an exception or
/// setcontext(), of which nobody tells.
[[gnu::noinline]] static uint32_t level_inside(ThreadBlock* t, uintptr_t sp) {
  constexpr uintptr_t kLeastSignalFrame = 512;  // larger than what frames of hooks differ by
  for (uint32_t level = 0; level < kCallLevels; ++level) {
    if (t->calls->call[level].first.load(std::memory_order_relaxed) == 0) return level;
    const uintptr_t active = t->call_sp[level];
    if (sp + kLeastSignalFrame < active || SegmentSource::on_alternate_stack(sp, active)) continue;
    for (uint32_t left = level; left < kCallLevels; ++left)
      t->calls->call[left].first.store(0, std::memory_order_relaxed);
    return level;
  }
  return kCallLevels;
}

void begin_call(uint64_t begin, uint64_t head, uint64_t value) {
  ThreadBlock* t = thread_here();
  if (__builtin_expect(t == nullptr || t->calls == nullptr, 0)) return;
  const uintptr_t sp = base::arch::stack_pointer();
  uint32_t level = 0;
  if (__builtin_expect(t->calls->call[0].first.load(std::memory_order_relaxed) != 0, 0)) {
    level = level_inside(t, sp);
    if (level == kCallLevels) return;
  }
  spool::CallInProgress* call = &t->calls->call[level];
  // Without a kind it shows nothing yet, but handlers that come now call at another level.
  call->first.store(begin << 8, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  t->call_sp[level] = sp;
  call->second.store(head, std::memory_order_relaxed);
  call->value.store(value, std::memory_order_relaxed);
  call->first.store(spool::first_word(begin, spool::Kind::kOsrtCall), std::memory_order_release);
}

/// The call that began with this first word is none in progress any more, and neither are those within it.
[[gnu::always_inline]] static inline void end_call(ThreadBlock* t, uint64_t first) {
  if (__builtin_expect(t == nullptr || t->calls == nullptr, 0)) return;
  bool ended = false;
  for (spool::CallInProgress& call : t->calls->call) {
    const uint64_t here = call.first.load(std::memory_order_relaxed);
    ended = ended || here == first;
    if (ended && here != 0) call.first.store(0, std::memory_order_relaxed);
  }
}

/// As thread.h's record(), but the call ends between the two halves: a kill leaves it in progress, or as an
/// empty slot, which is counted, or as a record.
template <uint32_t kSlots>
[[gnu::always_inline]] static inline void record_end(ThreadBlock* t, const uint64_t (&words)[kSlots * 2]) {
  const spool::Place place = spool::reserve<kSlots>(&t->ring, [] {});
  end_call(t, words[0]);
  if (__builtin_expect(place.slot != nullptr, 1)) return spool::commit<kSlots>(&t->ring, place, words);
  uint64_t copy[kSlots * 2];  // so that the words themselves stay in registers
  for (uint32_t i = 0; i < kSlots * 2; ++i) copy[i] = words[i];
  if (!spool::append_slowly<SegmentSource, kSlots>(&t->ring, place, copy)) record_refused(t, copy[0] >> 8);
}

void finish(uint64_t begin, uint64_t head, uint64_t value, uint64_t error) {
  uint64_t duration = now() - begin;
  const uint64_t first = spool::first_word(begin, spool::Kind::kOsrtCall);
  if (__builtin_expect(!worth_it(&duration), 0)) return end_call(known_thread(), first);
  ThreadBlock* t = thread_here();
  if (__builtin_expect(t == nullptr, 0)) return;
  const uint64_t words[4] = {first, resolved(head, duration), duration | error << 48, value};
  record_end<2>(t, words);
}

void finish_if_blocked(uint64_t begin, uint64_t head, uint64_t value, uint64_t error) {
  if (error == 0 && now() - begin < kBlockedStamps)
    return end_call(known_thread(), spool::first_word(begin, spool::Kind::kOsrtCall));
  finish(begin, head, value, error);
}

void finish_with_file(uint64_t begin, uint64_t head, uint64_t value, uint64_t error, uint64_t file,
                      const char* path, uint64_t more) {
  uint64_t duration = now() - begin;
  const uint64_t first = spool::first_word(begin, spool::Kind::kOsrtCall);
  if (!worth_it(&duration)) return end_call(known_thread(), first);
  ThreadBlock* t = thread_here();
  if (t == nullptr) return;
  const bool readable = path != nullptr && error != EFAULT;
  const uint64_t text = readable ? name_of(&t->names, t->arena, path) : more;
  constexpr uint64_t kThree = uint64_t{1} << 48 | uint64_t{spool::kOsrtNamed} << 56;  // 2 + 1 slots
  const uint64_t words[6] = {first, resolved(head, duration) + kThree, duration | error << 48, value, file,
                             text};
  record_end<3>(t, words);
}

}  // namespace sextant::agent::osrt

using namespace sextant::agent;  // NOLINT: C names, called by core/

extern "C" void sextant_osrt_start() {
  const sextant::spool::ControlPage* control = g_setup.control;
  if ((control->flags & sextant::spool::kTraceOsrt) == 0 || !nvtx::map_filter()) return;
  osrt::g_hooks.threshold = control->osrt_threshold;
  const uint8_t how = (control->flags & sextant::spool::kOsrtFiles) != 0 ? osrt::kCallAndFile : osrt::kCall;
  g_setup.records_calls = true;
  osrt::g_select_reads = osrt::version_is_at_least(libc::gnu_get_libc_version(), 2, 36);
  if (const void* single = libc::find_first("__libc_single_threaded"))  // glibc 2.32
    osrt::g_single_threaded = static_cast<const char*>(single);
  for (uint32_t i = 0; i < osrt::kFunctions; ++i) {
    const bool excluded = (control->osrt_excluded[i / 8] >> (i % 8) & 1) != 0;
    __atomic_store_n(&osrt::g_hooks.wanted[i], excluded ? uint8_t{osrt::kNotWanted} : how, __ATOMIC_RELAXED);
  }
}
