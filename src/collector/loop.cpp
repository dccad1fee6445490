// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/loop.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "collector/collector_page.h"

namespace sextant::collector {

namespace {

/// Children that the program left behind need a moment to register.
constexpr uint64_t kOrphanGraceNs = 100'000'000;

struct LoopState {
  bool target_known = false;
  bool target_ended = false;
  bool tool_gone = false;
  bool finish = false;
  uint64_t grace_until_ns = 0;
};

void take_message(Collector& collector, const LoopOptions& options, const ToCollector& message,
                  LoopState* state) {
  const auto clock = static_cast<base::ClockKind>(collector.folder().control().clock_kind);
  switch (message.kind) {
    case ToCollector::kTarget: {
      ProcessTable::Target target{message.pid, message.start_time, options.arguments,
                                  options.exe, options.untraced,   base::stamp(clock)};
      collector.processes().note_target(std::move(target));
      state->target_known = true;
      break;
    }
    case ToCollector::kEnded:
      collector.processes().note_target_status(message.value, base::stamp(clock));
      state->target_ended = true;
      if (message.orphans != 0) state->grace_until_ns = monotonic_ns() + kOrphanGraceNs;
      break;
    case ToCollector::kFinish:
      state->finish = true;
      break;
    case ToCollector::kSignal:
      collector.processes().signal_alive(message.value);
      break;
    default:
      break;
  }
}

void read_messages(Collector& collector, int socket, const LoopOptions& options, LoopState* state) {
  for (;;) {
    ToCollector message;
    ssize_t n = ::recv(socket, &message, sizeof message, MSG_DONTWAIT);
    if (n == static_cast<ssize_t>(sizeof message)) {
      take_message(collector, options, message, state);
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    if (n == 0 || (n < 0 && errno != EAGAIN)) state->tool_gone = true;
    return;
  }
}

bool over(const Collector& collector, const LoopState& state) {
  if (state.finish) return true;
  if (!state.tool_gone && !(state.target_known && state.target_ended)) return false;
  return collector.all_gone() && monotonic_ns() >= state.grace_until_ns;
}

}  // namespace

bool send_to_collector(int socket, const ToCollector& message) {
  return ::send(socket, &message, sizeof message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof message);
}

bool send_from_collector(int socket, FromCollector::Kind kind, const Totals& totals,
                         const std::string& text) {
  FromCollector message;
  message.kind = kind;
  message.totals = totals;
  message.text_bytes = static_cast<uint32_t>(std::min(text.size(), sizeof message.text));
  std::memcpy(message.text, text.data(), message.text_bytes);
  return ::send(socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(sizeof message);
}

namespace {

/// The filter's file must be there before the first agent is.
std::optional<CaptureWindows> make_windows(Collector& collector, const LoopOptions& options, Status* status) {
  if (!options.filter.any()) return std::nullopt;
  auto windows = CaptureWindows::make(collector.folder(), options.filter);
  if (windows) return std::move(*windows);
  *status = tl::unexpected<Error>(windows.error());
  return std::nullopt;
}

CaptureReports::Events capture_events(int socket, const CaptureWindows& windows, const LoopOptions& options) {
  CaptureReports::Events events;
  events.opened = [socket, &windows](uint32_t) {
    send_from_collector(socket, FromCollector::kWindowOpened, {}, windows.range_text());
  };
  events.written = [socket, &options](uint32_t window, const std::string& verdict) {
    const std::string name = options.report_name ? options.report_name(window) : "";
    send_from_collector(socket, FromCollector::kReportWritten, {}, name + ": " + verdict);
  };
  events.over = [socket] { send_from_collector(socket, FromCollector::kCaptureOver, {}, ""); };
  events.next_report = options.next_report;
  return events;
}

}  // namespace

bool run_collector(Collector& collector, int socket, const LoopOptions& options) {
  Status filtered;
  std::optional<CaptureWindows> windows = make_windows(collector, options, &filtered);
  if (!filtered) {
    send_from_collector(socket, FromCollector::kFailed, {}, filtered.error().message);
    return false;
  }
  std::optional<CaptureReports> captures;
  if (windows) {
    collector.use_windows(&*windows);
    captures.emplace(collector, *windows, capture_events(socket, *windows, options));
    captures->set_times(options.delay_ns, options.duration_ns);
  }
  const bool captured = windows && options.filter.capture;
  if (Status started = collector.start(); !started) {
    send_from_collector(socket, FromCollector::kFailed, {}, started.error().message);
    return false;
  }
  send_from_collector(socket, FromCollector::kReady, {}, "");
  const uint64_t begin = monotonic_ns();
  auto& collecting = collector.folder().control().collecting;
  LoopState state;
  for (;;) {
    const uint64_t age = monotonic_ns() - begin;
    const bool wanted =
        captured || (age >= options.delay_ns &&
                     (options.duration_ns == 0 || age < options.delay_ns + options.duration_ns));
    if ((collecting.load(std::memory_order_relaxed) != 0) != wanted)
      collecting.store(wanted ? 1 : 0, std::memory_order_relaxed);
    const uint64_t read = collector.pass();
    if (captured) captures->step(age, read);
    if (over(collector, state)) break;
    pollfd waits[2] = {{collector.processes().wait_fd(), POLLIN, 0},
                       {state.tool_gone ? -1 : socket, POLLIN, 0}};
    if (::poll(waits, 2, collector.wait_ms()) > 0 && waits[1].revents != 0)
      read_messages(collector, socket, options, &state);
  }
  while (captures && captures->pending()) {  // the program was faster
    const uint64_t read = collector.pass();
    captures->step(monotonic_ns() - begin, read);
  }
  const bool gone = !collector.folder().in_place();
  if (gone)
    collector.diagnostics().set(
        "run_folder_gone", 0, 1,
        "the run folder was removed or moved while it was in use: programs that were started "
        "after that are not recorded");
  if (Status finished = collector.finish(state.finish); !finished) {
    send_from_collector(socket, FromCollector::kFailed, collector.totals(), finished.error().message);
    return false;
  }
  collector.folder().remove();
  Totals totals = collector.totals();
  totals.run_folder_gone = gone;
  std::string verdict = collector.verdict();
  if (captures && captures->reports() != 0) {  // each report has a verdict of its own
    if (!collector.between_reports() && options.report_name)
      send_from_collector(socket, FromCollector::kReportWritten, {},
                          options.report_name(captures->reports() + 1) + ": " + verdict);
    verdict = "";
  }
  send_from_collector(socket, FromCollector::kFinished, totals, verdict);
  return true;
}

}  // namespace sextant::collector
