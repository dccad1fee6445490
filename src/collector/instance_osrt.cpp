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

/// One call, read out of its record.
struct Call {
  const OsrtFunction* function;
  uint64_t duration, error, result, object, file, text;
  bool waits, failed, named;
};

Call read_call(const spool::Record& record, const OsrtFunction& function) {
  const spool::ValueSlot slot = spool::value_slot(record, 1);
  const bool wide = (record.flags & spool::kOsrtWide) != 0;
  Call c{};
  c.function = &function;
  c.duration = slot.a & spool::kOsrtMaxDuration;
  c.error = slot.a >> 48;
  c.result = wide ? extended(record.name) : slot.b;
  c.object = wide ? slot.b : function.object != OsrtObject::kNone ? extended(record.name) : 0;
  c.waits = (record.flags & spool::kOsrtWaits) != 0;
  c.failed = (record.flags & spool::kOsrtFailed) != 0;
  c.named = (record.flags & spool::kOsrtNamed) != 0;
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
  namespace call = event::osrt_call;
  const auto functions = event::osrt_functions();
  if (record.domain >= functions.size()) {
    ++counts_.damaged;
    return;
  }
  const Call c = read_call(record, functions[record.domain]);
  const bool has_text = c.text != 0 && c.text <= UINT32_MAX && !counts_bytes(*c.function);
  const uint64_t text = has_text ? name(static_cast<uint32_t>(c.text)) : 0;
  const OsrtObject object = c.function->object;
  uint64_t nulls = bit(call::kCallChain) | bit(call::kArguments);
  if (object == OsrtObject::kNone) nulls |= bit(call::kObject);
  if (c.file == 0) nulls |= bit(call::kFile);
  append_row(
      &group.extra.osrt_calls,
      {stamp, c.duration, kEventClass, origin_.process, ring.tid, osrt_name(record.domain), c.result, 0, 0, 0,
       c.error, c.object, static_cast<uint64_t>(object), c.file, static_cast<uint64_t>(c.function->family),
       (c.waits ? uint64_t{call::kWaits} : 0) | (c.failed ? uint64_t{call::kFailed} : 0), text, nulls});
  ++counts_.calls;
  last_stamp_ = std::max(last_stamp_, stamp + c.duration);
  if (!c.named || !is_stored(c.function->access)) return;
  add_file_rows(ring, stamp,
                {c.duration, c.error, c.result, c.object, c.file, counts_bytes(*c.function) ? c.text : text,
                 c.function, c.failed},
                group);
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
