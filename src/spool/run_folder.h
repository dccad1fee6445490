// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// RunFolder: the collector's side of a run folder (docs/formats/spool.md): makes it, maps the control file,
// adds process pages, reads and writes its small files, removes it. Owns the folder's descriptor and the
// control mapping. Not thread-safe, except that agents in other processes work on the mapped pages at any
// time.
//
// What is mapped here was made by us, but an agent's process may write anything into it, or cut the file:
// install spool::guard_bus_errors() before touching the pages of a folder that others can reach.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/mapping.h"
#include "base/result.h"
#include "spool/format.h"

namespace sextant::spool {

inline constexpr uint32_t kMaxPages = 65536;  // process pages of a run; a bound for hostile counters as well

class RunFolder {
 public:
  struct Options {
    std::array<uint8_t, 16> run_id{};
    uint32_t clock_kind = 0;
    uint32_t flags = 0;           // ControlFlags
    uint64_t osrt_threshold = 0;  // ControlPage's
    std::array<uint8_t, kOsrtBitmapBytes> osrt_excluded{};
    uint64_t budget_bytes = 256u << 20;
    bool collecting = true;
  };

  /// Makes `path` (mode 0700; its last component must not exist) and tries the file system: allocate, map
  /// shared, write, read back. Nothing is left behind on failure. Errors: kDenied (exists, rights), kIo
  /// (cannot hold rings), kNotFound (no parent).
  static Result<RunFolder> create(const std::string& path, const Options& options);

  /// Opens what a recording left. Errors: kNotFound, kCorrupt (not a run folder), kUnsupported (another
  /// version).
  static Result<RunFolder> open(const std::string& path);

  /// Removes a run folder whose making or removal was cut short by a kill: nothing is in it that the report
  /// lacks. False: it is something else.
  static bool remove_remains(const std::string& path);

  const std::string& path() const { return path_; }
  int fd() const { return folder_.get(); }
  ControlPage& control() const { return *reinterpret_cast<ControlPage*>(control_.data()); }

  /// Process pages that exist in the file (not what the hostile counter says).
  uint32_t pages() const { return pages_; }
  /// nullptr beyond pages().
  ProcessPage* page(uint32_t index) const;
  /// Appends zeroed, allocated pages and publishes them in pages_ready.
  Status add_pages(uint32_t count);

  /// Its path still leads to it, and its control file is there: another process could find its way in.
  bool in_place() const;

  /// Makes the folder another user's (we are root), and from now on every file that is made in it.
  Status give_to(unsigned uid, unsigned gid);
  /// Gives a new file of the folder to whom the folder was given.
  Status hand_over(int file) const;

  /// Somebody looks at the report while it grows (watch_run_folder() within the last seconds), so that what
  /// is slow should be written sooner.
  bool watched() const;

  /// Takes the lock that says "somebody works on this folder"; it goes with this object, or with the last
  /// process that has it by fork. create() has taken it already. kDenied: taken.
  Status lock();

  /// Small text files (the manifest): written under a temporary name and renamed.
  Status write_file(const std::string& name, std::string_view content) const;
  Result<std::string> read_file(const std::string& name, size_t max_bytes) const;

  /// Names of the files in it, "." and ".." left out.
  std::vector<std::string> list() const;

  /// Unlinks the files and the folder itself; says nothing about what could not be.
  void remove();

 private:
  RunFolder() = default;
  Status make_control(const Options& options);
  Status map_control(uint64_t bytes);

  std::string path_;
  base::Fd folder_;
  base::Fd control_fd_;
  base::Fd lock_fd_;
  base::Mapping control_;
  uint32_t pages_ = 0;
  std::optional<std::pair<unsigned, unsigned>> given_to_;  // uid and gid
};

/// Tells the collector of a run folder that its report is looked at just now; to be repeated every few
/// seconds. Nothing happens where that is not possible.
void watch_run_folder(const std::string& path);

/// Makes the pages of [offset, offset + bytes) of a shared mapping present and writable; the file must be
/// that long.
void populate(uint8_t* address, size_t bytes);

/// Allocates file space (never sparse), fills it with zeros and grows the file if need be. Errors: kIo with
/// the reason.
Status allocate(int fd, uint64_t offset, uint64_t bytes);

}  // namespace sextant::spool
