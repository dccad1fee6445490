// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of Instance for calls of the C library (docs/formats/spool.md §11). A call is one record and one
// row; with --osrt-file-access what it did to a file is another one.
#include <algorithm>

#include "collector/instance.h"
#include "event/osrt_functions.h"
#include "event/schema_system.h"

namespace sextant::collector {

using event::OsrtAccess;
using event::OsrtFamily;
using event::OsrtFunction;
using event::OsrtObject;

namespace {

constexpr uint64_t kEventClass = 27;  // nsys's number for a call of the runtime

constexpr uint64_t bit(uint16_t column) {
  return uint64_t{1} << column;
}

/// Sign-extended where a result or descriptor has 32 bits.
uint64_t extended(uint32_t value) {
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(value)));
}

/// Where a record keeps the detail: spool::compose's counterpart (agent/sources/osrt/record.h).
void take_detail(const OsrtFunction& function, bool wide, uint32_t name, uint64_t value, InstanceCall* c) {
  const bool in_name = wide || function.object == OsrtObject::kNone;
  c->detail = event::whole_detail(function.detail, in_name ? name : static_cast<uint32_t>(value >> 32));
  c->detail_kind = event::shown_detail(function.detail);
  if (!in_name)
    c->result = extended(static_cast<uint32_t>(value));
  else if (wide)  // such functions say nothing but whether they failed
    c->result = !c->failed ? 0 : function.failure == event::OsrtFailure::kErrorNumber ? c->error : UINT64_MAX;
}

/// The words of a record but for the time.
InstanceCall read_call(uint32_t name, uint8_t flags, uint64_t duration_error, uint64_t value,
                       const OsrtFunction& function) {
  const bool wide = (flags & spool::kOsrtWide) != 0;
  InstanceCall c{};
  c.function = &function;
  c.duration = duration_error & spool::kOsrtMaxDuration;
  c.error = duration_error >> 48;
  c.result = wide ? extended(name) : value;
  c.object = wide ? value : function.object != OsrtObject::kNone ? extended(name) : 0;
  c.waits = (flags & spool::kOsrtWaits) != 0;
  c.failed = (flags & spool::kOsrtFailed) != 0;
  c.named = (flags & spool::kOsrtNamed) != 0;
  c.unfinished = (flags & spool::kOsrtUnfinished) != 0;
  if ((flags & spool::kOsrtDetail) != 0) take_detail(function, wide, name, value, &c);
  if (c.unfinished) c.result = 0;
  return c;
}

InstanceCall read_call(const spool::Record& record, const OsrtFunction& function) {
  const spool::ValueSlot slot = spool::value_slot(record, 1);
  InstanceCall c = read_call(record.name, record.flags, slot.a, slot.b, function);
  if (c.named) {
    const spool::ValueSlot more = spool::value_slot(record, 2);
    c.file = more.a;
    c.text = more.b;
  }
  return c;
}

/// fread and fwrite return a number of items: their bytes stand in the place of a text.
bool counts_bytes(const OsrtFunction& function) {
  return function.family == OsrtFamily::kStdio &&
         (function.access == OsrtAccess::kRead || function.access == OsrtAccess::kWrite);
}

bool is_stored(OsrtAccess access) {
  return access != OsrtAccess::kNone && access != OsrtAccess::kMakes;
}

}  // namespace

uint32_t Instance::osrt_name(uint16_t function) {
  const auto functions = event::osrt_functions();
  if (osrt_names_.empty()) osrt_names_.resize(functions.size());
  uint32_t& name = osrt_names_[function];
  if (name == 0) name = writer_.string_id(functions[function].name);
  return name;
}

void Instance::take_call(const Ring& ring, const spool::Record& record, uint64_t stamp, Group& group) {
  const auto functions = event::osrt_functions();
  if (record.domain >= functions.size()) {
    ++counts_.damaged;
    return;
  }
  const InstanceCall c = read_call(record, functions[record.domain]);
  const bool has_text = c.text != 0 && c.text <= UINT32_MAX && !counts_bytes(*c.function);
  const uint64_t text = has_text ? name(static_cast<uint32_t>(c.text)) : 0;
  add_call_row(c, record.domain, ring.tid, stamp, text, &group.extra.osrt_calls);
  ++counts_.calls;
  if (c.unfinished) ++counts_.unreturned;
  last_stamp_ = std::max(last_stamp_, stamp + c.duration);
  if (!c.named || c.unfinished || !is_stored(c.function->access)) return;
  add_file_rows(ring, stamp,
                {c.duration, c.error, c.result, c.object, c.file, counts_bytes(*c.function) ? c.text : text,
                 c.function, c.failed},
                group);
}

void Instance::add_call_row(const InstanceCall& c, uint16_t function, uint64_t tid, uint64_t stamp,
                            uint64_t text, report::Rows* rows) {
  namespace call = event::osrt_call;
  const OsrtObject object = c.function->object;
  uint64_t nulls = bit(call::kCallChain) | bit(call::kArguments);
  if (object == OsrtObject::kNone) nulls |= bit(call::kObject);
  if (c.file == 0) nulls |= bit(call::kFile);
  if (c.unfinished) nulls |= bit(call::kDuration) | bit(call::kReturnValue);
  if (c.detail_kind == event::OsrtDetail::kNone) nulls |= bit(call::kDetail);
  append_row(rows, {stamp,
                    c.duration,
                    kEventClass,
                    origin_.process,
                    tid,
                    osrt_name(function),
                    c.result,
                    0,
                    0,
                    0,
                    c.error,
                    c.object,
                    static_cast<uint64_t>(object),
                    c.file,
                    static_cast<uint64_t>(c.function->family),
                    (c.waits ? uint64_t{call::kWaits} : 0) | (c.failed ? uint64_t{call::kFailed} : 0) |
                        (c.unfinished ? uint64_t{call::kUnfinished} : 0),
                    text,
                    c.detail,
                    static_cast<uint64_t>(c.detail_kind),
                    nulls});
}

/// A call that goes on while it is read has other words before and after.
bool Instance::add_call_in_progress(const spool::CallInProgress& in, uint64_t end, uint64_t until,
                                    report::Rows* rows) {
  const uint64_t first = in.first.load(std::memory_order_acquire);
  if (first == 0 || (first & 0xff) != static_cast<uint64_t>(spool::Kind::kOsrtCall)) return false;
  const uint64_t second = in.second.load(std::memory_order_acquire);
  const uint64_t value = in.value.load(std::memory_order_acquire);
  const auto tid = static_cast<uint32_t>(in.tid.load(std::memory_order_acquire));
  if (in.first.load(std::memory_order_relaxed) != first) return false;
  const auto number = static_cast<uint16_t>(second >> 32);
  const auto functions = event::osrt_functions();
  const uint64_t stamp = spool::whole_stamp(first >> 8, origin_.start_stamp);
  if (number >= functions.size()) {
    ++counts_.damaged;
    return false;
  }
  if (stamp > until || restored_unreturned_.contains({stamp, tid})) return false;
  last_stamp_ = std::max(last_stamp_, stamp);
  const auto flags =
      static_cast<uint8_t>((second >> 56 & ~uint64_t{spool::kOsrtNamed}) | spool::kOsrtUnfinished);
  InstanceCall c = read_call(static_cast<uint32_t>(second), flags, 0, value, functions[number]);
  c.duration = end > stamp ? end - stamp : 0;
  add_call_row(c, number, tid, stamp, 0, rows);
  ++counts_.calls;
  ++counts_.unreturned;
  return true;
}

size_t Instance::add_calls_in_progress(uint64_t end, uint64_t until, report::Rows* rows) {
  end = std::min(end, until);
  size_t added = 0;
  const uint32_t count = arena_.reader().segment_count();
  for (uint32_t i = 0; i < count; ++i) {
    if (arena_.reader().state(i) != spool::SegmentState::kCalls) continue;
    spool::Segment segment;
    bool damaged = false;
    if (!arena_.reader().segment(i, &segment, &damaged)) arena_.refresh();
    if (!arena_.reader().segment(i, &segment, &damaged)) {
      if (damaged) ++counts_.damaged;
      continue;
    }
    const auto* calls = reinterpret_cast<const spool::CallsInProgress*>(segment.data);
    for (uint32_t thread = 0; thread < spool::kThreadsOfCalls; ++thread)
      for (const spool::CallInProgress& call : calls[thread].call)
        added += add_call_in_progress(call, end, until, rows) ? 1 : 0;
  }
  return added;
}

void Instance::add_file_rows(const Ring& ring, uint64_t stamp, const FileAccess& a, Group& group) {
  namespace access = event::osrt_file_access;
  namespace file = event::osrt_file;
  const OsrtAccess type = a.function->access;
  const bool opens = type == OsrtAccess::kOpen;
  uint64_t bytes = 0;
  if ((type == OsrtAccess::kRead || type == OsrtAccess::kWrite) && !a.failed)
    bytes = counts_bytes(*a.function) ? a.text : a.result;
  uint64_t context = opens ? a.text : 0;
  if (a.file == 0 && !opens)
    context = writer_.string_id("descriptor " + std::to_string(static_cast<int64_t>(a.object)));
  append_row(&group.extra.osrt_accesses, {stamp, a.duration, a.file, ring.tid, static_cast<uint64_t>(type), 0,
                                          bytes, context, origin_.process, a.error, bit(access::kCall)});
  if (!opens || a.failed || a.file == 0) return;
  const bool stream = a.function->family == OsrtFamily::kStdio;  // its result is no descriptor
  append_row(&group.extra.osrt_files,
             {stamp + a.duration, 0, a.file, origin_.pid, a.text, origin_.process, stream ? 0 : a.result,
              bit(file::kClosed) | (stream ? bit(file::kDescriptor) : 0)});
}

}  // namespace sextant::collector
