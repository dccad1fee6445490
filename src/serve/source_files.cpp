// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/source_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

namespace sextant::serve {

namespace {

constexpr size_t kMostParts = 64;        // of a path
constexpr uint64_t kMostText = 8 << 20;  // bytes of a source file
constexpr size_t kMostLine = 500;        // bytes of a line that are shown

/// Parts of a path without "." and ".."; empty where it cannot be: too many, or above its beginning.
std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (parts.empty()) return {};
      parts.pop_back();
    } else if (parts.size() == kMostParts) {
      return {};
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

/// Where an open file is now.
std::string place_of(int fd) {
  char place[PATH_MAX];
  const ssize_t size = ::readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), place, sizeof(place));
  return size <= 0 || size == sizeof(place) ? "" : std::string(place, static_cast<size_t>(size));
}

}  // namespace

Result<SourceFiles> SourceFiles::make(const std::vector<std::string>& folders) {
  SourceFiles out;
  for (const std::string& folder : folders) {
    const base::Fd fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!fd.valid()) return fail_errno(errno, fmt::format("--source-path {}", folder));
    out.folders_.push_back(place_of(fd.get()));
    if (out.folders_.back().empty())
      return fail(ErrorCode::kIo, fmt::format("--source-path {}: /proc does not say where it is", folder));
  }
  return out;
}

/// The place is asked of the open file, so that no link can be exchanged in between; before that it is not
/// read.
Result<SourceFiles::File> SourceFiles::open_here(const std::string& path) const {
  const auto none = [&] { return fail(ErrorCode::kNotFound, fmt::format("no file {}", path)); };
  const base::Fd there(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!there.valid() || ::fstat(there.get(), &status) != 0 || !S_ISREG(status.st_mode)) return none();
  File file;
  file.path = place_of(there.get());
  const bool inside = std::any_of(folders_.begin(), folders_.end(), [&](const std::string& folder) {
    return file.path.starts_with(folder == "/" ? folder : folder + "/");
  });
  if (!inside) return none();
  file.fd = base::Fd(::open(fmt::format("/proc/self/fd/{}", there.get()).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.fd.valid()) return none();
  file.bytes = static_cast<uint64_t>(status.st_size);
  file.modified_ns = status.st_mtim.tv_sec * int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
  return file;
}

Result<SourceFiles::File> SourceFiles::open(std::string_view recorded) const {
  const std::vector<std::string_view> parts = parts_of(recorded);
  if (parts.empty() || recorded.find('\0') != std::string_view::npos)
    return fail(ErrorCode::kNotFound, "the report names no file that can be looked for");
  if (recorded.starts_with('/'))
    if (auto file = open_here(std::string(recorded))) return file;
  for (size_t first = 0; first < parts.size(); ++first) {
    const std::string end =
        fmt::format("{}", fmt::join(parts.begin() + static_cast<ptrdiff_t>(first), parts.end(), "/"));
    for (const std::string& folder : folders_)
      if (auto file = open_here(fmt::format("{}/{}", folder, end))) return file;
  }
  return fail(ErrorCode::kNotFound,
              fmt::format("{} is not in the folders that the server was given with --source-path", recorded));
}

Result<std::vector<std::string>> SourceFiles::lines(const File& file, uint64_t first, size_t count) {
  if (file.bytes > kMostText)
    return fail(ErrorCode::kUnsupported, fmt::format("{} is larger than {} MiB", file.path, kMostText >> 20));
  std::string text(file.bytes, '\0');
  size_t read = 0;
  for (ssize_t part = 1; read < text.size() && part > 0;
       read += static_cast<size_t>(std::max<ssize_t>(part, 0))) {
    part = ::pread(file.fd.get(), text.data() + read, text.size() - read, static_cast<off_t>(read));
    if (part < 0) return fail_errno(errno, fmt::format("cannot read {}", file.path));
  }
  text.resize(read);
  if (text.find('\0') != std::string::npos)
    return fail(ErrorCode::kUnsupported, fmt::format("{} is no text", file.path));
  std::vector<std::string> out;
  uint64_t number = 1;
  for (size_t at = 0; at < text.size() && out.size() < count; ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (number >= first) {
      out.push_back(text.substr(at, std::min(end - at, kMostLine)));
      if (end - at > kMostLine) out.back() += " ...";
    }
    at = end + 1;
  }
  return out;
}

}  // namespace sextant::serve
