// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// exec and posix_spawn, interposed: the process table learns what is about to run, and programs that cannot
// load the agent are started without it (a static NVTX program crashes when it opens a tool; the linker of
// another machine complains on stderr). Everything else goes to the next definition unchanged. Works in vfork
// children: no allocation, no state of the parent touched.
#include <alloca.h>
#include <cerrno>
#include <cstdarg>

#include "agent/core/environment.h"
#include "agent/core/image.h"
#include "agent/core/init.h"
#include "agent/core/libc.h"
#include "agent/core/osrt.h"
#include "agent/core/sys.h"

extern char** environ;

namespace sextant::agent {

using spool::ExitKind;
using spool::ProcessPage;
using spool::Untraced;

namespace {

constexpr size_t kMainStackRoom = 32768;  // larger copies of an environment go into a mapping
constexpr size_t kSmallStackRoom = 2048;
constexpr uintptr_t kMainStackBytes = 8 << 20;
constexpr size_t kPathRoom = 4096;

/// What a copy may take of the stack that this runs on. The main stack grows; others may have 16 KiB in all.
size_t stack_room() {
  uintptr_t top = g_setup.main_stack_top, here = base::arch::stack_pointer();
  return top - here < kMainStackBytes ? kMainStackRoom : kSmallStackRoom;
}

/// What find_program() needs at most.
size_t searched_path_room(const char* file, const char* search) {
  size_t bytes = std::strlen(file) + (search != nullptr ? std::strlen(search) : 0) + kDefaultSearchBytes + 2;
  return bytes < kPathRoom ? bytes : kPathRoom;
}

bool active() {
  return g_setup.stage.load(std::memory_order_acquire) == static_cast<uint32_t>(Stage::kReady) &&
         may_call() && (sextant_borrowed & kBorrowerConfined) == 0;
}

/// True in a child that borrows its parent's memory (vfork, clone with CLONE_VM): the process page is not its
/// own.
bool borrowed() {
  return sextant_borrowed != 0 || (g_state->pid != 0 && g_state->pid != sys::process_id());
}

Untraced judge(const char* path, int fd, char* const* environment) {
  Untraced image = inspect_image(path, fd);
  if (image != Untraced::kNo) return image;
  if (!environment_has_agent(environment, g_setup.agent_path)) return Untraced::kEnvironment;
  if (sys::system_call(SYS_faccessat, AT_FDCWD, reinterpret_cast<long>(g_setup.agent_path), 4 /* R_OK */) !=
      0)
    return Untraced::kAgentInvisible;
  return Untraced::kNo;
}

/// A static program ignores the preload and hands it on to what it starts; only the NVTX tool is dangerous in
/// it.
bool preload_harms(Untraced reason) {
  return reason == Untraced::kArchitecture || reason == Untraced::kMusl || reason == Untraced::kSanitizer ||
         reason == Untraced::kAgentInvisible;
}
bool must_strip(Untraced reason) {
  return reason == Untraced::kStatic || preload_harms(reason);
}

/// What was written about an exec, so that it can be taken back when the exec fails.
struct Note {
  ProcessPage* page = nullptr;
  bool separate = false;
};

Note note_exec(Untraced reason, const char* path) {
  Note note;
  if (borrowed()) {
    note.separate = true;
    if (reason != Untraced::kNo)
      note.page = note_untraced(sys::process_id(), static_cast<uint32_t>(sys::system_call(SYS_getppid)),
                                reason, path);
    return note;
  }
  if (!register_process()) return note;
  note.page = g_state->page;
  sys::copy_text(note.page->exec_path, sizeof note.page->exec_path, path);
  note.page->exec_untraced.store(static_cast<uint32_t>(reason), std::memory_order_relaxed);
  note.page->end_stamp.store(now(), std::memory_order_relaxed);
  note.page->exit_kind.store(static_cast<uint32_t>(ExitKind::kExec), std::memory_order_release);
  return note;
}

void take_back(const Note& note) {
  if (note.page == nullptr) return;
  if (note.separate) {
    note.page->untraced.store(static_cast<uint32_t>(Untraced::kNo), std::memory_order_relaxed);
    return;
  }
  note.page->exit_kind.store(static_cast<uint32_t>(ExitKind::kNone), std::memory_order_relaxed);
  note.page->exec_untraced.store(0, std::memory_order_relaxed);
  note.page->end_stamp.store(0, std::memory_order_relaxed);
  note.page->exec_path[0] = 0;
}

/// Runs `call(environment)` with notes and, where needed, a stripped copy of the environment.
template <typename Call>
[[gnu::always_inline]] inline int exec_with(const char* path, int fd, char* const* environment, Call call) {
  libc::resolve();
  if (!active()) return call(environment);
  Untraced reason = judge(path, fd, environment);
  void* mapped = nullptr;
  size_t room = 0;
  if (must_strip(reason)) {
    room = stripped_room(environment);
    void* copy = room <= stack_room() ? alloca(room) : mapped = sys::map_private(room);
    if (copy != nullptr)
      environment = strip_environment(environment, g_setup.agent_path, preload_harms(reason), copy);
  }
  Note note = note_exec(reason, path != nullptr ? path : "(descriptor)");
  int result = call(environment);
  int error = errno;
  take_back(note);
  if (mapped != nullptr) sys::unmap(mapped, room);
  errno = error;
  return result;
}

[[gnu::noinline]] int exec_path(const char* path, char* const* arguments, char* const* environment) {
  return exec_with(path, -1, environment, [&](char* const* e) { return libc::execve(path, arguments, e); });
}

[[gnu::noinline]] int exec_searched(const char* file, char* const* arguments, char* const* environment) {
  const char* search = environment_value(environ, "PATH");
  size_t room = searched_path_room(file, search);
  char* path = static_cast<char*>(alloca(room));
  if (!find_program(file, search, path, room)) sys::copy_text(path, room, file);
  return exec_with(path, -1, environment, [&](char* const* e) { return libc::execvpe(file, arguments, e); });
}

using SpawnFunction = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                          char* const[], char* const[]);

int spawn(SpawnFunction* real, pid_t* pid, const char* file, const char* path,
          const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
          char* const* arguments, char* const* environment) {
  if (!active()) return real(pid, file, actions, attributes, arguments, environment);
  Untraced reason = judge(path, -1, environment);
  void* mapped = nullptr;
  size_t room = 0;
  if (must_strip(reason)) {
    room = stripped_room(environment);
    void* copy = room <= stack_room() ? alloca(room) : mapped = sys::map_private(room);
    if (copy != nullptr)
      environment = strip_environment(environment, g_setup.agent_path, preload_harms(reason), copy);
  }
  pid_t child = 0;
  const uint64_t begin = now();
  int result = real(&child, file, actions, attributes, arguments, environment);
  if (sextant_osrt_spawned != nullptr)
    sextant_osrt_spawned(real == libc::posix_spawnp, begin, result, result == 0 ? child : 0);
  if (result == 0 && pid != nullptr) *pid = child;
  if (result == 0 && reason != Untraced::kNo)
    note_untraced(static_cast<uint32_t>(child), sys::process_id(), reason, path);
  if (mapped != nullptr) sys::unmap(mapped, room);
  return result;
}

/// The arguments of execl and its kin, from the first on, into an array on the caller's stack.
#define SEXTANT_COLLECT(arguments, list, first)                                \
  va_list list;                                                                \
  va_start(list, first);                                                       \
  size_t count = 1;                                                            \
  while (va_arg(list, const char*) != nullptr) ++count;                        \
  va_end(list);                                                                \
  char** arguments = static_cast<char**>(alloca((count + 1) * sizeof(char*))); \
  va_start(list, first);                                                       \
  arguments[0] = const_cast<char*>(first);                                     \
  for (size_t i = 1; i <= count; ++i) arguments[i] = va_arg(list, char*)

}  // namespace
}  // namespace sextant::agent

using namespace sextant::agent;  // NOLINT: the definitions below are the C library's names

extern "C" {

#define SEXTANT_HOOK __attribute__((visibility("default")))

SEXTANT_HOOK int execve(const char* path, char* const arguments[], char* const environment[]) noexcept {
  return exec_path(path, arguments, environment);
}
SEXTANT_HOOK int execv(const char* path, char* const arguments[]) noexcept {
  return exec_path(path, arguments, environ);
}
SEXTANT_HOOK int execvp(const char* file, char* const arguments[]) noexcept {
  return exec_searched(file, arguments, environ);
}
SEXTANT_HOOK int execvpe(const char* file, char* const arguments[], char* const environment[]) noexcept {
  return exec_searched(file, arguments, environment);
}
SEXTANT_HOOK int execl(const char* path, const char* first, ...) noexcept {
  SEXTANT_COLLECT(arguments, list, first);
  va_end(list);
  return exec_path(path, arguments, environ);
}
SEXTANT_HOOK int execlp(const char* file, const char* first, ...) noexcept {
  SEXTANT_COLLECT(arguments, list, first);
  va_end(list);
  return exec_searched(file, arguments, environ);
}
SEXTANT_HOOK int execle(const char* path, const char* first, ...) noexcept {
  SEXTANT_COLLECT(arguments, list, first);
  char* const* environment = va_arg(list, char* const*);
  va_end(list);
  return exec_path(path, arguments, environment);
}
SEXTANT_HOOK int fexecve(int fd, char* const arguments[], char* const environment[]) noexcept {
  return exec_with(nullptr, fd, environment, [&](char* const* e) { return libc::fexecve(fd, arguments, e); });
}
SEXTANT_HOOK int execveat(int folder, const char* path, char* const arguments[], char* const environment[],
                          int flags) noexcept {
  auto call = [&](char* const* e) {
    if (libc::execveat != nullptr) return libc::execveat(folder, path, arguments, e, flags);
    long result = sys::system_call(SYS_execveat, folder, reinterpret_cast<long>(path),
                                   reinterpret_cast<long>(arguments), reinterpret_cast<long>(e), flags);
    errno = static_cast<int>(-result);
    return -1;
  };
  if ((flags & AT_EMPTY_PATH) != 0 && path[0] == 0) return exec_with(nullptr, folder, environment, call);
  if (path[0] == '/' || folder == AT_FDCWD) return exec_with(path, -1, environment, call);
  int fd = active() ? static_cast<int>(sys::system_call(SYS_openat, folder, reinterpret_cast<long>(path),
                                                        O_RDONLY | O_CLOEXEC | O_NONBLOCK))
                    : -1;
  int result = exec_with(nullptr, fd, environment, call);
  int error = errno;
  if (fd >= 0) sys::close_file(fd);
  errno = error;
  return result;
}
SEXTANT_HOOK int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, char* const arguments[],
                             char* const environment[]) {
  libc::resolve();
  return spawn(libc::posix_spawn, pid, path, path, actions, attributes, arguments, environment);
}
SEXTANT_HOOK int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const arguments[],
                              char* const environment[]) {
  libc::resolve();
  const char* search = environment_value(environ, "PATH");
  size_t room = searched_path_room(file, search);
  char* path = static_cast<char*>(alloca(room));
  if (!find_program(file, search, path, room)) sys::copy_text(path, room, file);
  return spawn(libc::posix_spawnp, pid, file, path, actions, attributes, arguments, environment);
}

}  // extern "C"
