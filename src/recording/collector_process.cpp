// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/collector_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "recording/manifest.h"
#include "spool/bus_guard.h"

namespace sextant::recording {

namespace {

constexpr int kFallbackDescriptors = 1024;  // without /proc

void leave_the_caller(const std::vector<int>& close_there) {
  ::setsid();
  int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
  for (int fd : close_there) ::close(fd);
  ::prctl(PR_SET_NAME, "sextant-collect");
  // The program goes first: what wakes here never takes a processor from it. But once behind, the collector
  // has the same share as everybody else, or the rings fill where there is much to do, and the user waits in
  // the end.
  const sched_param normal{};
  ::sched_setscheduler(0, SCHED_BATCH, &normal);
  rlimit files{};  // a pidfd and an arena for each process
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  rlimit core{0, 0};
  ::setrlimit(RLIMIT_CORE, &core);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // What ends everything at once (a scheduler, a shutdown, kill 0) must leave it time for the end of the
  // report; it goes by itself when the targets are gone.
  for (int number : {SIGPIPE, SIGHUP, SIGXFSZ, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2})
    ::signal(number, SIG_IGN);
}

/// The report behind the present one, with what the first one began with. From here on it is what recovery
/// completes.
Result<report::Writer> next_report(const CollectorSetup& setup, const spool::RunFolder& folder,
                                   uint32_t number) {
  auto writer = setup.next_report(number);
  if (!writer) return writer;
  for (const auto& [key, value] : setup.meta) SEXTANT_TRY(writer->write_meta(key, value));
  SEXTANT_TRY(folder.write_file(kManifestName, setup.next_manifest(number)));
  return writer;
}

[[noreturn]] void collector_main(spool::RunFolder folder, report::Writer writer, CollectorSetup& setup,
                                 int socket) {
  spool::guard_bus_errors();
  Status locked = folder.lock();
  Status written;
  for (const auto& [key, value] : setup.meta)
    if (written) written = writer.write_meta(key, value);
  if (!locked || !written) {
    collector::send_from_collector(socket, collector::FromCollector::kFailed, {},
                                   (locked ? written : locked).error().message);
    ::_exit(1);
  }
  collector::Collector collector(std::move(folder), std::move(writer), setup.options);
  for (const auto& [code, text] : setup.notes) collector.diagnostics().set(code, 0, 1, text);
  if (setup.next_report)
    setup.loop.next_report = [&](uint32_t number) { return next_report(setup, collector.folder(), number); };
  bool complete = collector::run_collector(collector, socket, setup.loop);
  ::_exit(complete ? 0 : 1);
}

}  // namespace

std::vector<int> open_descriptors() {
  std::vector<int> out;
  DIR* dir = ::opendir("/proc/self/fd");
  if (dir == nullptr) {
    for (int fd = 3; fd < kFallbackDescriptors; ++fd)
      if (::fcntl(fd, F_GETFD) >= 0) out.push_back(fd);
    return out;
  }
  while (dirent* entry = ::readdir(dir)) {
    int fd = std::atoi(entry->d_name);
    if (fd > 2 && fd != ::dirfd(dir)) out.push_back(fd);
  }
  ::closedir(dir);
  return out;
}

Result<base::Fd> start_collector(spool::RunFolder folder, report::Writer writer, CollectorSetup setup,
                                 const std::vector<int>& close_there) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
    return fail_errno(errno, "socketpair");
  base::Fd ours(pair[0]), theirs(pair[1]);
  pid_t between = ::fork();
  if (between < 0) return fail_errno(errno, "cannot fork the collector");
  if (between == 0) {
    ours.reset();
    leave_the_caller(close_there);
    pid_t child = ::fork();
    if (child != 0) ::_exit(child < 0 ? 1 : 0);
    collector_main(std::move(folder), std::move(writer), setup, theirs.get());
  }
  int status = 0;
  while (::waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail(ErrorCode::kIo, "cannot fork the collector");
  return ours;
}

}  // namespace sextant::recording
