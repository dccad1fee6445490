// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What records of OpenCL hold (docs/formats/spool.md §5.2), and the functions of OpenCL by number: their
// place in the table by which loader, layers and implementations know each other. Numbers of objects count
// from 1 in each process; 0 is none.
#pragma once

#include <cstdint>

#include "spool/format.h"

namespace sextant::spool {

/// Beside the agent: exports functions of OpenCL, for libraries that take no layers.
inline constexpr char kOpenclExports[] = "libsextant-opencl.so";

}  // namespace sextant::spool

namespace sextant::spool::opencl {

/// A bit of ProcessPage::loss_reasons that is no loss: OpenCL has begun in this image. Its numbers count from
/// 1 again where a process executes another program.
inline constexpr uint32_t kBegun = 1u << 31;

/// Slot::flags of kClEnqueue and kClDone.
enum Flags : uint8_t {
  kBlocking = 1,     // the call was to wait for the command
  kNotMeasured = 2,  // its queue does not measure: no kClDone follows
  kNotFollowed = 4,  // no memory or no way to hear of its end: no kClDone follows
  kNoStamps = 8,     // kClDone: the driver has no stamps of it
};

/// `domain` of kClObject. Its name is a description: numbers of 8 bytes, texts as a number and that many
/// bytes.
enum class Object : uint16_t {
  kPlatform = 1,  // name, vendor, version, profile
  kDevice = 2,    // platform, name, vendor, version, driver, type, compute units, MHz, global bytes, local
                  // bytes, largest group, timer resolution, parent
  kContext = 3,   // number of devices
  kQueue = 4,     // context, device, asked, properties
  kProgram = 5,   // context, origin (event::opencl_program::Origin), bytes, hash of what it was made from
};

/// The name of kClEnqueue and kClDone of a kernel: what was launched.
struct Launch {
  uint32_t kernel;     // string id of its name
  uint32_t program;    // number
  uint32_t arguments;  // string id of Argument[], 0: not known
  uint32_t dimensions;
  uint64_t offset[3], global[3], local[3];  // local 0: left to the implementation
};
static_assert(sizeof(Launch) == 88);

struct Argument {
  uint64_t kind;  // event::opencl_argument::Kind
  uint64_t bytes;
};

/// kClDone, behind the first slot.
struct DoneSlots {
  uint64_t correlation;
  uint64_t bytes;      // of a memory command; events waited for, of others
  uint64_t called;     // stamp
  uint64_t call_took;  // until the call returned
  uint32_t queue, device, context;
  int32_t status;                              // of its event: 0 complete, or an error
  uint64_t queued, submitted, started, ended;  // the device's clock, nanoseconds
};
static_assert(sizeof(DoneSlots) == 5 * kSlotBytes);

/// kClBuild, behind the first slot, whose name are the options and whose domain is the step
/// (event::opencl_build::Step).
struct BuildSlots {
  uint64_t took;
  uint32_t program, device;
  int32_t result, status;
  uint32_t reserved;
  uint32_t log;  // string id
  uint64_t reserved_too;
  uint64_t log_bytes;
};
static_assert(sizeof(BuildSlots) == 3 * kSlotBytes);

inline constexpr const char* kFunctions[] = {
#define SEXTANT_CL_HOOKED(name) "cl" #name,
#define SEXTANT_CL_PASSED(name) "cl" #name,
#include "spool/opencl_functions.def"
#undef SEXTANT_CL_HOOKED
#undef SEXTANT_CL_PASSED
};
inline constexpr uint32_t kFunctionCount = sizeof kFunctions / sizeof kFunctions[0];

}  // namespace sextant::spool::opencl
