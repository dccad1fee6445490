// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of Instance for records beside ranges and marks, and for reports that follow each other.
#include "collector/instance.h"

namespace sextant::collector {

using spool::Kind;

namespace {

constexpr size_t kMostLasting = 1u << 16;
constexpr uint64_t kThreadNative = 1u << 16 | 3;  // a resource that is a thread, by the system's number
constexpr uint64_t kDomainResource = 0x7fff0001;  // type of nvtx_resource: a domain, when it is destroyed

}  // namespace

/// The name of a mark, push or start; of one whose payload holds it, that.
uint32_t Instance::message_of(const spool::Record& record, const spool::Attributes& attributes) {
  const bool in_payload =
      record.name == 0 && attributes.payload_type == static_cast<uint8_t>(spool::PayloadType::kExtended);
  return in_payload ? extras_.take_message(attributes.payload) : name(record.name);
}

/// The open range that the next pop closes gets the payload, unless it has a plain one. The event that the
/// payload's rows are to name.
uint64_t Instance::link_pop(Ring& ring, uint16_t domain, uint64_t event) {
  DomainStack& stack = ring.stack(domain);
  if (stack.ranges.empty() || stack.too_deep != 0) return event;
  constexpr auto kExtended = static_cast<uint8_t>(spool::PayloadType::kExtended);
  OpenRange& range = stack.ranges.back();
  if ((range.flags & spool::kHasAttributes) == 0) {
    range.flags |= spool::kHasAttributes;
    stack.attributes.emplace_back();
  }
  spool::Attributes& attributes = stack.attributes.back();
  if (attributes.payload_type == kExtended) return attributes.payload;
  if (attributes.payload_type == 0) {
    attributes.payload_type = kExtended;
    attributes.payload = event;
  }
  return event;
}

void Instance::take_extra(Ring& ring, const spool::Record& record, uint64_t stamp, Group& group) {
  if (record.kind >= Kind::kClCall && record.kind <= Kind::kClUntraced)
    return opencl_.take(record, stamp, ring.tid, &group.opencl);
  const NvtxExtras::Origin origin{origin_.process, origin_.page, ring.tid, ring.serial};
  const uint32_t domain = domain_name(record.domain);
  if (record.kind == Kind::kOsrtCall) return take_call(ring, record, stamp, group);
  if (record.kind == Kind::kDomainEnd) {
    append_row(&group.extra.resources,
               {origin_.process, ring.tid, stamp, domain, kDomainResource, record.domain, domain,
                static_cast<uint64_t>(spool::ResourceAction::kDestroy), 0});
    return;
  }
  if (record.kind == Kind::kRegister) {
    std::string description;
    if (!arena_.reader().name(record.name, &description)) {
      arena_.refresh();
      if (!arena_.reader().name(record.name, &description)) ++counts_.damaged;
    }
    extras_.registered(record, description, origin, domain, &group.extra);
    return;
  }
  const bool names =
      record.kind == Kind::kResource || record.kind == Kind::kSync || record.kind == Kind::kMemory;
  if (record.kind == Kind::kResource) {
    const spool::ValueSlot what = spool::value_slot(record, 1);
    if ((what.b & UINT32_MAX) == kThreadNative && what.b >> 32 == 0)
      note_lasting(true, 0, what.a, record.name, group);
  }
  extras_.link_pop = [this, &ring](uint16_t of, uint64_t event) { return link_pop(ring, of, event); };
  extras_.take(record, stamp, origin, {names ? name(record.name) : 0, domain}, &group.extra);
  extras_.link_pop = nullptr;
}

void Instance::add_lasting(const Lasting& lasting, Group& group) {
  const uint32_t text = writer_.string_id(lasting.name);
  if (lasting.is_thread)
    append_row(&group.threads, {origin_.process, lasting.of, text});
  else
    append_row(&group.categories, {origin_.process, domain_name(lasting.domain), lasting.of, text});
}

void Instance::note_lasting(bool is_thread, uint16_t domain, uint64_t of, uint32_t named, Group& group) {
  Lasting lasting{is_thread, domain, of, std::string(writer_.string(name(named)))};
  add_lasting(lasting, group);
  if (is_thread && named_threads_.size() < kMostLasting) named_threads_.insert(static_cast<uint32_t>(of));
  if (windows_ != nullptr && lasting_.size() < kMostLasting) lasting_.push_back(std::move(lasting));
}

void Instance::begin_report(Group& group) {
  for (auto& [serial, ring] : rings_) {
    ring->open_ranges = 0;
    ring->stacks.clear();
  }
  counts_.unended = 0;
  for (size_t id = 1; id < domains_.size(); ++id) {
    if (!domains_[id].known) continue;
    domains_[id].name = writer_.string_id(domain_texts_[id]);
    append_row(&group.domains, {origin_.process, domains_[id].created, domains_[id].name, origin_.page, id});
  }
  for (const Lasting& lasting : lasting_) add_lasting(lasting, group);
  opencl_.begin_report(&group.opencl);
  extras_.begin_report(
      origin_.process, origin_.page, [this](uint16_t id) { return domain_name(id); }, &group.extra);
}

void Instance::end_report() {
  opencl_.end_report();
  names_ = NameTable();
  osrt_names_.clear();
  domain_texts_.clear();
  for (const Domain& domain : domains_) domain_texts_.emplace_back(writer_.string(domain.name));
}

}  // namespace sextant::collector
