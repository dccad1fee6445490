// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/nvtx/capture.h"

#include <pthread.h>
#include <cstring>

#include "agent/core/libc.h"
#include "agent/core/sys.h"

namespace {

/// What a thread's ranges are to the windows, by domain.
struct Depth {
  int32_t depth;
  uint32_t window;    // to which `recorded` belongs
  uint64_t recorded;  // a bit for each of the outermost 64 levels
};

constexpr uint32_t kInlineDomains = 32;

struct FilterThread {
  std::atomic<uint32_t> taken;
  uint32_t epoch;
  FilterThread* next;
  uint32_t stripe;
  uint32_t opener_of;  // window that this thread opened with a push, 0: none
  uint16_t opener_domain;
  int32_t opener_level;
  Depth domains[kInlineDomains];
  Depth* more;
};

__thread FilterThread* t_filter __attribute__((tls_model("initial-exec")));

}  // namespace

namespace sextant::agent::nvtx {

using spool::CaptureState;
using spool::SeenName;

namespace {

std::atomic<FilterThread*> g_threads;
std::atomic<uint32_t> g_thread_count;
std::atomic<uint32_t> g_key_state;  // 0 none, 1 being made, 2 there, 3 cannot be had
pthread_key_t g_key;

void thread_ends(void* thread) {
  t_filter = nullptr;
  static_cast<FilterThread*>(thread)->taken.store(0, std::memory_order_release);
}

void watch_end(FilterThread* f) {
  uint32_t state = 0;
  if (g_key_state.compare_exchange_strong(state, 1, std::memory_order_acq_rel)) {
    bool made = libc::pthread_key_create != nullptr && libc::pthread_setspecific != nullptr &&
                libc::pthread_key_create(&g_key, thread_ends) == 0 && g_key < 32;
    g_key_state.store(made ? 2 : 3, std::memory_order_release);
    state = made ? 2 : 3;
  }
  if (state == 2) libc::pthread_setspecific(g_key, f);
}

FilterThread* take_thread() {
  for (FilterThread* f = g_threads.load(std::memory_order_acquire); f != nullptr; f = f->next) {
    uint32_t free = 0;
    if (f->taken.compare_exchange_strong(free, 1, std::memory_order_acq_rel)) return f;
  }
  auto* f = may_call() ? static_cast<FilterThread*>(sys::map_private(sizeof(FilterThread))) : nullptr;
  if (f == nullptr) return nullptr;
  f->taken.store(1, std::memory_order_relaxed);
  f->stripe = g_thread_count.fetch_add(1, std::memory_order_relaxed) % spool::kFilterStripes;
  FilterThread* head = g_threads.load(std::memory_order_acquire);
  do f->next = head;
  while (!g_threads.compare_exchange_weak(head, f, std::memory_order_acq_rel));
  return f;
}

/// nullptr: no memory; the thread's events are not recorded then.
FilterThread* this_filter_thread() {
  FilterThread* f = t_filter;
  if (__builtin_expect(f != nullptr && f->epoch == g_state->epoch && f->epoch != 0, 1)) return f;
  if (!register_process()) return nullptr;
  if (f == nullptr) f = take_thread();
  if (f == nullptr) return nullptr;
  f->epoch = g_state->epoch;  // new, or inherited by a fork child, for which nothing of it holds
  f->opener_of = 0;
  std::memset(f->domains, 0, sizeof f->domains);
  if (f->more != nullptr) std::memset(f->more, 0, kMaxDomains * sizeof(Depth));
  if (t_filter == nullptr) {
    t_filter = f;
    watch_end(f);
  }
  return f;
}

uint16_t number_in(const Handle* domain) {
  return domain != nullptr ? domain->domain : uint16_t{0};
}

Depth* depth_of(FilterThread* f, uint16_t domain) {
  if (domain < kInlineDomains) return &f->domains[domain];
  if (f->more == nullptr && may_call())
    f->more = static_cast<Depth*>(sys::map_private(kMaxDomains * sizeof(Depth)));
  static Depth nobody;
  return f->more != nullptr ? &f->more[domain] : &nobody;
}

spool::FilterStripe& stripe() {
  FilterThread* f = t_filter;
  return g_filter->stripes[f != nullptr ? f->stripe : 0];
}

// Names

bool equal(const char* text, size_t bytes, const char* to) {
  return std::strncmp(text, to, bytes) == 0 && to[bytes] == 0;
}

/// The message as text; `room` is for wide ones. Returns its length, the text may be longer than any name
/// that matters.
const char* text_of(const Message& message, char* room, size_t room_bytes, size_t* bytes) {
  *bytes = 0;
  if (message.text == nullptr) return "";
  if (message.type == abi::kAscii) {
    const char* text = static_cast<const char*>(message.text);
    *bytes = strnlen(text, spool::kMaxCaptureNameBytes + 1);
    return text;
  }
  if (message.type == abi::kRegistered) {
    const auto* handle = static_cast<const Handle*>(message.text);
    *bytes = handle->bytes;
    return handle->text;
  }
  if (message.type != abi::kWide) return "";
  *bytes = to_utf8(static_cast<const wchar_t*>(message.text), room, room_bytes);
  return room;
}

bool domain_matches(const Handle* domain) {
  switch (static_cast<spool::CaptureDomain>(g_filter->capture_domain)) {
    case spool::CaptureDomain::kAny:
      return true;
    case spool::CaptureDomain::kNamed:
      return domain != nullptr && equal(domain->text, domain->bytes, g_filter->domain);
    default:
      return domain == nullptr;
  }
}

void copy_cut(char* to, size_t room, const char* from, size_t bytes) {
  size_t n = bytes < room - 1 ? bytes : room - 1;
  while (n > 0 && n < bytes && (static_cast<uint8_t>(from[n]) & 0xc0) == 0x80) --n;
  std::memcpy(to, from, n);
  to[n] = 0;
}

/// The hash has the domain, too.
bool is_seen(const SeenName& entry, uint32_t hash, const char* name, size_t bytes) {
  if (entry.hash != hash) return false;
  size_t kept = strnlen(entry.name, sizeof entry.name);
  return kept <= bytes && std::memcmp(entry.name, name, kept) == 0;
}

void note_seen(const Handle* domain, const char* name, size_t bytes) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<uint8_t>(name[i])) * 16777619u;
  hash = (hash ^ number_in(domain)) * 16777619u;
  for (size_t i = 0; domain != nullptr && i < domain->bytes; ++i)
    hash = (hash ^ static_cast<uint8_t>(domain->text[i])) * 16777619u;
  for (uint32_t probe = 0; probe < 16; ++probe) {
    SeenName& entry = g_filter->seen[((hash ^ hash >> 15) + probe) % spool::kMaxSeenNames];
    uint32_t state = entry.state.load(std::memory_order_acquire);
    if (state == 0 && entry.state.compare_exchange_strong(state, 1, std::memory_order_acq_rel)) {
      entry.hash = hash;
      copy_cut(entry.domain, sizeof entry.domain, domain != nullptr ? domain->text : "",
               domain != nullptr ? domain->bytes : 0);
      copy_cut(entry.name, sizeof entry.name, name, bytes);
      entry.state.store(state = 2, std::memory_order_release);
    }
    for (int wait = 0; wait < 1000 && state == 1; ++wait) state = entry.state.load(std::memory_order_acquire);
    if (state == 2 && is_seen(entry, hash, name, bytes)) {
      entry.count.fetch_add(1, std::memory_order_relaxed);
      return;
    }
  }
  g_filter->seen_elsewhere.fetch_add(1, std::memory_order_relaxed);
}

// Windows

CaptureState state_now() {
  return static_cast<CaptureState>(g_filter->state.load(std::memory_order_acquire));
}

bool open_window() {
  // So many windows wait for their reports that the times of the first would be overwritten: not another one.
  if (g_filter->repeats != 0 &&
      g_filter->opened.load(std::memory_order_relaxed) - g_filter->written.load(std::memory_order_relaxed) >=
          spool::kWindowStamps - 8)
    return false;
  uint32_t armed = static_cast<uint32_t>(CaptureState::kArmed);
  if (!g_filter->state.compare_exchange_strong(armed, static_cast<uint32_t>(CaptureState::kOpening),
                                               std::memory_order_acq_rel))
    return armed == static_cast<uint32_t>(CaptureState::kOpen);
  uint32_t window = g_filter->opened.load(std::memory_order_relaxed) + 1;
  g_filter->opened_at[window % spool::kWindowStamps].store(now(), std::memory_order_relaxed);
  g_filter->opener_pid.store(g_state->pid, std::memory_order_relaxed);
  g_filter->opener_tid.store(may_call() ? sys::thread_id() : 0, std::memory_order_relaxed);
  g_filter->opener_range.store(0, std::memory_order_relaxed);
  g_filter->opened.store(window, std::memory_order_release);
  g_filter->state.store(static_cast<uint32_t>(CaptureState::kOpen), std::memory_order_release);
  return true;
}

/// Whether an event that begins something is wanted; `*opened`: it opened a window.
bool begins_wanted(Handle* domain, const Message& message, bool* opened) {
  CaptureState state = state_now();
  if (state == CaptureState::kOpen || state == CaptureState::kUnused) return true;
  if (state == CaptureState::kArmed) {
    char room[spool::kMaxCaptureNameBytes + 8];
    size_t bytes = 0;
    const char* text = text_of(message, room, sizeof room, &bytes);
    if (domain_matches(domain) && equal(text, bytes, g_filter->range)) {
      uint32_t before = g_filter->opened.load(std::memory_order_relaxed);
      bool open = open_window();
      *opened = open && g_filter->opened.load(std::memory_order_relaxed) == before + 1 &&
                g_filter->opener_pid.load(std::memory_order_relaxed) == g_state->pid;
      return open;
    }
    if (g_filter->opened.load(std::memory_order_relaxed) == 0) note_seen(domain, text, bytes);
  }
  count_outside();
  return false;
}

}  // namespace

void count_outside() {
  stripe().outside.fetch_add(1, std::memory_order_relaxed);
}
void count_excluded() {
  stripe().excluded.fetch_add(1, std::memory_order_relaxed);
}

bool capture_push(Handle* domain, const Message& message, int* level) {
  bool wanted = domain_wanted_slowly(domain);
  if (wanted && !capture_used()) return true;
  FilterThread* f = this_filter_thread();
  if (f == nullptr) return false;
  uint16_t number = number_in(domain);
  Depth* d = depth_of(f, number);
  bool opened = false;
  if (!wanted)
    count_excluded();
  else
    wanted = begins_wanted(domain, message, &opened);
  uint32_t window = g_filter->opened.load(std::memory_order_relaxed);
  if (opened) {
    f->opener_of = window;
    f->opener_domain = number;
    f->opener_level = d->depth;
  }
  if (d->window != window) {
    d->window = window;
    d->recorded = 0;
  }
  if (d->depth >= 0 && d->depth < 64) {
    uint64_t bit = uint64_t{1} << d->depth;
    d->recorded = wanted ? d->recorded | bit : d->recorded & ~bit;
  }
  *level = d->depth++;
  return wanted;
}

bool capture_pop(Handle* domain, int* level, bool* closes) {
  if (domain_wanted_slowly(domain) && !capture_used()) return true;
  FilterThread* f = this_filter_thread();
  *level = -1;
  if (f == nullptr) return false;
  uint16_t number = number_in(domain);
  Depth* d = depth_of(f, number);
  if (d->depth <= 0) return false;
  *level = --d->depth;
  uint32_t window = g_filter->opened.load(std::memory_order_relaxed);
  bool open = state_now() == CaptureState::kOpen;
  bool recorded = d->window == window && (d->depth < 64 ? (d->recorded >> d->depth & 1) != 0 : open);
  if (g_filter->repeats != 0) recorded = recorded && open;
  *closes = f->opener_of != 0 && f->opener_of == window && open && f->opener_domain == number &&
            f->opener_level == d->depth && g_filter->to_the_end == 0;
  return recorded;
}

bool capture_start(Handle* domain, const Message& message, bool* opens) {
  if (!domain_wanted_slowly(domain)) {
    count_excluded();
    return false;
  }
  return begins_wanted(domain, message, opens);
}

void set_opener_range(uint64_t id) {
  g_filter->opener_range.store(id, std::memory_order_release);
}

bool closes_window(uint64_t id) {
  return id != 0 && g_filter->opener_range.load(std::memory_order_acquire) == id &&
         g_filter->to_the_end == 0 && state_now() == CaptureState::kOpen;
}

void close_window() {
  uint32_t window = g_filter->opened.load(std::memory_order_relaxed);
  g_filter->closed_at[window % spool::kWindowStamps].store(now(), std::memory_order_relaxed);
  g_filter->closed.store(window, std::memory_order_release);
  bool last = g_filter->windows_wanted != 0 && window >= g_filter->windows_wanted;
  uint32_t open = static_cast<uint32_t>(CaptureState::kOpen);
  g_filter->state.compare_exchange_strong(
      open, static_cast<uint32_t>(last ? CaptureState::kOver : CaptureState::kArmed),
      std::memory_order_acq_rel);
  if (g_filter->wait_for_report == 0 || !may_call()) return;
  constexpr int kMostWaits = 60'000;
  for (int i = 0;
       i < kMostWaits && g_filter->written.load(std::memory_order_acquire) < window && collector_answers();
       ++i)
    sys::sleep_ns(1'000'000);
}

}  // namespace sextant::agent::nvtx
