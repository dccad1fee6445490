// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The agent's start in the library's constructor, and the hooks that the C library offers for fork, thread
// end and exit.
#include "agent/core/init.h"

#include <alloca.h>
#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <sys/auxv.h>

#include "agent/core/environment.h"
#include "agent/core/osrt.h"
#include "agent/core/sys.h"

#include "agent/core/libc.h"

namespace sextant::agent {

using spool::ControlPage;
using spool::PageOrigin;
using spool::ProcessPage;
using spool::Untraced;

namespace {

base::ClockKind clock_of(const ControlPage* control) {
  return control->clock_kind == static_cast<uint32_t>(base::ClockKind::kTsc) ? base::ClockKind::kTsc
                                                                             : base::ClockKind::kMonotonic;
}

/// From here on now() reads no clock. Events of other threads that are under way keep the stamps they took.
void stop_clock(uint32_t how) {
  g_setup.stopped_stamp = now();
  g_setup.confined.fetch_or(how, std::memory_order_seq_cst);
  g_setup.clock = base::ClockKind::kMonotonic;  // now() goes to now_by_system(), which looks at kNoClock
}

constexpr int kMadviseWipeOnFork = 18;     // Linux 4.14
constexpr uint64_t kMappedPages = 4096;    // process pages mapped from the start, existing or not
constexpr pthread_key_t kInlineKeys = 32;  // glibc calls malloc for values of later keys

pthread_key_t g_key;

bool map_control() {
  char* path = static_cast<char*>(alloca(run_path_room()));
  sys::Text(path, run_path_room()) << g_setup.folder << "/control";
  int fd = sys::open_file(path, O_RDWR | O_NOFOLLOW);
  if (fd < 0) return false;
  struct stat info {};
  uint64_t size =
      sys::file_status(fd, &info) == 0 && S_ISREG(info.st_mode) ? static_cast<uint64_t>(info.st_size) : 0;
  uint64_t pages = size / spool::kPageBytes;
  void* base = nullptr;
  if (pages > 0) {
    bool limited = sys::resource_limit(RLIMIT_AS).rlim_cur != RLIM_INFINITY;
    if (!limited && pages < kMappedPages) pages = kMappedPages;
    base = sys::map(nullptr, pages * spool::kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  sys::close_file(fd);
  if (base == nullptr) return false;
  auto* control = static_cast<ControlPage*>(base);
  if (control->magic != spool::kControlMagic || control->version != spool::kVersion) {
    sys::unmap(base, pages * spool::kPageBytes);
    return false;
  }
  g_setup.control = control;
  g_setup.control_pages = pages - 1;
  g_setup.clock = clock_of(control);
  return true;
}

bool map_state() {
  g_state = static_cast<State*>(sys::map_private(sizeof(State)));
  if (g_state == nullptr) return false;
  g_setup.wiped = sys::advise(g_state, sizeof(State), kMadviseWipeOnFork) == 0;
  return true;
}

void fill_arguments(ProcessPage* page, int argc, char** argv) {
  uint64_t whole = 0;
  for (int i = 0; argv != nullptr && i < argc; ++i) {
    size_t n = std::strlen(argv[i]) + 1;
    if (whole < sizeof page->args) {
      size_t room = sizeof page->args - whole;
      std::memcpy(page->args + whole, argv[i], n < room ? n : room);
    }
    whole += n;
  }
  page->args[sizeof page->args - 1] = 0;
  page->args_bytes = static_cast<uint32_t>(whole);
}

/// Whether the environment points NVTX at us; another tool there is left alone. Where the variable is missing
/// (a static parent must not see it) it is set, before main: NVTX reads it at its first call.
Untraced point_nvtx_here() {
  constexpr const char* kVariable = "NVTX_INJECTION64_PATH";
  static char entry[kMaxFolderBytes + 32];
  const char* tool = environment_value(environ, kVariable);
  if (tool == nullptr) {
    sys::Text(entry, sizeof entry) << kVariable << "=" << g_setup.agent_path;
    add_to_environment(kVariable, entry);
    tool = environment_value(environ, kVariable);
  }
  if (tool == nullptr || *tool == 0) return Untraced::kEnvironment;
  if (std::strcmp(tool, g_setup.agent_path) == 0) return Untraced::kNo;
  struct stat theirs {
  }, ours{};
  bool same = sys::path_status(tool, &theirs) == 0 && sys::path_status(g_setup.agent_path, &ours) == 0 &&
              theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
  return same ? Untraced::kNo : Untraced::kOtherNvtxTool;
}

/// The same for OpenCL's loader, which reads the variable at the program's first call. Layers of others stay:
/// what the command line tool has set has ours beside them.
void point_opencl_here() {
  constexpr const char* kVariable = "OPENCL_LAYERS";
  static char entry[kMaxFolderBytes + 32];
  if (environment_value(environ, kVariable) != nullptr) return;
  sys::Text(entry, sizeof entry) << kVariable << "=" << g_setup.agent_path;
  add_to_environment(kVariable, entry);
}

bool register_image(int argc, char** argv) {
  uint64_t begin = now();
  State* s = g_state;
  ProcessPage* page = claim_page(PageOrigin::kImage);
  if (page == nullptr) {
    s->stage.store(static_cast<uint32_t>(Stage::kFailed), std::memory_order_release);
    return false;
  }
  page->pid = sys::process_id();
  uint32_t ppid = 0;
  page->start_time = read_start_time(0, page->comm, &ppid);
  page->ppid = ppid;
  page->uid = static_cast<uint32_t>(sys::system_call(SYS_getuid));
  page->image_id = g_setup.image_id;
  long n = sys::system_call(SYS_readlinkat, AT_FDCWD, reinterpret_cast<long>("/proc/self/exe"),
                            reinterpret_cast<long>(page->exe), sizeof page->exe - 1);
  page->exe[n > 0 ? n : 0] = 0;
  fill_arguments(page, argc, argv);
  copy_launcher_variables(environ, page->launcher, sizeof page->launcher);
  if ((g_setup.control->flags & spool::kTraceNvtx) != 0)
    page->untraced.store(static_cast<uint32_t>(point_nvtx_here()), std::memory_order_relaxed);
  if ((g_setup.control->flags & spool::kTraceOpencl) != 0) point_opencl_here();
  page->start_stamp = begin;
  s->page = page;
  s->epoch = page->instance + 1;
  s->pid = page->pid;
  g_setup.origin = page;
  page->init_ticks = now() - begin;
  publish_page(page);
  s->stage.store(static_cast<uint32_t>(Stage::kReady), std::memory_order_release);
  return true;
}

void at_exit(int code, void*) {
  note_exit(spool::ExitKind::kExit, code);
}

void install_hooks() {
  if (libc::register_atfork != nullptr)
    libc::register_atfork(nullptr, nullptr, after_fork_in_child, libc::dso_handle());
  if (libc::on_exit != nullptr) libc::on_exit(at_exit, nullptr);
  if (libc::pthread_key_create != nullptr && libc::pthread_setspecific != nullptr &&
      libc::pthread_key_create(&g_key, thread_ends) == 0)
    g_setup.has_key = g_key < kInlineKeys;
}

bool start(int argc, char** argv) {
  const char* folder = environment_value(environ, "SEXTANT_RUN");
  if (folder == nullptr || folder[0] != '/' || std::strlen(folder) >= kMaxFolderBytes) return false;
  if (libc::gnu_get_libc_version == nullptr)
    return false;  // another C library: its thread memory is laid out otherwise
  sys::copy_text(g_setup.folder, sizeof g_setup.folder, folder);
  g_setup.folder_bytes = std::strlen(folder);
  g_setup.main_stack_top = getauxval(AT_RANDOM);
  if (libc::find_own_path == nullptr) return false;
  libc::find_own_path(g_setup.agent_path, sizeof g_setup.agent_path);
  if (auto* random = reinterpret_cast<const void*>(getauxval(AT_RANDOM)))
    std::memcpy(&g_setup.image_id, random, 8);
  if constexpr (base::arch::kLibcThreadId)
    g_setup.libc_thread_id = base::arch::thread_id_of_libc() == sys::thread_id();
  if (!map_control() || !map_state()) return false;
  if (!register_image(argc, argv)) return false;
  install_hooks();
  if (sextant_osrt_start != nullptr) sextant_osrt_start();
  return true;
}

__attribute__((constructor)) void on_load(int argc, char** argv) {
  libc::resolve();
  start_agent(argc, argv);
}

}  // namespace

bool start_agent(int argc, char** argv) {
  uint32_t stage = static_cast<uint32_t>(Stage::kFresh);
  if (g_setup.stage.compare_exchange_strong(stage, static_cast<uint32_t>(Stage::kBusy),
                                            std::memory_order_acq_rel)) {
    bool ok = start(argc, argv);
    g_setup.stage.store(static_cast<uint32_t>(ok ? Stage::kReady : Stage::kFailed),
                        std::memory_order_release);
    return ok;
  }
  for (int wait = 0; wait < 2000 && stage == static_cast<uint32_t>(Stage::kBusy); ++wait) {
    sys::sleep_ns(500'000);
    stage = g_setup.stage.load(std::memory_order_acquire);
  }
  return stage == static_cast<uint32_t>(Stage::kReady);
}

void watch_thread_end(ThreadBlock* block) {
  if (g_setup.has_key) libc::pthread_setspecific(g_key, block);
}

void after_fork_in_child() {
  if (g_state == nullptr) return;
  if (!g_setup.wiped) std::memset(static_cast<void*>(g_state), 0, sizeof(State));
  sextant_thread = nullptr;
  register_process();
}

void confine(uint32_t how) {
  if (sextant_borrowed != 0)
    sextant_borrowed |=
        kBorrowerConfined;  // the child's affair: the parent, whose memory this is, goes on as before
  else if ((how & kNoClock) == 0)
    g_setup.confined.fetch_or(how, std::memory_order_seq_cst);
  else
    stop_clock(how);
}

void unconfine(uint32_t how) {
  if (sextant_borrowed != 0)
    sextant_borrowed &= ~kBorrowerConfined;
  else {
    g_setup.confined.fetch_and(~how, std::memory_order_seq_cst);
    if ((how & kNoClock) != 0) g_setup.clock = clock_of(g_setup.control);
  }
}

}  // namespace sextant::agent
