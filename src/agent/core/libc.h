// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of the C library that are new, moved or missing somewhere, found at the start: nullptr where they
// are missing. So the agent links against nothing newer than glibc 2.28 and loads in a musl program.
#pragma once

#include <pthread.h>
#include <spawn.h>

#include <cstddef>

namespace sextant::agent::libc {

/// Finds them all; the first call counts. Called by the constructor; hooks that may run earlier call it
/// themselves.
void resolve();

extern int (*register_atfork)(void (*)(), void (*)(), void (*)(), void*);
extern int (*on_exit)(void (*)(int, void*), void*);
extern int (*pthread_key_create)(pthread_key_t*, void (*)(void*));
extern int (*pthread_setspecific)(pthread_key_t, const void*);
extern const char* (*gnu_get_libc_version)();
extern void (*find_own_path)(char* to, size_t room);
void* dso_handle();

/// The definition of a function behind this library's own. Not before the linker has done its work, and not
/// in signal handlers. nullptr: there is none.
void* find_next(const char* name);
/// The definition that the program itself sees.
void* find_first(const char* name);

// The next definitions of what the agent interposes.
extern int (*execve)(const char*, char* const[], char* const[]);
extern int (*execvpe)(const char*, char* const[], char* const[]);
extern int (*fexecve)(int, char* const[], char* const[]);
extern int (*execveat)(int, const char*, char* const[], char* const[], int);  // glibc 2.34
extern int (*posix_spawn)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                          char* const[], char* const[]);
extern int (*posix_spawnp)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                           char* const[], char* const[]);
extern void (*quick_exit)(int);
extern int (*pthread_setname_np)(pthread_t, const char*);

}  // namespace sextant::agent::libc
