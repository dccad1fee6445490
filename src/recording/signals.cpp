// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/signals.h"

#include <sys/signalfd.h>

namespace sextant::recording {

namespace {

/// SIGCHLD, and what others send to a program in order to end it or to tell it something.
constexpr int kTaken[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2};

}  // namespace

ToolSignals ToolSignals::take() {
  ToolSignals signals;
  sigset_t taken;
  sigemptyset(&taken);
  sigemptyset(&signals.ignored_);
  for (int number : kTaken) {
    sigaddset(&taken, number);
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      sigaddset(&signals.ignored_, number);
  }
  ::sigprocmask(SIG_BLOCK, &taken, &signals.mask_);
  ::signal(SIGCHLD, SIG_DFL);  // where it is ignored, nobody's exit code can be had
  signals.descriptor_ = base::Fd(::signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
  return signals;
}

void ToolSignals::give_back() const {
  if (caller_ignores(SIGCHLD)) ::signal(SIGCHLD, SIG_IGN);
  ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
}

}  // namespace sextant::recording
