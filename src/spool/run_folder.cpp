// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "spool/run_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace sextant::spool {

namespace {

constexpr uint64_t kControlReserve = (1 + uint64_t{kMaxPages}) * kPageBytes;
constexpr uint64_t kLeastRoom =
    1u << 20;  // a file system with less has no room for process pages and a first arena
constexpr int kMadvPopulateWrite = 23;  // Linux 5.14
constexpr uint64_t kZerosBytes =
    64u << 10;  // larger ones cost more each time they have been written to the disk
constexpr const char* kWatched = "watched";
constexpr time_t kWatchedSeconds = 5;

void remove_files(int folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) ::unlinkat(folder, name.c_str(), 0);
}

std::vector<std::string> list_folder(int folder) {
  std::vector<std::string> names;
  int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* dir = copy < 0 ? nullptr : ::fdopendir(copy);
  if (dir == nullptr) {
    if (copy >= 0) ::close(copy);
    return names;
  }
  while (dirent* entry = ::readdir(dir)) {
    std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  ::closedir(dir);
  return names;
}

/// What is stored through the mapping must be what read(2) sees: some network and overlay file systems fail
/// here.
Status check_coherent(int fd, uint8_t* mapped) {
  constexpr uint64_t kProbe = 0x53585450524f4245;
  std::memcpy(mapped, &kProbe, sizeof kProbe);
  uint64_t back = 0;
  if (::pread(fd, &back, sizeof back, 0) != static_cast<ssize_t>(sizeof back) || back != kProbe)
    return fail(ErrorCode::kIo, "the file system does not share memory between processes");
  std::memset(mapped, 0, sizeof kProbe);
  return {};
}

}  // namespace

void populate(uint8_t* address, size_t bytes) {
  if (bytes == 0 || ::madvise(address, bytes, kMadvPopulateWrite) == 0) return;
  for (size_t i = 0; i < bytes;
       i += kPageBytes)  // an add of 0 dirties the page and never loses another's store
    reinterpret_cast<Shared<uint32_t>*>(address + i)->fetch_add(0, std::memory_order_relaxed);
}

Status allocate(int fd, uint64_t offset, uint64_t bytes) {
  int rc;
  do rc = ::fallocate(fd, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  while (rc != 0 && errno == EINTR);
  if (rc != 0) return fail_errno(errno, "cannot allocate space for events");
  // A page that a store brings in first is looked up, filled and made writable by itself, in each process
  // that maps it. What is written in pieces is kept, mapped and freed in pieces: a third of the time, on both
  // sides.
  static uint8_t zeros[kZerosBytes];
  for (const uint64_t end = offset + bytes; offset < end;) {
    const ssize_t written =
        ::pwrite(fd, zeros, std::min(kZerosBytes, end - offset), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail_errno(written < 0 ? errno : ENOSPC, "cannot fill space for events");
    offset += static_cast<uint64_t>(written);
  }
  return {};
}

Status RunFolder::map_control(uint64_t bytes) {
  void* address = ::mmap(nullptr, kControlReserve, PROT_READ | PROT_WRITE, MAP_SHARED, control_fd_.get(), 0);
  if (address == MAP_FAILED) return fail_errno(errno, path_ + "/control: cannot map");
  control_ = base::Mapping(address, kControlReserve);
  pages_ = static_cast<uint32_t>(std::min<uint64_t>(bytes / kPageBytes - 1, kMaxPages));
  return {};
}

Status RunFolder::make_control(const Options& options) {
  control_fd_ =
      base::Fd(::openat(folder_.get(), "control", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!control_fd_.valid()) return fail_errno(errno, path_ + "/control");
  SEXTANT_TRY(
      lock());     // from the first moment: a reader that meets the folder must not take it for a leftover
  rlimit files{};  // beyond it fallocate would raise SIGXFSZ
  if (::getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_cur < kLeastRoom)
    return fail(ErrorCode::kDenied,
                path_ + ": the limit on file sizes (ulimit -f) leaves no room for events");
  SEXTANT_TRY(allocate(control_fd_.get(), 0, kLeastRoom));
  if (::ftruncate(control_fd_.get(), kPageBytes) != 0) return fail_errno(errno, path_ + "/control");
  SEXTANT_TRY(map_control(kPageBytes));
  SEXTANT_TRY(check_coherent(control_fd_.get(), control_.data()));
  ControlPage& c = control();
  c.version = kVersion;
  c.clock_kind = options.clock_kind;
  c.flags = options.flags;
  std::memcpy(c.run_id, options.run_id.data(), sizeof c.run_id);
  c.budget_bytes = options.budget_bytes;
  c.osrt_threshold = options.osrt_threshold;
  std::memcpy(c.osrt_excluded, options.osrt_excluded.data(), sizeof c.osrt_excluded);
  uint64_t reserve = kSegmentsOffset + options.budget_bytes + kMaxStringBytes;
  c.arena_reserve_bytes = (reserve + (2u << 20) - 1) & ~uint64_t{(2u << 20) - 1};
  c.collecting.store(options.collecting ? 1 : 0);
  reinterpret_cast<Shared<uint32_t>&>(c.magic).store(kControlMagic, std::memory_order_release);
  return {};
}

Result<RunFolder> RunFolder::create(const std::string& path, const Options& options) {
  if (::mkdir(path.c_str(), 0700) != 0) return fail_errno(errno, path + ": cannot make the run folder");
  RunFolder folder;
  folder.path_ = path;
  folder.folder_ = base::Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  Status status;
  if (!folder.folder_.valid() || ::fstat(folder.fd(), &info) != 0)
    status = fail_errno(errno, path + ": cannot open the run folder");
  else if (info.st_uid != ::geteuid())
    status = fail(ErrorCode::kDenied, path + ": belongs to somebody else");
  else if (::fchmod(folder.fd(), 0700) != 0)  // whatever the umask or a default ACL made of it
    status = fail_errno(errno, path + ": cannot set its mode");
  else
    status = folder.make_control(options);
  if (!status) {
    if (folder.folder_.valid()) remove_files(folder.fd(), {"control"});
    ::rmdir(path.c_str());
    return tl::unexpected<Error>(std::move(status).error());
  }
  return folder;
}

Result<RunFolder> RunFolder::open(const std::string& path) {
  RunFolder folder;
  folder.path_ = path;
  while (folder.path_.size() > 1 && folder.path_.back() == '/') folder.path_.pop_back();
  folder.folder_ = base::Fd(::open(folder.path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.folder_.valid()) return fail_errno(errno, path + ": cannot open the run folder");
  folder.control_fd_ =
      base::Fd(::openat(folder.fd(), "control", O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (!folder.control_fd_.valid() || ::fstat(folder.control_fd_.get(), &info) != 0) {
    if (errno == ENOENT)
      return fail(ErrorCode::kCorrupt, path + ": not a run folder (it has no file `control`)");
    return fail_errno(errno, path + "/control");
  }
  if (!S_ISREG(info.st_mode) || info.st_size < static_cast<off_t>(kPageBytes))
    return fail(ErrorCode::kCorrupt, path + "/control: too short");
  SEXTANT_TRY(folder.map_control(static_cast<uint64_t>(info.st_size)));
  if (folder.control().magic != kControlMagic)
    return fail(ErrorCode::kCorrupt, path + "/control: not a control file");
  if (folder.control().version != kVersion)
    return fail(ErrorCode::kUnsupported, path + ": made by another version of sextant; use that one");
  return folder;
}

bool RunFolder::remove_remains(const std::string& path) {
  base::Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!folder.valid() || ::fstat(folder.get(), &info) != 0 || info.st_uid != ::geteuid()) return false;
  std::vector<std::string> names = list_folder(folder.get());
  bool begun = std::any_of(names.begin(), names.end(), [](const std::string& n) {
    return n != "control" && n != kWatched && !n.ends_with(".new");
  });
  base::Fd control(::openat(folder.get(), "control", O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (control.valid()) {
    if (::flock(control.get(), LOCK_EX | LOCK_NB) != 0) return false;
    ControlPage page{};
    const bool whole = ::pread(control.get(), static_cast<void*>(&page), sizeof page, 0) ==
                       static_cast<ssize_t>(sizeof page);
    if (whole && page.magic == kControlDone) begun = false;
    if (whole && page.magic == kControlMagic && page.pages_claimed.load() != 0) begun = true;
  }
  if (begun) return false;
  std::stable_partition(names.begin(), names.end(), [](const std::string& n) { return n != "control"; });
  remove_files(folder.get(), names);
  return ::rmdir(path.c_str()) == 0;
}

bool RunFolder::in_place() const {
  struct stat found {
  }, folder{}, control{};
  return ::stat(path_.c_str(), &found) == 0 && ::fstat(fd(), &folder) == 0 && found.st_ino == folder.st_ino &&
         found.st_dev == folder.st_dev && ::fstat(control_fd_.get(), &control) == 0 && control.st_nlink != 0;
}

ProcessPage* RunFolder::page(uint32_t index) const {
  if (index >= pages_) return nullptr;
  return reinterpret_cast<ProcessPage*>(control_.data() + (1 + uint64_t{index}) * kPageBytes);
}

Status RunFolder::add_pages(uint32_t count) {
  count = std::min(count, kMaxPages - pages_);
  if (count == 0) return fail(ErrorCode::kIo, "the table of processes is full");
  uint64_t offset = (1 + uint64_t{pages_}) * kPageBytes;
  SEXTANT_TRY(allocate(control_fd_.get(), offset, uint64_t{count} * kPageBytes));
  pages_ += count;
  control().pages_ready.store(pages_, std::memory_order_release);
  return {};
}

Status RunFolder::give_to(unsigned uid, unsigned gid) {
  if (::fchown(fd(), uid, gid) != 0 || ::fchown(control_fd_.get(), uid, gid) != 0)
    return fail_errno(errno, path_ + ": cannot be given to user " + std::to_string(uid));
  given_to_ = {uid, gid};
  return {};
}

Status RunFolder::hand_over(int file) const {
  if (given_to_ && ::fchown(file, given_to_->first, given_to_->second) != 0)
    return fail_errno(errno,
                      path_ + ": a new file cannot be given to user " + std::to_string(given_to_->first));
  return {};
}

bool RunFolder::watched() const {
  struct stat info {};
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return ::fstatat(fd(), kWatched, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode) &&
         info.st_mtim.tv_sec >= now.tv_sec - kWatchedSeconds;
}

Status RunFolder::lock() {
  if (lock_fd_.valid()) return {};  // since create(), or before a fork
  // A descriptor of its own: a lock belongs to the open file, and control_fd_ may be shared with a parent by
  // fork.
  base::Fd fd(::openat(folder_.get(), "control", O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.valid()) return fail_errno(errno, path_ + "/control");
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return fail(ErrorCode::kDenied, path_ + ": a collector still works on it");
    return {};  // no locks on this file system: the manifest's pid must do
  }
  lock_fd_ = std::move(fd);
  return {};
}

Status RunFolder::write_file(const std::string& name, std::string_view content) const {
  std::string temporary = name + ".new";
  ::unlinkat(fd(), temporary.c_str(), 0);
  base::Fd file(
      ::openat(fd(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return fail_errno(errno, path_ + "/" + temporary);
  SEXTANT_TRY(hand_over(file.get()));
  while (!content.empty()) {
    ssize_t n = ::write(file.get(), content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail_errno(errno, path_ + "/" + temporary);
    content.remove_prefix(static_cast<size_t>(n));
  }
  if (::renameat(fd(), temporary.c_str(), fd(), name.c_str()) != 0)
    return fail_errno(errno, path_ + "/" + name);
  return {};
}

Result<std::string> RunFolder::read_file(const std::string& name, size_t max_bytes) const {
  base::Fd file(::openat(fd(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) return fail_errno(errno, path_ + "/" + name);
  std::string content(max_bytes + 1, '\0');
  size_t have = 0;
  while (have < content.size()) {
    ssize_t n = ::read(file.get(), content.data() + have, content.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno(errno, path_ + "/" + name);
    if (n == 0) break;
    have += static_cast<size_t>(n);
  }
  if (have > max_bytes) return fail(ErrorCode::kCorrupt, path_ + "/" + name + ": too long");
  content.resize(have);
  return content;
}

std::vector<std::string> RunFolder::list() const {
  return list_folder(fd());
}

void watch_run_folder(const std::string& path) {
  const base::Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.valid()) return;
  const base::Fd file(
      ::openat(folder.get(), kWatched, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (file.valid()) ::futimens(file.get(), nullptr);
}

void RunFolder::remove() {
  reinterpret_cast<Shared<uint32_t>&>(control().magic)
      .store(kControlDone);  // a kill from here on leaves mere remains
  std::vector<std::string> names = list();
  std::stable_partition(names.begin(), names.end(), [](const std::string& n) { return n != "control"; });
  remove_files(fd(), names);
  ::rmdir(path_.c_str());
}

}  // namespace sextant::spool
