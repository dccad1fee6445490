// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "open/sniff.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/fd.h"
#include "report/format.h"

namespace sextant::open {

namespace {

constexpr size_t kHeadBytes = 256;
constexpr size_t kMostVersionBytes = 32;

/// The version behind `marker`: digits separated by dots, or by @ as the reports have it.
bool version_behind(std::string_view head, std::string_view marker, std::string* version) {
  const size_t at = head.find(marker);
  if (at == std::string_view::npos) return false;
  version->clear();
  for (const char c : head.substr(at + marker.size(), kMostVersionBytes)) {
    if (c != '@' && c != '.' && (c < '0' || c > '9')) break;
    *version += c == '@' ? '.' : c;
  }
  return true;
}

}  // namespace

Result<Sniffed> sniff(const std::string& path) {
  // not blocking: a FIFO in place of a report must not hang
  const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.valid()) return fail_errno(errno, "cannot open " + path);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, "cannot read " + path);
  Sniffed found;
  if (S_ISDIR(status.st_mode)) {
    found.kind = FileKind::kFolder;
    return found;
  }
  if (!S_ISREG(status.st_mode)) return fail(ErrorCode::kCorrupt, path + " is not a regular file");
  char bytes[kHeadBytes];
  const ssize_t got = ::pread(fd.get(), bytes, sizeof(bytes), 0);
  if (got < 0) return fail_errno(errno, "cannot read " + path);
  const std::string_view head(bytes, static_cast<size_t>(got));

  using namespace std::string_view_literals;
  if (head.starts_with(std::string_view(report::kFileMagic, sizeof(report::kFileMagic)))) {
    found.kind = FileKind::kReport;
  } else if (head.starts_with("SQLite format 3\0"sv)) {
    found.kind = FileKind::kSqlite;
  } else if (head.starts_with("NVIDIA Tegra Profiler Report"sv)) {
    found.kind = FileKind::kNsysReport;
    version_behind(head, "NVIDIA Tegra Profiler Report ", &found.made_by);
  } else if (version_behind(head, "NVIDIA Nsight Systems Stream ", &found.made_by)) {
    found.kind = FileKind::kNsysStream;
  } else if (head.starts_with("NVR\0"sv)) {
    found.kind = FileKind::kNcuReport;
  }
  return found;
}

}  // namespace sextant::open
