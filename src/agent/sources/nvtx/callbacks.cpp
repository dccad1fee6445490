// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The event path: every NVTX call of the target ends here. Stamp, name id, one record; nothing else.
#include "agent/sources/nvtx/callbacks.h"

#include <alloca.h>

#include <cstring>
#include <cwchar>

#include "agent/sources/nvtx/handles.h"
#include "agent/sources/nvtx/payload.h"

namespace sextant::agent::nvtx {

using abi::EventAttributes;
using spool::first_word;
using spool::Kind;
using spool::second_word;

namespace {

Handle* handle_of(const void* pointer) {
  return static_cast<Handle*>(const_cast<void*>(pointer));
}

/// How a call names things. Each gives the id of the name in this process.
struct Ascii {
  const char* text;
  uint32_t id(ThreadBlock* t) const { return agent::name_of(&t->names, t->arena, text); }
};
struct Wide {
  const wchar_t* text;
  uint32_t id(ThreadBlock*) const { return intern_wide(text); }
};

/// Event attributes as they are recorded. Clients built with an older layout pass a smaller size.
struct Event {
  EventAttributes copy;
  const EventAttributes* a;

  explicit Event(const EventAttributes* given) : a(given) {
    if (__builtin_expect(given->size < sizeof(EventAttributes), 0)) {
      std::memset(&copy, 0, sizeof copy);
      std::memcpy(&copy, given, given->size);
      a = &copy;
    }
  }

  uint32_t name(ThreadBlock* t) const {
    switch (a->message_type) {
      case abi::kAscii:
        return Ascii{static_cast<const char*>(a->message)}.id(t);
      case abi::kWide:
        return Wide{static_cast<const wchar_t*>(a->message)}.id(t);
      case abi::kRegistered:
        return a->message != nullptr ? name_of(handle_of(a->message), t->epoch) : 0;
      default:
        return 0;
    }
  }
  uint32_t flags() const {
    return a->message_type == abi::kRegistered ? uint32_t{spool::kRegisteredName} : 0u;
  }
  bool plain() const {
    return a->color_type == abi::kNoColor && a->category == 0 && payload_type() == abi::kNoPayload &&
           !extended();
  }
  bool extended() const { return a->payload_type == abi::kExtendedPayload; }
  uint32_t payload_type() const {
    return a->payload_type >= abi::kUint64 && a->payload_type <= abi::kFloat
               ? static_cast<uint32_t>(a->payload_type)
               : 0u;
  }

  /// The four words of AttributesSlots.
  void attributes(uint64_t* words) const {
    bool colored = a->color_type == abi::kArgb;
    uint32_t type = payload_type();
    words[0] = (colored ? a->color : 0u) | uint64_t{a->category} << 32;
    words[1] = (colored ? 1u : 0u) | type << 8;
    words[2] = type == 0 ? 0 : type >= abi::kUint32 ? static_cast<uint32_t>(a->payload) : a->payload;
    words[3] = 0;
  }
};

// Marks and pushes: kPush, kMark.

template <typename Name>
[[gnu::always_inline]] inline void simple(ThreadBlock* t, uint64_t stamp, Kind kind, Name name) {
  uint64_t words[2] = {first_word(stamp, kind), second_word(name.id(t), 0, 1, 0)};
  record<1>(t, words);
}

[[gnu::always_inline]] inline void event(ThreadBlock* t, uint64_t stamp, Kind kind, uint16_t domain,
                                         const Event& e) {
  if (e.plain()) {
    uint64_t words[2] = {first_word(stamp, kind), second_word(e.name(t), domain, 1, e.flags())};
    record<1>(t, words);
    return;
  }
  uint64_t words[6] = {first_word(stamp, kind),
                       second_word(e.name(t), domain, 3, e.flags() | spool::kHasAttributes)};
  e.attributes(words + 2);
  if (__builtin_expect(e.extended(), 0)) record_extended(t, stamp, domain, *e.a, words + 2);
  record<3>(t, words);
}

template <typename Name>
void mark(Name name) {
  uint64_t stamp = now();
  if (ThreadBlock* t = this_thread()) simple(t, stamp, Kind::kMark, name);
}

template <typename Name>
int push(Name name) {
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (__builtin_expect(t == nullptr, 0)) return 0;
  simple(t, stamp, Kind::kPush, name);
  return t->levels[0]++;
}

[[gnu::always_inline]] inline int pop(ThreadBlock* t, uint64_t stamp, uint16_t domain) {
  uint64_t words[2] = {first_word(stamp, Kind::kPop), second_word(0, domain, 1, 0)};
  record<1>(t, words);
  int32_t* level = level_of(t, domain);
  return *level > 0 ? --*level : -1;
}

// The two calls that programs make most. In the common case they are free of calls, and so of saved
// registers: what is rare is a tail call. Reading the time stamp counter lets nothing overlap it, so it
// stands in the middle: what comes before it here runs beside what came after it in the call before.

[[gnu::noinline, gnu::cold]] int push_slowly(const char* text) {
  return push(Ascii{text});
}
[[gnu::noinline, gnu::cold]] int push_elsewhere(ThreadBlock* t, spool::RingSegment* segment, uint32_t at,
                                                uint32_t name) {
  record_elsewhere(t, {nullptr, segment, at}, first_word(now(), Kind::kPush), second_word(name, 0, 1, 0));
  return t->levels[0]++;
}
int push_text(const char* text) {
  ThreadBlock* t = known_thread();
  uint32_t name;
  if (__builtin_expect(t == nullptr || !stamped_by_processor() || !known_name(&t->names, text, &name), 0))
    return push_slowly(text);
  uint64_t stamp;
  spool::Place place = spool::reserve<1>(&t->ring, [&stamp] { stamp = base::arch::tsc(); });
  if (__builtin_expect(place.slot == nullptr, 0)) return push_elsewhere(t, place.segment, place.at, name);
  uint64_t words[2] = {first_word(stamp, Kind::kPush), second_word(name, 0, 1, 0)};
  spool::commit<1>(&t->ring, place, words);
  return t->levels[0]++;
}

[[gnu::noinline, gnu::cold]] int pop_slowly() {
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  return t != nullptr ? pop(t, stamp, 0) : 0;
}
[[gnu::noinline, gnu::cold]] int pop_elsewhere(ThreadBlock* t, spool::RingSegment* segment, uint32_t at) {
  record_elsewhere(t, {nullptr, segment, at}, first_word(now(), Kind::kPop), second_word(0, 0, 1, 0));
  return t->levels[0] > 0 ? --t->levels[0] : -1;
}
int pop_default() {
  ThreadBlock* t = known_thread();
  if (__builtin_expect(t == nullptr || !stamped_by_processor(), 0)) return pop_slowly();
  uint64_t stamp;
  spool::Place place = spool::reserve<1>(&t->ring, [&stamp] { stamp = base::arch::tsc(); });
  if (__builtin_expect(place.slot == nullptr, 0)) return pop_elsewhere(t, place.segment, place.at);
  uint64_t words[2] = {first_word(stamp, Kind::kPop), second_word(0, 0, 1, 0)};
  spool::commit<1>(&t->ring, place, words);
  int level = t->levels[0] - 1;
  if (__builtin_expect(level < 0, 0)) return -1;
  t->levels[0] = level;
  return level;
}

// Ranges across threads: kStart, kEnd.

uint64_t next_range(ThreadBlock* t) {
  return base::arch::fetch_add_same_thread(&t->ranges, uint64_t{1}) + 1;
}

template <typename Name>
uint64_t start(Name name) {
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return 0;
  uint64_t id = next_range(t);
  uint64_t words[4] = {first_word(stamp, Kind::kStart), second_word(name.id(t), 0, 2, 0), id, 0};
  record<2>(t, words);
  return id;
}

uint64_t start_event(Handle* domain, const EventAttributes* given) {
  uint64_t stamp = now();
  ThreadBlock* t = given != nullptr ? this_thread() : nullptr;
  if (t == nullptr) return 0;
  Event e(given);
  uint16_t number = number_of(t, domain);
  uint64_t id = next_range(t);
  if (e.plain()) {
    uint64_t words[4] = {first_word(stamp, Kind::kStart), second_word(e.name(t), number, 2, e.flags()), id,
                         0};
    record<2>(t, words);
  } else {
    uint64_t words[8] = {first_word(stamp, Kind::kStart),
                         second_word(e.name(t), number, 4, e.flags() | spool::kHasAttributes), id, 0};
    e.attributes(words + 4);
    if (__builtin_expect(e.extended(), 0)) record_extended(t, stamp, number, *e.a, words + 4);
    record<4>(t, words);
  }
  return id;
}

void end(Handle* domain, uint64_t id) {
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  uint64_t words[4] = {first_word(stamp, Kind::kEnd), second_word(0, number_of(t, domain), 2, 0), id, 0};
  record<2>(t, words);
}

// Names of threads and categories.

template <typename Name>
void give_name(Kind kind, Handle* domain, uint32_t what, Name name) {
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  uint64_t words[4] = {first_word(stamp, kind), second_word(name.id(t), number_of(t, domain), 2, 0), what, 0};
  record<2>(t, words);
}

// The functions of module kCore.

void mark_ex(const EventAttributes* given) {
  uint64_t stamp = now();
  ThreadBlock* t = given != nullptr ? this_thread() : nullptr;
  if (t != nullptr) event(t, stamp, Kind::kMark, 0, Event(given));
}
void mark_a(const char* text) {
  mark(Ascii{text});
}
void mark_w(const wchar_t* text) {
  mark(Wide{text});
}
uint64_t range_start_ex(const EventAttributes* given) {
  return start_event(nullptr, given);
}
uint64_t range_start_a(const char* text) {
  return start(Ascii{text});
}
uint64_t range_start_w(const wchar_t* text) {
  return start(Wide{text});
}
void range_end(uint64_t id) {
  end(nullptr, id);
}
int range_push_ex(const EventAttributes* given) {
  uint64_t stamp = now();
  ThreadBlock* t = given != nullptr ? this_thread() : nullptr;
  if (t == nullptr) return 0;
  event(t, stamp, Kind::kPush, 0, Event(given));
  return t->levels[0]++;
}
int range_push_w(const wchar_t* text) {
  return push(Wide{text});
}
void name_category_a(uint32_t category, const char* text) {
  give_name(Kind::kCategoryName, nullptr, category, Ascii{text});
}
void name_category_w(uint32_t category, const wchar_t* text) {
  give_name(Kind::kCategoryName, nullptr, category, Wide{text});
}
void name_os_thread_a(uint32_t thread, const char* text) {
  give_name(Kind::kThreadName, nullptr, thread, Ascii{text});
}
void name_os_thread_w(uint32_t thread, const wchar_t* text) {
  give_name(Kind::kThreadName, nullptr, thread, Wide{text});
}

// The functions of module kCore2.

void domain_mark_ex(Handle* domain, const EventAttributes* given) {
  uint64_t stamp = now();
  ThreadBlock* t = given != nullptr ? this_thread() : nullptr;
  if (t != nullptr) event(t, stamp, Kind::kMark, number_of(t, domain), Event(given));
}
uint64_t domain_range_start_ex(Handle* domain, const EventAttributes* given) {
  return start_event(domain, given);
}
void domain_range_end(Handle* domain, uint64_t id) {
  end(domain, id);
}
int domain_range_push_ex(Handle* domain, const EventAttributes* given) {
  uint64_t stamp = now();
  ThreadBlock* t = given != nullptr ? this_thread() : nullptr;
  if (t == nullptr) return 0;
  uint16_t number = number_of(t, domain);
  event(t, stamp, Kind::kPush, number, Event(given));
  return (*level_of(t, number))++;
}
int domain_range_pop(Handle* domain) {
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  return t != nullptr ? pop(t, stamp, number_of(t, domain)) : 0;
}
void domain_name_category_a(Handle* domain, uint32_t category, const char* text) {
  give_name(Kind::kCategoryName, domain, category, Ascii{text});
}
void domain_name_category_w(Handle* domain, uint32_t category, const wchar_t* text) {
  give_name(Kind::kCategoryName, domain, category, Wide{text});
}

/// Handles need no arena: a paused or unrecorded process gets them too, since it may record later.
template <Handle* (*Make)(const char*, size_t)>
Handle* handle_of_wide(const wchar_t* text) {
  if (text == nullptr) return nullptr;
  constexpr size_t kMostCharacters = 1024, kBytesACharacter = 4;
  size_t characters = 0;
  while (characters < kMostCharacters && text[characters] != 0) ++characters;
  size_t room = characters * kBytesACharacter;
  char* utf8 = static_cast<char*>(alloca(room + 1));
  return Make(utf8, to_utf8(text, utf8, room));
}
Handle* domain_register_string_a(Handle*, const char* text) {
  return text != nullptr ? string_handle(text, strnlen(text, spool::kMaxNameBytes)) : nullptr;
}
Handle* domain_register_string_w(Handle*, const wchar_t* text) {
  return handle_of_wide<string_handle>(text);
}
Handle* announced(Handle* domain) {
  if (domain == nullptr || g_setup.control->collecting.load(std::memory_order_relaxed) == 0) return domain;
  if (ThreadBlock* t = this_thread()) number_of(t, domain);
  return domain;
}
Handle* domain_create_a(const char* text) {
  return text != nullptr ? announced(domain_handle(text, strnlen(text, spool::kMaxNameBytes))) : nullptr;
}
Handle* domain_create_w(const wchar_t* text) {
  return announced(handle_of_wide<domain_handle>(text));
}
/// Its records stay, and so does what they refer to.
void domain_destroy(Handle* domain) {
  if (domain == nullptr) return;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  uint64_t words[2] = {first_word(stamp, Kind::kDomainEnd), second_word(0, number_of(t, domain), 1, 0)};
  record<1>(t, words);
}
void initialize(const void*) {}

template <typename F>
abi::Function any(F* function) {
  return reinterpret_cast<abi::Function>(function);
}

}  // namespace

const Entry* core_entries(uint32_t* count) {
  static const Entry kEntries[] = {
      {abi::kMarkEx, any(mark_ex)},
      {abi::kMarkA, any(mark_a)},
      {abi::kMarkW, any(mark_w)},
      {abi::kRangeStartEx, any(range_start_ex)},
      {abi::kRangeStartA, any(range_start_a)},
      {abi::kRangeStartW, any(range_start_w)},
      {abi::kRangeEnd, any(range_end)},
      {abi::kRangePushEx, any(range_push_ex)},
      {abi::kRangePushA, any(push_text)},
      {abi::kRangePushW, any(range_push_w)},
      {abi::kRangePop, any(pop_default)},
      {abi::kNameCategoryA, any(name_category_a)},
      {abi::kNameCategoryW, any(name_category_w)},
      {abi::kNameOsThreadA, any(name_os_thread_a)},
      {abi::kNameOsThreadW, any(name_os_thread_w)},
  };
  *count = sizeof kEntries / sizeof kEntries[0];
  return kEntries;
}

const Entry* core2_entries(uint32_t* count) {
  static const Entry kEntries[] = {
      {abi::kDomainMarkEx, any(domain_mark_ex)},
      {abi::kDomainRangeStartEx, any(domain_range_start_ex)},
      {abi::kDomainRangeEnd, any(domain_range_end)},
      {abi::kDomainRangePushEx, any(domain_range_push_ex)},
      {abi::kDomainRangePop, any(domain_range_pop)},
      {abi::kDomainNameCategoryA, any(domain_name_category_a)},
      {abi::kDomainNameCategoryW, any(domain_name_category_w)},
      {abi::kDomainRegisterStringA, any(domain_register_string_a)},
      {abi::kDomainRegisterStringW, any(domain_register_string_w)},
      {abi::kDomainCreateA, any(domain_create_a)},
      {abi::kDomainCreateW, any(domain_create_w)},
      {abi::kDomainDestroy, any(domain_destroy)},
      {abi::kInitialize, any(initialize)},
  };
  *count = sizeof kEntries / sizeof kEntries[0];
  return kEntries;
}

}  // namespace sextant::agent::nvtx
