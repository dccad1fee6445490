// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Structured payloads of events (NVTX's payload extension): their bytes go into records as they are, together
// with the texts that they point to where a schema asks for copies. What they mean is the collector's
// business.
#pragma once

#include "agent/core/thread.h"
#include "agent/sources/nvtx/abi.h"
#include "agent/sources/nvtx/abi_modules.h"
#include "agent/sources/nvtx/callbacks.h"
#include "agent/sources/nvtx/handles.h"

namespace sextant::agent::nvtx {

/// A number for an event or a range, unique within the recording's process.
inline uint64_t next_event(ThreadBlock* t) {
  return base::arch::fetch_add_same_thread(&t->ranges, uint64_t{1}) + 1;
}

/// Records `count` payloads as parts of `event`.
void record_payloads(ThreadBlock* t, uint64_t stamp, uint16_t domain, spool::PayloadUse use, uint64_t event,
                     const abi::PayloadData* payloads, size_t count);

/// For event attributes with abi::kExtendedPayload: records the payloads, and puts their event into `words`,
/// which are those of AttributesSlots.
void record_extended(ThreadBlock* t, uint64_t stamp, uint16_t domain, const abi::EventAttributes& attributes,
                     uint64_t* words);

/// What goes into the slots of extension modules; entries of `number` ascend. nullptr: no such module.
const Entry* payload_entries(uint32_t* count);
const Entry* counter_entries(uint32_t* count);
const Entry* memory_entries(uint32_t* count);

}  // namespace sextant::agent::nvtx
