// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/core/libc.h"

#include <dlfcn.h>

#include "agent/core/old_version.h"
#include "agent/core/sys.h"

SEXTANT_OLD_VERSION(dlsym);
SEXTANT_OLD_VERSION(dladdr);

extern "C" {
extern void* __dso_handle  // NOLINT(bugprone-reserved-identifier): the linker gives it
    __attribute__((visibility("hidden")));
extern int dladdr(const void*, Dl_info*) noexcept __attribute__((weak));
}

namespace sextant::agent::libc {

int (*register_atfork)(void (*)(), void (*)(), void (*)(), void*);
int (*on_exit)(void (*)(int, void*), void*);
int (*pthread_key_create)(pthread_key_t*, void (*)(void*));
int (*pthread_setspecific)(pthread_key_t, const void*);
const char* (*gnu_get_libc_version)();
void (*find_own_path)(char* to, size_t room);
int (*execve)(const char*, char* const[], char* const[]);
int (*execvpe)(const char*, char* const[], char* const[]);
int (*fexecve)(int, char* const[], char* const[]);
int (*execveat)(int, const char*, char* const[], char* const[], int);
int (*posix_spawn)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                   char* const[], char* const[]);
int (*posix_spawnp)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                    char* const[], char* const[]);
void (*quick_exit)(int);
int (*pthread_setname_np)(pthread_t, const char*);

namespace {

template <typename F>
void next(F** to, const char* name) {
  *to = reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

void own_path(char* to, size_t room) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&own_path), &info) != 0 && info.dli_fname != nullptr)
    sys::copy_text(to, room, info.dli_fname);
}

}  // namespace

void* dso_handle() {
  return &__dso_handle;
}

void* find_next(const char* name) {
  return dlsym(RTLD_NEXT, name);
}
void* find_first(const char* name) {
  return dlsym(RTLD_DEFAULT, name);
}

void resolve() {
  static bool done;
  if (__atomic_load_n(&done, __ATOMIC_ACQUIRE)) return;
  next(&register_atfork, "__register_atfork");
  next(&on_exit, "on_exit");
  next(&pthread_key_create, "pthread_key_create");
  next(&pthread_setspecific, "pthread_setspecific");
  next(&gnu_get_libc_version, "gnu_get_libc_version");
  next(&execve, "execve");
  next(&execvpe, "execvpe");
  next(&fexecve, "fexecve");
  next(&execveat, "execveat");
  next(&posix_spawn, "posix_spawn");
  next(&posix_spawnp, "posix_spawnp");
  next(&quick_exit, "quick_exit");
  next(&pthread_setname_np, "pthread_setname_np");
  if (&dladdr != nullptr) find_own_path = own_path;
  __atomic_store_n(&done, true, __ATOMIC_RELEASE);
}

}  // namespace sextant::agent::libc
