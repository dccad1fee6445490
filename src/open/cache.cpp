// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "open/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

#include "base/fd.h"
#include "text/log.h"
#include "text/units.h"

namespace sextant::open {

namespace {

constexpr size_t kReadBytes = 1 << 20;
constexpr time_t kLeftoverAgeSeconds = 24 * 3600;  // of a file that an import was killed over

struct Entry {
  std::string path;
  uint64_t bytes;
  timespec used;
};

bool earlier(const Entry& a, const Entry& b) {
  return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
}

/// Makes a folder and those above it that are missing.
Status make_folders(const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) return fail_errno(errno, "cannot make " + part);
    if (slash == std::string::npos) return {};
  }
}

}  // namespace

Result<ContentHash> hash_file(const std::string& path, const std::function<bool()>& go_on) {
  const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.valid()) return fail_errno(errno, "cannot open " + path);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  if (state == nullptr) return fail(ErrorCode::kInternal, "out of memory");
  XXH3_128bits_reset(state.get());
  std::vector<uint8_t> buffer(kReadBytes);
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno(errno, "cannot read " + path);
    if (got == 0) break;
    XXH3_128bits_update(state.get(), buffer.data(), static_cast<size_t>(got));
    if (go_on && !go_on()) return fail(ErrorCode::kUnsupported, path + ": stopped");
  }
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state.get()));
  ContentHash hash;
  static_assert(sizeof(canonical) == sizeof(hash));
  std::memcpy(hash.data(), &canonical, sizeof(hash));
  return hash;
}

std::optional<std::string> Cache::default_folder() {
  const char* base = std::getenv("XDG_CACHE_HOME");
  if (base != nullptr && base[0] == '/') return std::string(base) + "/sextant/imports";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/sextant/imports";
  return std::nullopt;
}

uint64_t Cache::default_bytes() {
  const char* wanted = std::getenv("SEXTANT_CACHE_BYTES");
  if (wanted == nullptr || *wanted == 0) return kDefaultBytes;
  const auto bytes = text::parse_bytes(wanted);
  if (!bytes)
    text::warn("SEXTANT_CACHE_BYTES: {}; {} are kept", bytes.error().message, text::bytes(kDefaultBytes));
  return bytes.value_or(kDefaultBytes);
}

Result<Cache> Cache::open(const std::string& folder, uint64_t most_bytes) {
  SEXTANT_TRY(make_folders(folder));
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) return fail_errno(errno, "cannot use " + folder);
  if (!S_ISDIR(status.st_mode)) return fail(ErrorCode::kDenied, folder + " is no folder");
  if (status.st_uid != ::geteuid() || (status.st_mode & 022) != 0)
    return fail(ErrorCode::kDenied, folder + " can be written by others");
  if (::access(folder.c_str(), W_OK) != 0) return fail_errno(errno, "cannot write to " + folder);
  return Cache(folder, most_bytes);
}

std::string Cache::place(const ContentHash& hash, uint32_t importer_version) const {
  constexpr char kHex[] = "0123456789abcdef";
  std::string name = folder_ + "/";
  for (const uint8_t byte : hash) {
    name += kHex[byte >> 4];
    name += kHex[byte & 15];
  }
  return name + "-" + std::to_string(importer_version) + ".sxt";
}

bool Cache::use(const std::string& place) const {
  struct stat status {};
  if (::lstat(place.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  ::utimensat(AT_FDCWD, place.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  return true;
}

void Cache::trim(const std::string& keep) const {
  DIR* folder = ::opendir(folder_.c_str());
  if (folder == nullptr) return;
  std::vector<Entry> entries;
  uint64_t total = 0;
  const time_t now = ::time(nullptr);
  while (const dirent* file = ::readdir(folder)) {
    const std::string path = folder_ + "/" + file->d_name;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (path.find(".sxt.part-") != std::string::npos) {
      if (now - status.st_mtim.tv_sec > kLeftoverAgeSeconds) ::unlink(path.c_str());
      continue;
    }
    if (!path.ends_with(".sxt")) continue;
    entries.push_back({path, static_cast<uint64_t>(status.st_size), status.st_mtim});
    total += entries.back().bytes;
  }
  ::closedir(folder);
  std::sort(entries.begin(), entries.end(), earlier);
  for (const Entry& entry : entries) {
    if (total <= most_bytes_) return;
    if (entry.path == keep) continue;
    if (::unlink(entry.path.c_str()) == 0) total -= entry.bytes;
  }
}

}  // namespace sextant::open
