// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/nvtx/filter.h"

#include <alloca.h>

#include <cstring>
#include <cwchar>

#include "agent/core/sys.h"
#include "agent/sources/nvtx/capture.h"

namespace sextant::agent::nvtx {

spool::FilterPage* g_filter;

bool map_filter() {
  if ((g_setup.control->flags & spool::kFiltered) == 0 || g_filter != nullptr) return true;
  char* path = static_cast<char*>(alloca(run_path_room()));
  sys::Text(path, run_path_room()) << g_setup.folder << "/filter";
  int fd = sys::open_file(path, O_RDWR | O_NOFOLLOW);
  if (fd < 0) return false;
  struct stat info {};
  bool whole = sys::file_status(fd, &info) == 0 && S_ISREG(info.st_mode) &&
               static_cast<uint64_t>(info.st_size) >= sizeof(spool::FilterPage);
  void* base = whole ? sys::map(nullptr, sizeof(spool::FilterPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                     : nullptr;
  sys::close_file(fd);
  auto* page = static_cast<spool::FilterPage*>(base);
  if (page == nullptr || page->magic != spool::kFilterMagic || page->version != spool::kVersion) return false;
  page->range[sizeof page->range - 1] = page->domain[sizeof page->domain - 1] = 0;
  page->domains[sizeof page->domains - 1] = 0;
  g_filter = page;
  return true;
}

// Domains

namespace {

enum : uint8_t { kUnknown = 0, kWanted = 1, kExcluded = 2 };

bool listed(const Handle* domain) {
  const spool::FilterPage* page = g_filter;
  if (domain == nullptr) return page->default_is_listed != 0;
  uint32_t end = page->domains_bytes < sizeof page->domains ? page->domains_bytes : sizeof page->domains - 1;
  for (uint32_t at = 0; at < end;) {
    size_t n = strnlen(page->domains + at, end - at);
    if (n == domain->bytes && std::memcmp(page->domains + at, domain->text, n) == 0) return true;
    at += static_cast<uint32_t>(n) + 1;
  }
  return false;
}

bool compute_wanted(const Handle* domain) {
  switch (static_cast<spool::DomainFilter>(g_filter->domain_filter)) {
    case spool::DomainFilter::kInclude:
      return listed(domain);
    case spool::DomainFilter::kExclude:
      return !listed(domain);
    default:
      return true;
  }
}

}  // namespace

bool domain_wanted_slowly(Handle* domain) {
  if (domain == nullptr) {
    static std::atomic<uint8_t> known;
    uint8_t state = known.load(std::memory_order_relaxed);
    if (state == kUnknown) known.store(state = compute_wanted(nullptr) ? kWanted : kExcluded);
    return state == kWanted;
  }
  uint8_t state = __atomic_load_n(&domain->excluded, __ATOMIC_RELAXED);
  if (state == kUnknown) {
    state = compute_wanted(domain) ? kWanted : kExcluded;
    __atomic_store_n(&domain->excluded, state, __ATOMIC_RELAXED);
  }
  return state == kWanted;
}

bool wanted_now_slowly(Handle* domain) {
  if (!domain_wanted_slowly(domain)) {
    count_excluded();
    return false;
  }
  if (capture_open()) return true;
  count_outside();
  return false;
}

bool push_wanted_slowly(Handle* domain, int* level) {
  return capture_push(domain, Message{}, level);
}
bool pop_wanted_slowly(Handle* domain, int* level) {
  bool closes = false;
  bool wanted = capture_pop(domain, level, &closes);
  if (closes) close_window();
  return wanted;
}

// The callbacks

namespace {

using abi::EventAttributes;

abi::Function g_core[abi::kCoreSize], g_core2[abi::kCore2Size];

void remember_plain() {
  uint32_t count = 0;
  const Entry* entries = core_entries(&count);
  for (uint32_t i = 0; i < count; ++i) g_core[entries[i].number] = entries[i].function;
  entries = core2_entries(&count);
  for (uint32_t i = 0; i < count; ++i) g_core2[entries[i].number] = entries[i].function;
}

template <uint32_t kNumber, typename R, typename... A>
R core(A... arguments) {
  return reinterpret_cast<R (*)(A...)>(g_core[kNumber])(arguments...);
}
template <uint32_t kNumber, typename R, typename... A>
R core2(A... arguments) {
  return reinterpret_cast<R (*)(A...)>(g_core2[kNumber])(arguments...);
}

Message message_of(const EventAttributes* a) {
  if (a == nullptr || a->size < sizeof(EventAttributes)) return {};
  return {a->message_type, a->message};
}

template <typename Plain>
void mark(Handle* domain, Plain plain) {
  if (wanted_now(domain)) plain();
}

template <typename Plain>
int push(Handle* domain, const Message& message, Plain plain) {
  int level = 0;
  if (capture_push(domain, message, &level)) {
    int real = plain();
    if (!capture_used()) return real;
  }
  return level;
}

template <typename Plain>
int pop(Handle* domain, Plain plain) {
  int level = 0;
  bool closes = false;
  if (capture_pop(domain, &level, &closes)) {
    int real = plain();
    if (!capture_used()) return real;
  }
  if (closes) close_window();
  return level;
}

template <typename Plain>
uint64_t start(Handle* domain, const Message& message, Plain plain) {
  bool opens = false;
  if (!capture_start(domain, message, &opens)) return kNotRecordedRange;
  uint64_t id = plain();
  if (opens) set_opener_range(id);
  return id;
}

template <typename Plain>
void end(uint64_t id, Plain plain) {
  if (id == kNotRecordedRange) return;
  plain();
  if (closes_window(id)) close_window();
}

void f_mark_ex(const EventAttributes* a) {
  mark(nullptr, [=] { core<abi::kMarkEx, void>(a); });
}
void f_mark_a(const char* text) {
  mark(nullptr, [=] { core<abi::kMarkA, void>(text); });
}
void f_mark_w(const wchar_t* text) {
  mark(nullptr, [=] { core<abi::kMarkW, void>(text); });
}
uint64_t f_start_ex(const EventAttributes* a) {
  return start(nullptr, message_of(a), [=] { return core<abi::kRangeStartEx, uint64_t>(a); });
}
uint64_t f_start_a(const char* text) {
  return start(nullptr, {abi::kAscii, text}, [=] { return core<abi::kRangeStartA, uint64_t>(text); });
}
uint64_t f_start_w(const wchar_t* text) {
  return start(nullptr, {abi::kWide, text}, [=] { return core<abi::kRangeStartW, uint64_t>(text); });
}
void f_end(uint64_t id) {
  end(id, [=] { core<abi::kRangeEnd, void>(id); });
}
int f_push_ex(const EventAttributes* a) {
  return push(nullptr, message_of(a), [=] { return core<abi::kRangePushEx, int>(a); });
}
int f_push_a(const char* text) {
  return push(nullptr, {abi::kAscii, text}, [=] { return core<abi::kRangePushA, int>(text); });
}
int f_push_w(const wchar_t* text) {
  return push(nullptr, {abi::kWide, text}, [=] { return core<abi::kRangePushW, int>(text); });
}
int f_pop() {
  return pop(nullptr, [] { return core<abi::kRangePop, int>(); });
}
void f_domain_mark_ex(Handle* d, const EventAttributes* a) {
  mark(d, [=] { core2<abi::kDomainMarkEx, void>(d, a); });
}
uint64_t f_domain_start_ex(Handle* d, const EventAttributes* a) {
  return start(d, message_of(a), [=] { return core2<abi::kDomainRangeStartEx, uint64_t>(d, a); });
}
void f_domain_end(Handle* d, uint64_t id) {
  end(id, [=] { core2<abi::kDomainRangeEnd, void>(d, id); });
}
int f_domain_push_ex(Handle* d, const EventAttributes* a) {
  return push(d, message_of(a), [=] { return core2<abi::kDomainRangePushEx, int>(d, a); });
}
int f_domain_pop(Handle* d) {
  return pop(d, [=] { return core2<abi::kDomainRangePop, int>(d); });
}

template <typename F>
abi::Function any(F* function) {
  return reinterpret_cast<abi::Function>(function);
}

}  // namespace

const Entry* filtering_entries(uint32_t module, uint32_t* count) {
  static const Entry kCoreEntries[] = {
      {abi::kMarkEx, any(f_mark_ex)},      {abi::kMarkA, any(f_mark_a)},
      {abi::kMarkW, any(f_mark_w)},        {abi::kRangeStartEx, any(f_start_ex)},
      {abi::kRangeStartA, any(f_start_a)}, {abi::kRangeStartW, any(f_start_w)},
      {abi::kRangeEnd, any(f_end)},        {abi::kRangePushEx, any(f_push_ex)},
      {abi::kRangePushA, any(f_push_a)},   {abi::kRangePushW, any(f_push_w)},
      {abi::kRangePop, any(f_pop)},
  };
  static const Entry kCore2Entries[] = {
      {abi::kDomainMarkEx, any(f_domain_mark_ex)}, {abi::kDomainRangeStartEx, any(f_domain_start_ex)},
      {abi::kDomainRangeEnd, any(f_domain_end)},   {abi::kDomainRangePushEx, any(f_domain_push_ex)},
      {abi::kDomainRangePop, any(f_domain_pop)},
  };
  remember_plain();
  *count = module == abi::kCore ? sizeof kCoreEntries / sizeof(Entry) : sizeof kCore2Entries / sizeof(Entry);
  return module == abi::kCore ? kCoreEntries : kCore2Entries;
}

}  // namespace sextant::agent::nvtx
