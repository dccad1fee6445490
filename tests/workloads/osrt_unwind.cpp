// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that are cancelled in a call of the C library: what their frames hold is destroyed on the way out.
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace {

std::atomic<int> destroyed, waiting;
int pipe_of[2];

struct Guard {
  ~Guard() { ++destroyed; }
};

void wait_in(long kind) {
  Guard inner;
  char byte;
  pollfd one{pipe_of[0], POLLIN, 0};
  ++waiting;
  if (kind == 0) (void)!read(pipe_of[0], &byte, 1);
  if (kind == 1) poll(&one, 1, -1);
  if (kind == 2) sleep(1000);
}

void* body(void* kind) {
  Guard outer;
  wait_in(reinterpret_cast<long>(kind));
  return nullptr;
}

}  // namespace

int main() {
  if (pipe(pipe_of) != 0) return 1;
  for (long i = 0; i < 30; ++i) {
    pthread_t thread;
    void* result = nullptr;
    if (pthread_create(&thread, nullptr, body, reinterpret_cast<void*>(i % 3)) != 0) return 1;
    while (waiting <= i) usleep(100);
    if (i % 2 == 0) usleep(2000);
    pthread_cancel(thread);
    if (pthread_join(thread, &result) != 0 || result != PTHREAD_CANCELED) return 2;
  }
  std::printf("destroyed %d\n", destroyed.load());
  return destroyed == 60 ? 0 : 3;
}
