// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds of programs, in the foreground and in the background: how long they took, and for each device how
// they fared and what the compiler said. Drivers are not asked for the size of what they built: some of them
// build again for that.
#include "agent/core/names.h"
#include "agent/core/sys.h"
#include "agent/sources/opencl/call.h"

namespace sextant::agent::opencl {

using abi::Handle;
using event::opencl_build::Step;

namespace {

constexpr uint32_t kMostDevices = 16;  // of a build
constexpr int32_t kError = -2;         // CL_BUILD_ERROR

struct Build {
  Build(ThreadBlock* t, Step of, const char* text, Handle what, uint32_t devices, const Handle* list)
      : step(of), options(text != nullptr ? agent::name_of(&t->names, t->arena, text) : 0), program(what) {
    for (; list != nullptr && count < devices && count < kMostDevices; ++count) device[count] = list[count];
  }
  Build() = default;
  uint64_t begin = 0;
  Step step = Step::kBuild;
  uint32_t options = 0;  // string id
  Handle program = nullptr;
  uint32_t count = 0;  // of devices that were named
  Handle device[kMostDevices] = {};
};

/// The beginning of what the compiler said is kept where it failed.
uint32_t log_of(Handle program, Handle device, int32_t status, uint64_t* bytes) {
  using F = int32_t (*)(Handle, Handle, uint32_t, size_t, void*, size_t*);
  const auto get = next<F>(abi::kGetProgramBuildInfo);
  size_t size = 0;
  if (get(program, device, abi::kProgramBuildLog, 0, nullptr, &size) != abi::kSuccess || size <= 1) return 0;
  *bytes = size - 1;
  if (status != kError || !may_call()) return 0;
  auto* text = static_cast<char*>(sys::map_private(size));
  if (text == nullptr) return 0;
  constexpr size_t kKept = 1000;
  uint32_t id = 0;
  if (get(program, device, abi::kProgramBuildLog, size, text, nullptr) == abi::kSuccess)
    id = intern(text, size - 1 < kKept ? size - 1 : kKept);
  sys::unmap(text, size);
  return id;
}

void record_one(ThreadBlock* t, const Build& build, uint64_t end, int32_t result, const Program* program,
                Handle device) {
  using F = int32_t (*)(Handle, Handle, uint32_t, size_t, void*, size_t*);
  // where nobody can be asked, the call's result is all that is known
  int32_t status = result == abi::kSuccess ? 0 : kError;
  uint32_t log = 0;
  uint64_t log_bytes = 0;
  if (program != nullptr && device != nullptr) {
    int32_t told = 0;
    if (next<F>(abi::kGetProgramBuildInfo)(program->handle, device, abi::kProgramBuildStatus, sizeof told,
                                           &told, nullptr) == abi::kSuccess)
      status = told;
    log = log_of(program->handle, device, status, &log_bytes);
  }
  const Device* known = device_of(device);
  uint64_t words[8] = {
      spool::first_word(build.begin, spool::Kind::kClBuild),
      spool::second_word(build.options, static_cast<uint16_t>(build.step), 4, 0),
      end - build.begin,
      (program != nullptr ? program->number : 0) | uint64_t{known != nullptr ? known->number : 0} << 32,
      static_cast<uint32_t>(result) | uint64_t{static_cast<uint32_t>(status)} << 32,
      uint64_t{log} << 32,
      0,
      log_bytes};
  record<4>(t, words);
}

/// A record for each device: those that were named, else those of the program.
void record_build(ThreadBlock* t, Build build, uint64_t end, int32_t result) {
  Program* program = program_of(build.program);
  if (program != nullptr) record_program(t, program);
  if (program != nullptr && build.count == 0 &&
      next<abi::GetInfo>(abi::kGetProgramInfo)(build.program, abi::kProgramDevices, sizeof build.device,
                                               static_cast<void*>(build.device), nullptr) == abi::kSuccess) {
    const auto devices = value<uint32_t>(abi::kGetProgramInfo, build.program, abi::kProgramNumDevices);
    build.count = devices < kMostDevices ? devices : kMostDevices;
  }
  for (uint32_t i = 0; i < build.count; ++i) {
    record_device(t, device_of(build.device[i]));
    record_one(t, build, end, result, program, build.device[i]);
  }
  if (build.count == 0) record_one(t, build, end, result, program, nullptr);
}

/// A program's own function that is called when a build in the background is done, and what we add. Drivers
/// may call it before their function returns, and also where that returns an error.
struct Notice {
  std::atomic<uint64_t> taken;  // a number of its own for each build, 0: free
  abi::ProgramNotify notify;
  void* user;
  Build build;
  Handle context;               // of a program that is linked
  std::atomic<uint64_t> noted;  // `taken` of the build whose program is known
};
constexpr uint32_t kNotices = 64;  // at a time; more are not timed to their end
Notice g_notices[kNotices];

Notice* take_notice(uint64_t* ticket) {
  static std::atomic<uint64_t> last;
  *ticket = last.fetch_add(1, std::memory_order_relaxed) + 1;
  for (Notice& notice : g_notices) {
    uint64_t free = 0;
    if (notice.taken.compare_exchange_strong(free, *ticket, std::memory_order_acquire)) return &notice;
  }
  return nullptr;
}

/// What is linked becomes known when the function returns or its notice comes, whichever is first.
void note_linked(Notice* notice, uint64_t ticket, Handle made, Handle context) {
  if (notice == nullptr || notice->noted.exchange(ticket, std::memory_order_acq_rel) != ticket)
    add_program(made, context, event::opencl_program::Origin::kLinked, 0, 0);
}

void on_built(Handle program, void* user) {
  const uint64_t end = now();
  auto* notice = static_cast<Notice*>(user);
  const abi::ProgramNotify notify = notice->notify;
  void* theirs = notice->user;
  Build build = notice->build;
  if (build.step == Step::kLink && program != nullptr)
    note_linked(notice, notice->taken.load(std::memory_order_relaxed), program, notice->context);
  notice->taken.store(0, std::memory_order_release);
  build.program = program;
  if (ThreadBlock* t = recording_thread(abi::kBuildProgram)) record_build(t, build, end, abi::kSuccess);
  notify(program, theirs);
}

/// `call(&program, notify, user)` builds, and returns an error or success. Records the call and, if it is not
/// done in the background, the build.
template <typename Call>
void build(ThreadBlock* t, abi::Function function, Build own, Handle context, abi::ProgramNotify notify,
           void* user, Call call) {
  uint64_t ticket = 0;
  Notice* notice = notify != nullptr ? take_notice(&ticket) : nullptr;
  own.begin = now();
  if (notice != nullptr) {
    notice->notify = notify;
    notice->user = user;
    notice->context = context;
    notice->build = own;
  }
  const int32_t result = notice != nullptr ? call(&own.program, on_built, static_cast<void*>(notice))
                                           : call(&own.program, notify, user);
  const uint64_t end = now();
  if (own.step == Step::kLink && own.program != nullptr) note_linked(notice, ticket, own.program, context);
  record_call(t, function, own.begin, end, result, 0);
  if (notice == nullptr) return record_build(t, own, end, result);
  // where it was refused nobody calls, or somebody has called already
  if (result != abi::kSuccess && notice->taken.compare_exchange_strong(ticket, 0, std::memory_order_acq_rel))
    record_build(t, own, end, result);
}

int32_t build_program(Handle program, uint32_t devices, const Handle* list, const char* options,
                      abi::ProgramNotify notify, void* user) {
  using F = int32_t (*)(Handle, uint32_t, const Handle*, const char*, abi::ProgramNotify, void*);
  const auto below = next<F>(abi::kBuildProgram);
  ThreadBlock* t = recording_thread(abi::kBuildProgram);
  if (t == nullptr) return below(program, devices, list, options, notify, user);
  int32_t result = abi::kSuccess;
  build(t, abi::kBuildProgram, {t, Step::kBuild, options, program, devices, list}, nullptr, notify, user,
        [&](Handle*, abi::ProgramNotify n, void* u) {
          return result = below(program, devices, list, options, n, u);
        });
  return result;
}

int32_t compile_program(Handle program, uint32_t devices, const Handle* list, const char* options,
                        uint32_t headers, const Handle* header_list, const char** names,
                        abi::ProgramNotify notify, void* user) {
  using F = int32_t (*)(Handle, uint32_t, const Handle*, const char*, uint32_t, const Handle*, const char**,
                        abi::ProgramNotify, void*);
  const auto below = next<F>(abi::kCompileProgram);
  ThreadBlock* t = recording_thread(abi::kCompileProgram);
  if (t == nullptr) return below(program, devices, list, options, headers, header_list, names, notify, user);
  int32_t result = abi::kSuccess;
  build(t, abi::kCompileProgram, {t, Step::kCompile, options, program, devices, list}, nullptr, notify, user,
        [&](Handle*, abi::ProgramNotify n, void* u) {
          return result = below(program, devices, list, options, headers, header_list, names, n, u);
        });
  return result;
}

Handle link_program(Handle context, uint32_t devices, const Handle* list, const char* options,
                    uint32_t programs, const Handle* program_list, abi::ProgramNotify notify, void* user,
                    int32_t* error) {
  using F = Handle (*)(Handle, uint32_t, const Handle*, const char*, uint32_t, const Handle*,
                       abi::ProgramNotify, void*, int32_t*);
  const auto below = next<F>(abi::kLinkProgram);
  ThreadBlock* t = recording_thread(abi::kLinkProgram);
  Handle linked = nullptr;
  int32_t own = abi::kSuccess;
  int32_t* result = error != nullptr ? error : &own;
  const auto call = [&](Handle* made, abi::ProgramNotify n, void* u) {
    *made = linked = below(context, devices, list, options, programs, program_list, n, u, result);
    return *result;
  };
  if (t == nullptr) {
    call(&linked, notify, user);
    if (linked != nullptr) note_linked(nullptr, 0, linked, context);
  } else {
    build(t, abi::kLinkProgram, {t, Step::kLink, options, nullptr, devices, list}, context, notify, user,
          call);
  }
  return linked;
}

}  // namespace

const Hook* build_hooks(uint32_t* count) {
  static const Hook kHooks[] = {
      {abi::kBuildProgram, any(build_program)},
      {abi::kCompileProgram, any(compile_program)},
      {abi::kLinkProgram, any(link_program)},
  };
  *count = sizeof kHooks / sizeof kHooks[0];
  return kHooks;
}

}  // namespace sextant::agent::opencl
