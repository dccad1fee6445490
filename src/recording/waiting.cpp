// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/waiting.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "collector/collector_page.h"
#include "text/log.h"
#include "text/units.h"

namespace sextant::recording {

using collector::FromCollector;
using collector::monotonic_ns;
using collector::ToCollector;

namespace {

constexpr uint64_t kNever = UINT64_MAX;
constexpr uint64_t kCutWaitNs = 5'000'000'000;    // after a second signal: for the collector's last second
constexpr uint64_t kPairNs = 2'000'000'000;       // two signals further apart are not one impatient user
constexpr uint64_t kStubbornNs = 10'000'000'000;  // a program that ignores --kill

class Waiting {
 public:
  Waiting(pid_t program, int socket, const ToolSignals& signals, const ProfileOptions& options)
      : program_(program), socket_(socket), signals_(signals), options_(options) {
    if (options.capture.nvtx)
      shut_down_ = filter_request(options.capture)->shut_down;
    else if (options.duration_seconds > 0)
      limit_ns_ =
          monotonic_ns() + static_cast<uint64_t>((options.delay_seconds + options.duration_seconds) * 1e9);
  }

  WaitOutcome run() {
    reap();
    while (!(outcome_.program_ended && (collector_over_ || outcome_.report_finished)) || waits_for_time()) {
      pollfd waits[2] = {{signals_.descriptor(), POLLIN, 0}, {collector_over_ ? -1 : socket_, POLLIN, 0}};
      int n = ::poll(waits, 2, timeout_ms());
      if (n < 0 && errno != EINTR) break;
      if (n > 0 && waits[0].revents != 0) take_signals();
      if (n > 0 && waits[1].revents != 0) take_message();
      const uint64_t now = monotonic_ns();
      if (now >= give_up_ns_) break;
      if (now >= limit_ns_) end_by_duration(now);
    }
    return outcome_;
  }

 private:
  /// -x false: the end of the duration, whatever has ended before.
  bool waits_for_time() const { return !options_.stop_on_exit && limit_ns_ != kNever; }

  int timeout_ms() const {
    const uint64_t until = std::min(limit_ns_, give_up_ns_);
    if (until == kNever) return -1;
    const uint64_t now = monotonic_ns();
    return until <= now ? 0 : static_cast<int>(std::min<uint64_t>((until - now) / 1'000'000 + 1, 1'000'000));
  }

  void tell(ToCollector::Kind kind, int value = 0, bool orphans = false) {
    ToCollector message;
    message.kind = kind;
    message.value = value;
    message.orphans = orphans ? 1 : 0;
    if (!collector_over_) collector::send_to_collector(socket_, message);
  }

  void take_message() {
    FromCollector message;
    ssize_t n = ::recv(socket_, &message, sizeof message, MSG_DONTWAIT);
    if (n == static_cast<ssize_t>(sizeof message)) {
      if (take_capture_message(message)) return;
      outcome_.last = message;
      outcome_.report_finished = message.kind == FromCollector::kFinished;
      if (message.kind != FromCollector::kReady) collector_over_ = true;
    } else if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
      collector_over_ = true;
    }
  }

  /// What becomes of capture windows. False: the message is about something else.
  bool take_capture_message(const FromCollector& message) {
    const std::string text(message.text, std::min<size_t>(message.text_bytes, sizeof message.text));
    switch (message.kind) {
      case FromCollector::kWindowOpened:
        if (!options_.quiet) text::info("the capture range {} has opened", text);
        if (options_.duration_seconds > 0 && limit_ns_ == kNever && !outcome_.program_ended)
          limit_ns_ = monotonic_ns() + static_cast<uint64_t>(options_.duration_seconds * 1e9);
        return true;
      case FromCollector::kReportWritten:
        if (!options_.quiet) text::info("{}", text);
        return true;
      case FromCollector::kCaptureOver:
        if (!shut_down_ || outcome_.program_ended || duration_over_) return true;
        end_why_ = "the capture range is over";
        limit_ns_ = monotonic_ns();
        return true;
      default:
        return false;
    }
  }

  void reap() {
    int status = 0;
    pid_t pid;
    while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (pid != program_) continue;  // an orphan that came to us
      outcome_.program_ended = true;
      outcome_.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
      status_ = status;
    }
    if (!outcome_.program_ended || told_end_) return;
    told_end_ = true;
    if (options_.stop_on_exit) limit_ns_ = kNever;
    tell(ToCollector::kEnded, status_, pid == 0);
    if (options_.wait == WaitFor::kPrimary || duration_over_) tell(ToCollector::kFinish);
  }

  void take_signals() {
    signalfd_siginfo info;
    while (::read(signals_.descriptor(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      const int number = static_cast<int>(info.ssi_signo);
      if (number == SIGCHLD) {
        reap();
        continue;
      }
      // The terminal sends to the whole foreground group, which the program shares with us: it has it
      // already.
      const bool from_terminal = info.ssi_code == SI_KERNEL;
      if (!outcome_.program_ended && !from_terminal) ::kill(program_, number);
      if (wants_the_end(number) && (outcome_.program_ended || is_second())) {
        tell(ToCollector::kFinish);
        give_up_ns_ = std::min(give_up_ns_, monotonic_ns() + kCutWaitNs);
      }
    }
  }

  /// One signal is for the program, which may live on (an interpreter at its prompt); a second right behind
  /// it is for us.
  bool is_second() {
    const uint64_t before = std::exchange(interrupted_ns_, monotonic_ns());
    return before != 0 && interrupted_ns_ - before < kPairNs;
  }

  /// The rest, and what the caller had ignored (nohup), is between the sender and the program.
  bool wants_the_end(int number) const {
    return (number == SIGINT || number == SIGTERM || number == SIGHUP) && !signals_.caller_ignores(number);
  }

  void end_by_duration(uint64_t now) {
    if (outcome_.program_ended) {
      limit_ns_ = kNever;
      tell(ToCollector::kFinish);
      return;
    }
    if (options_.kill_signal == kKillNone) {
      limit_ns_ = kNever;
      if (!options_.quiet) text::info("{}: recording ends, the program goes on (--kill none)", end_why_);
      tell(ToCollector::kFinish);
      return;
    }
    if (!duration_over_ && !options_.quiet)
      text::info("{}: the program gets signal {} (--kill)", end_why_, options_.kill_signal);
    const int number = duration_over_ ? SIGKILL : options_.kill_signal;
    if (duration_over_ && !options_.quiet) text::info("the program is still there: it gets SIGKILL");
    limit_ns_ = duration_over_ ? kNever : now + kStubbornNs;
    duration_over_ = true;
    ::kill(program_, number);
    tell(ToCollector::kSignal, number);
  }

  const pid_t program_;
  const int socket_;
  const ToolSignals& signals_;
  const ProfileOptions& options_;
  WaitOutcome outcome_;
  int status_ = 0;
  uint64_t interrupted_ns_ = 0;  // when the last signal that wants the end came
  bool collector_over_ = false, told_end_ = false, duration_over_ = false;
  bool shut_down_ = false;  // with the last capture window
  const char* end_why_ = "the duration is over";
  uint64_t limit_ns_ = kNever, give_up_ns_ = kNever;
};

}  // namespace

FromCollector wait_until_ready(int socket) {
  FromCollector message;
  ssize_t n;
  do n = ::recv(socket, &message, sizeof message, 0);
  while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof message) ? message : FromCollector{};
}

WaitOutcome wait_for_end(pid_t program, int socket, const ToolSignals& signals,
                         const ProfileOptions& options) {
  return Waiting(program, socket, signals, options).run();
}

}  // namespace sextant::recording
