// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// `filter` in the run folder: which NVTX events are wanted, and what became of the others
// (docs/formats/spool.md §10). It exists only where --nvtx-domain-include, --nvtx-domain-exclude or
// --capture-range were given; agents then have the flag kFiltered in `control`. Hostile input to readers, as
// all of the folder.
#pragma once

#include <cstdint>

#include "spool/format.h"

namespace sextant::spool {

inline constexpr uint32_t kFilterMagic = 0x46545853;  // "SXTF"
inline constexpr size_t kMaxCaptureNameBytes = 1000;
inline constexpr size_t kMaxDomainListBytes = 4000;
inline constexpr uint32_t kFilterStripes = 64;
inline constexpr uint32_t kMaxSeenNames = 512;
inline constexpr uint32_t kWindowStamps = 256;  // windows whose times are kept at once

enum class DomainFilter : uint32_t { kAll = 0, kInclude = 1, kExclude = 2 };
enum class CaptureDomain : uint32_t { kDefault = 0, kNamed = 1, kAny = 2 };

enum class CaptureState : uint32_t {
  kUnused = 0,   // no capture range: everything is wanted
  kArmed = 1,    // the next range of the name opens a window
  kOpening = 2,  // (A) somebody is at it
  kOpen = 3,
  kWaiting = 4,  // (C) before --delay
  kOver = 5,     // no other window will open
};

/// A range that occurred while nothing was captured yet. 128 bytes; cut texts end with NUL all the same.
struct SeenName {
  Shared<uint32_t> state;  // (A) 0 free, 1 being filled, 2 there
  uint32_t hash;
  Shared<uint64_t> count;
  char domain[40];
  char name[72];
};
static_assert(sizeof(SeenName) == 128);

struct alignas(64) FilterStripe {
  Shared<uint64_t> outside;   // (A) events outside of capture windows
  Shared<uint64_t> excluded;  // (A) events of domains that are not wanted
};

struct alignas(kPageBytes) FilterPage {
  uint32_t magic;  // (C) written last
  uint32_t version;
  uint32_t domain_filter;      // (C) DomainFilter
  uint32_t domains_bytes;      // (C)
  uint32_t default_is_listed;  // (C) the default domain is in the list
  uint32_t capture_domain;     // (C) CaptureDomain
  uint32_t windows_wanted;     // (C) 0: any number
  uint32_t to_the_end;         // (C) a window never closes
  uint32_t repeats;            // (C) each window has a report of its own
  uint32_t wait_for_report;    // (C) the thread that closes a window waits until its report is written
  Shared<uint32_t> state;      // (A)(C) CaptureState
  Shared<uint32_t> opened;     // (A) windows so far
  Shared<uint32_t> closed;     // (A)
  Shared<uint32_t> written;    // (C) windows whose report is complete
  Shared<uint32_t> opener_pid, opener_tid;    // (A) of the last window
  Shared<uint64_t> opener_range;              // (A) number of a start/end range, 0: push/pop
  Shared<uint64_t> seen_elsewhere;            // (A) events whose name found no place in `seen`
  char range[kMaxCaptureNameBytes + 24];      // (C) NUL-terminated
  char domain[kMaxCaptureNameBytes + 24];     // (C) NUL-terminated
  char domains[kMaxDomainListBytes + 96];     // (C) names, each NUL-terminated
  Shared<uint64_t> opened_at[kWindowStamps];  // (A) stamps, by window % kWindowStamps; windows count from 1
  Shared<uint64_t> closed_at[kWindowStamps];
  FilterStripe stripes[kFilterStripes];
  SeenName seen[kMaxSeenNames];
};

}  // namespace sextant::spool
