// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of OpenCL commands: OpenCL's numbers (the column `command`), which table has their rows, and what
// people call them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "event/schema_opencl.h"

namespace sextant::event {

enum class Transfer : uint8_t { kNone, kToDevice, kToHost, kWithinDevice, kFill, kMap };

struct OpenclCommand {
  uint16_t number;         // CL_COMMAND_...
  TableId table;           // kOpenclKernel, kOpenclMemory or kOpenclSync
  Transfer transfer;       // of memory commands
  std::string_view label;  // "[OpenCL write buffer]"
};

std::span<const OpenclCommand> opencl_commands();  // by number

/// nullptr: one that is not known, to be kept in opencl_sync.
const OpenclCommand* find_opencl_command(uint64_t number);

/// "[OpenCL write buffer]"; "[OpenCL command]" for one that is not known.
std::string_view opencl_command_label(uint64_t number);

}  // namespace sextant::event
