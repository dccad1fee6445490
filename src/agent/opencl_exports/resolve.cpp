// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// libsextant-opencl.so: programs that are linked to a libOpenCL without layers. Preloaded behind the agent,
// it exports the functions that the agent hooks, finds the ones that the program would have called, and gives
// them to the agent as a loader gives a layer what is below it. Where that library takes layers, or the agent
// records none of it, calls pass.
#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "agent/core/old_version.h"
#include "agent/sources/opencl/abi.h"
#include "spool/opencl.h"

namespace {

namespace abi = sextant::agent::opencl::abi;
namespace cl = sextant::spool::opencl;

SEXTANT_OLD_VERSION(dlsym);
SEXTANT_OLD_VERSION(dlopen);

}  // namespace

// What exports.S reads. All threads that come first at once fill in the same; none waits for another, which
// may hold the linker's lock.
extern "C" {
#pragma GCC visibility push(hidden)
extern std::atomic<abi::Entry> sextant_cl_ours[abi::kFunctionCount];
std::atomic<abi::Entry> sextant_cl_next[abi::kFunctionCount];
std::atomic<uintptr_t> sextant_cl_library, sextant_cl_library_bytes;
void sextant_cl_resolve();
#pragma GCC visibility pop
}

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

// What a program is answered that calls a function which nobody has. It has looked for the name by itself,
// and could not have found it without us.
int32_t none() {
  constexpr int32_t kPlatformNotFound = -1001;
  return kPlatformNotFound;
}
void* no_object() {
  return nullptr;
}

bool gives_object(abi::Function function) {
  switch (function) {
    case abi::kEnqueueMapBuffer:
    case abi::kEnqueueMapImage:
    case abi::kGetExtensionFunctionAddress:
    case abi::kGetExtensionFunctionAddressForPlatform:
    case abi::kLinkProgram:
    case abi::kCloneKernel:
    case abi::kSVMAlloc:
      return true;
    case abi::kCreateKernelsInProgram:
      return false;
    default:
      return std::strncmp(cl::kFunctions[function], "clCreate", 8) == 0;
  }
}

/// What the program's own references lead to; else a library that only some module of it is linked to, as
/// extensions of interpreters are. nullptr: none.
void* library_handle() {
  const char* name = cl::kFunctions[abi::kGetPlatformIDs];
  if (dlsym(RTLD_NEXT, name) != nullptr) return RTLD_NEXT;
  for (const char* file : {"libOpenCL.so.1", "libOpenCL.so"})
    if (void* handle = dlopen(file, RTLD_LAZY | RTLD_NOLOAD)) return handle;
  return nullptr;
}

/// The loaded file that an address lies in.
struct Library {
  uintptr_t address;
  uintptr_t begin = 0, bytes = 0;
  bool takes_layers = false;
};

/// A loader that takes layers reads a variable, and has its name in it.
bool names_layers(const dl_phdr_info& file) {
  static constexpr char kVariable[] = "OPENCL_LAYERS";
  for (int i = 0; i < file.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && (part.p_flags & PF_R) != 0 &&
        memmem(reinterpret_cast<const void*>(file.dlpi_addr + part.p_vaddr), part.p_filesz, kVariable,
               sizeof kVariable) != nullptr)
      return true;
  }
  return false;
}

int look_at(dl_phdr_info* file, size_t, void* data) {
  auto* library = static_cast<Library*>(data);
  uintptr_t begin = UINTPTR_MAX, end = 0;
  bool inside = false;
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const uintptr_t from = file->dlpi_addr + part.p_vaddr, to = from + part.p_memsz;
    begin = from < begin ? from : begin;
    end = to > end ? to : end;
    inside = inside || (library->address >= from && library->address < to);
  }
  if (!inside) return 0;
  library->begin = begin;
  library->bytes = end - begin;
  library->takes_layers = names_layers(*file);
  return 1;
}

/// The agent's functions in front of `below`; nullptr: nothing is recorded.
const abi::Entry* hooks_of_agent(const abi::Entry* below) {
  using Interpose = const abi::Entry* (*)(const abi::Entry*);
  const auto interpose = reinterpret_cast<Interpose>(dlsym(RTLD_DEFAULT, "sextant_opencl_interpose"));
  return interpose != nullptr ? interpose(below) : nullptr;
}

}  // namespace

void sextant_cl_resolve() {
  abi::Entry below[abi::kFunctionCount] = {};
  void* handle = library_handle();
  for (uint32_t i = 0; handle != nullptr && i < abi::kFunctionCount; ++i)
    below[i] = reinterpret_cast<abi::Entry>(dlsym(handle, cl::kFunctions[i]));
  Library library{reinterpret_cast<uintptr_t>(below[abi::kGetPlatformIDs])};
  dl_iterate_phdr(look_at, &library);
  const bool ours = library.bytes != 0 && !library.takes_layers;
  const abi::Entry* hooks = ours ? hooks_of_agent(below) : nullptr;
  for (uint32_t i = 0; i < abi::kFunctionCount; ++i) {
    if (below[i] == nullptr)
      below[i] = gives_object(static_cast<abi::Function>(i)) ? reinterpret_cast<abi::Entry>(no_object)
                                                             : reinterpret_cast<abi::Entry>(none);
    sextant_cl_next[i].store(below[i], kRelaxed);
  }
  sextant_cl_library.store(library.begin, kRelaxed);
  sextant_cl_library_bytes.store(hooks != nullptr ? library.bytes : 0, std::memory_order_release);
  for (uint32_t i = 0; i < abi::kFunctionCount; ++i)
    sextant_cl_ours[i].store(hooks != nullptr && hooks[i] != nullptr ? hooks[i] : below[i],
                             std::memory_order_release);
}
