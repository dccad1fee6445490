// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of everything beside NVTX ranges and marks, gathered with a group. Not thread-safe.
#pragma once

#include <vector>

#include "event/schema_nvtx.h"
#include "report/writer.h"

namespace sextant::collector {

struct ExtraRows {
  report::Rows resources{*event::find_table(event::kNvtxResource)};
  report::Rows syncs{*event::find_table(event::kNvtxSyncEvent)};
  report::Rows memory{*event::find_table(event::kNvtxMemoryEvent)};
  report::Rows registrations{*event::find_table(event::kNvtxRegistration)};
  report::Rows schema_fields{*event::find_table(event::kNvtxSchemaField)};
  report::Rows enum_values{*event::find_table(event::kNvtxEnumValue)};
  report::Rows scopes{*event::find_table(event::kNvtxOwnScope)};
  report::Rows counters{*event::find_table(event::kNvtxCounter)};
  report::Rows samples{*event::find_table(event::kNvtxCounterSample)};
  report::Rows payloads{*event::find_table(event::kNvtxPayload)};
  report::Rows values{*event::find_table(event::kNvtxPayloadValue)};
  report::Rows osrt_calls{*event::find_table(event::kOsrtCall)};
  report::Rows osrt_accesses{*event::find_table(event::kOsrtFileAccess)};
  report::Rows osrt_files{*event::find_table(event::kOsrtFile)};

  std::vector<report::Rows*> all() {
    return {&resources, &syncs,   &memory,   &registrations, &schema_fields, &enum_values,   &scopes,
            &counters,  &samples, &payloads, &values,        &osrt_calls,    &osrt_accesses, &osrt_files};
  }
  /// Of those that can be many.
  size_t count() const {
    return syncs.count() + memory.count() + samples.count() + values.count() + osrt_calls.count();
  }
  void clear() {
    for (report::Rows* rows : all()) rows->clear();
  }
};

}  // namespace sextant::collector
