// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Locks and semaphores. A lock that is free costs a call more and leaves no record: the function that tries
// is called first, and only where it finds the lock taken, the waiting is timed. Functions with a time limit
// check it before they look at the lock, so they are called in any case and recorded if they took long.
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "agent/sources/osrt/next.h"
#include "agent/sources/osrt/record.h"

namespace sextant::agent::osrt {

namespace {

/// The function that tries, which must come from the library that has the one that waits: another library in
/// the chain may have replaced only that one.
struct Trier {
  void* function;  // nullptr: not looked up yet; kNone: there is none
  const char* name;
  const char* waiter;
};
constexpr uintptr_t kNone = 1;

[[gnu::noinline, gnu::cold]] void* find_trier(Trier* trier) {
  const void *in = nullptr, *waiter_in = nullptr;
  void* found = next_definition(trier->name, &in);
  if (found == nullptr || next_definition(trier->waiter, &waiter_in) == nullptr || in != waiter_in)
    found = reinterpret_cast<void*>(kNone);
  __atomic_store_n(&trier->function, found, __ATOMIC_RELAXED);
  return found;
}

template <typename F>
[[gnu::always_inline]] inline F* trier_for(Trier* trier) {
  void* found = __atomic_load_n(&trier->function, __ATOMIC_RELAXED);
  if (__builtin_expect(found == nullptr, 0)) found = find_trier(trier);
  return found != reinterpret_cast<void*>(kNone) ? reinterpret_cast<F*>(found) : nullptr;
}

/// Calls and records what took long, or failed.
template <Function kFunction, typename Real>
[[gnu::noinline]] int timed(Real call_real, void* object, int busy) {
  const uint64_t begin = now();
  begin_call<kFunction>(begin, reinterpret_cast<uint64_t>(object));
  const int result = call_real();
  const Words words = describe<kFunction>(reinterpret_cast<uint64_t>(object), result);
  if (busy != 0)
    finish(begin, words.head, words.value, words.error);
  else
    finish_if_blocked(begin, words.head, words.value, words.error);
  return result;
}

using LockFunction = int(void*);

template <Function kFunction, int kBusy>
[[gnu::always_inline]] inline int lock(Trier* trier, void* object) {
  auto* waiter = real<LockFunction>(kFunction);
  if (__builtin_expect(waiter == nullptr, 0)) return ENOSYS;
  if (__builtin_expect(wanted(kFunction) == kNotWanted, 0)) return waiter(object);
  auto* attempt = trier_for<LockFunction>(trier);
  if (__builtin_expect(attempt != nullptr, 1)) {
    const int result = attempt(object);
    if (__builtin_expect(result != kBusy, 1)) return result;
  }
  return timed<kFunction>([=] { return waiter(object); }, object, attempt != nullptr);
}

constinit Trier g_mutex{nullptr, "pthread_mutex_trylock", "pthread_mutex_lock"};
constinit Trier g_read{nullptr, "pthread_rwlock_tryrdlock", "pthread_rwlock_rdlock"};
constinit Trier g_write{nullptr, "pthread_rwlock_trywrlock", "pthread_rwlock_wrlock"};
constinit Trier g_spin{nullptr, "pthread_spin_trylock", "pthread_spin_lock"};
constinit Trier g_mtx{nullptr, "mtx_trylock", "mtx_lock"};
constinit Trier g_semaphore{nullptr, "sem_trywait", "sem_wait"};
constinit Trier g_cancel{nullptr, "pthread_testcancel", "sem_wait"};

}  // namespace

#define SEXTANT_LOCK(symbol, trier, busy)                                   \
  extern "C" SEXTANT_HOOK int hook_##symbol(void* object) __asm__(#symbol); \
  extern "C" SEXTANT_HOOK int hook_##symbol(void* object) {                 \
    return lock<Function::symbol, busy>(&trier, object);                    \
  }

namespace {
constexpr int kSharedMutex = 128;  // flag in a mutex's kind: other processes may hold it
}

/// While there is one thread only, nobody can hold a mutex of the process, and the function that locks does
/// so without the atomic instruction that the one that tries needs.
extern "C" SEXTANT_HOOK int hook_pthread_mutex_lock(void* object) __asm__("pthread_mutex_lock");
extern "C" SEXTANT_HOOK int hook_pthread_mutex_lock(void* object) {
  if (*g_single_threaded != 0 &&
      (static_cast<const pthread_mutex_t*>(object)->__data.__kind & kSharedMutex) == 0)
    return real<LockFunction>(Function::pthread_mutex_lock)(object);
  return lock<Function::pthread_mutex_lock, EBUSY>(&g_mutex, object);
}

SEXTANT_LOCK(pthread_rwlock_rdlock, g_read, EBUSY)
SEXTANT_LOCK(pthread_rwlock_wrlock, g_write, EBUSY)
SEXTANT_LOCK(pthread_spin_lock, g_spin, EBUSY)
SEXTANT_LOCK(mtx_lock, g_mtx, thrd_busy)

#define SEXTANT_TIMED(symbol, parameters, arguments)                                   \
  extern "C" SEXTANT_HOOK int hook_##symbol parameters __asm__(#symbol);               \
  extern "C" SEXTANT_HOOK int hook_##symbol parameters {                               \
    auto* next = real<int parameters>(Function::symbol);                               \
    if (__builtin_expect(next == nullptr, 0)) return missing<Function::symbol, int>(); \
    if (wanted(Function::symbol) == kNotWanted) return next arguments;                 \
    return timed<Function::symbol>([=] { return next arguments; }, object, 0);         \
  }

SEXTANT_TIMED(pthread_mutex_timedlock, (void* object, const timespec* until), (object, until))
SEXTANT_TIMED(pthread_mutex_clocklock, (void* object, clockid_t clock, const timespec* until),
              (object, clock, until))
SEXTANT_TIMED(pthread_rwlock_timedrdlock, (void* object, const timespec* until), (object, until))
SEXTANT_TIMED(pthread_rwlock_timedwrlock, (void* object, const timespec* until), (object, until))
SEXTANT_TIMED(pthread_rwlock_clockrdlock, (void* object, clockid_t clock, const timespec* until),
              (object, clock, until))
SEXTANT_TIMED(pthread_rwlock_clockwrlock, (void* object, clockid_t clock, const timespec* until),
              (object, clock, until))
SEXTANT_TIMED(mtx_timedlock, (void* object, const timespec* until), (object, until))
SEXTANT_TIMED(sem_timedwait, (void* object, const timespec* until), (object, until))
SEXTANT_TIMED(sem_clockwait, (void* object, clockid_t clock, const timespec* until), (object, clock, until))

/// sem_wait is a cancellation point also where it does not wait.
extern "C" SEXTANT_HOOK int hook_sem_wait(void* object) __asm__("sem_wait");
extern "C" SEXTANT_HOOK int hook_sem_wait(void* object) {
  auto* waiter = real<LockFunction>(Function::sem_wait);
  if (__builtin_expect(waiter == nullptr, 0)) return missing<Function::sem_wait, int>();
  if (__builtin_expect(wanted(Function::sem_wait) == kNotWanted, 0)) return waiter(object);
  auto* attempt = trier_for<LockFunction>(&g_semaphore);
  auto* cancel = trier_for<void()>(&g_cancel);
  const bool both = attempt != nullptr && cancel != nullptr;
  if (__builtin_expect(both, 1)) {
    cancel();
    const int error = errno;
    if (attempt(object) == 0) return 0;
    const bool busy = errno == EAGAIN;
    errno = error;
    if (!busy) return waiter(object);
  }
  return timed<Function::sem_wait>([=] { return waiter(object); }, object, both);
}

namespace {

/// Whether somebody waits, as glibc itself looks (since 2.25): without a waiter nothing is done.
bool has_waiter(const void* condition) {
  return (__atomic_load_n(&static_cast<const pthread_cond_t*>(condition)->__data.__wrefs, __ATOMIC_RELAXED) >>
          3) != 0;
}

template <Function kFunction>
[[gnu::always_inline]] inline int wake(void* condition) {
  auto* next = real<LockFunction>(kFunction);
  if (__builtin_expect(next == nullptr, 0)) return ENOSYS;
  if (!has_waiter(condition)) return next(condition);
  return through<kFunction>([=] { return next(condition); }, reinterpret_cast<uint64_t>(condition), nullptr);
}

}  // namespace

extern "C" {
SEXTANT_HOOK int hook_pthread_cond_signal(void* condition) __asm__("pthread_cond_signal");
SEXTANT_HOOK int hook_pthread_cond_signal(void* condition) {
  return wake<Function::pthread_cond_signal>(condition);
}
SEXTANT_HOOK int hook_pthread_cond_broadcast(void* condition) __asm__("pthread_cond_broadcast");
SEXTANT_HOOK int hook_pthread_cond_broadcast(void* condition) {
  return wake<Function::pthread_cond_broadcast>(condition);
}
}

}  // namespace sextant::agent::osrt
