// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows about OpenCL, gathered with a group. Commands keep the times of their devices until the group is
// written: by then the clocks of the devices have been seen on both sides of them. Not thread-safe.
#pragma once

#include <vector>

#include "event/schema_opencl.h"
#include "report/writer.h"
#include "spool/opencl.h"

namespace sextant::collector {

class OpenclSource;

/// A command that is complete.
struct OpenclDone {
  OpenclSource* source;
  spool::opencl::DoneSlots slots;
  uint64_t seen;    // stamp of the moment when its end was heard of
  uint64_t tid;     // of the thread that heard of it
  uint32_t launch;  // string id of the arena
  uint16_t function;
  uint8_t flags;
};

struct OpenclRows {
  report::Rows kernels{*event::find_table(event::kOpenclKernel)};
  report::Rows memory{*event::find_table(event::kOpenclMemory)};
  report::Rows syncs{*event::find_table(event::kOpenclSync)};
  report::Rows calls{*event::find_table(event::kOpenclApi)};
  report::Rows untimed{*event::find_table(event::kOpenclUntimed)};
  report::Rows platforms{*event::find_table(event::kOpenclPlatform)};
  report::Rows devices{*event::find_table(event::kOpenclDevice)};
  report::Rows contexts{*event::find_table(event::kOpenclContext)};
  report::Rows queues{*event::find_table(event::kOpenclQueue)};
  report::Rows programs{*event::find_table(event::kOpenclProgram)};
  report::Rows builds{*event::find_table(event::kOpenclBuild)};
  report::Rows arguments{*event::find_table(event::kOpenclArgument)};
  report::Rows untraced{*event::find_table(event::kOpenclUntracedCall)};
  report::Rows clocks{*event::find_table(event::kDeviceClock)};
  std::vector<OpenclDone> done;

  std::vector<report::Rows*> all() {
    return {&kernels,  &memory, &syncs,    &calls,  &untimed,   &platforms, &devices,
            &contexts, &queues, &programs, &builds, &arguments, &untraced,  &clocks};
  }
  size_t count() const {
    return done.size() + calls.count() + untimed.count() + kernels.count() + memory.count() + syncs.count();
  }
  void clear() {
    for (report::Rows* rows : all()) rows->clear();
    done.clear();
  }
  /// Turns `done` into rows. `ticks_per_ns`: of the recording's clock.
  void settle(double ticks_per_ns);
};

}  // namespace sextant::collector
