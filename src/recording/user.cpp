// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/user.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>

namespace sextant::recording {

namespace {

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

/// None for -1, too: the kernel takes it for "leave it as it is", and that is root.
std::optional<unsigned> number(std::string_view word) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value + 1 == 0) return std::nullopt;
  return value;
}

/// The line of /etc/passwd. Read directly: the C library's look-up would load modules into a static program.
std::optional<User> listed_user(const std::string& name, std::optional<unsigned> uid) {
  const File file(std::fopen("/etc/passwd", "re"));
  if (!file) return std::nullopt;
  while (const passwd* entry = ::fgetpwent(file.get()))
    if (entry->pw_name == name || (uid && entry->pw_uid == *uid))
      return User{entry->pw_uid, entry->pw_gid, {entry->pw_gid}, entry->pw_name, entry->pw_dir};
  return std::nullopt;
}

void add_groups(User* user) {
  const File file(std::fopen("/etc/group", "re"));
  if (!file) return;
  while (const group* entry = ::fgetgrent(file.get()))
    for (char** member = entry->gr_mem; *member != nullptr; ++member)
      if (*member == user->name && entry->gr_gid != user->gid) user->groups.push_back(entry->gr_gid);
}

}  // namespace

Result<User> find_user(const std::string& word) {
  if (::geteuid() != 0) return fail(ErrorCode::kDenied, "--run-as " + word + ": only root can do that");
  const size_t colon = std::min(word.find(':'), word.size());
  const auto uid = number(std::string_view(word).substr(0, colon));
  if (colon < word.size()) {
    const auto gid = number(std::string_view(word).substr(colon + 1));
    if (!uid || !gid)
      return fail(ErrorCode::kUsage, "--run-as " + word + ": is neither a user's name nor UID:GID");
    return User{*uid, *gid, {*gid}, "", ""};
  }
  auto user = listed_user(word, uid);
  if (!user)
    return fail(ErrorCode::kUsage,
                "--run-as " + word + ": no such user in /etc/passwd; UID:GID names one by numbers");
  add_groups(&*user);
  return *std::move(user);
}

int become(const User& user) {
  if (::setgroups(user.groups.size(), user.groups.data()) != 0) return errno;
  if (::setresgid(user.gid, user.gid, user.gid) != 0) return errno;
  if (::setresuid(user.uid, user.uid, user.uid) != 0) return errno;
  return ::geteuid() == user.uid && ::getegid() == user.gid ? 0 : EPERM;
}

bool can_open(const User& user, const std::string& path, bool to_write) {
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {
    if (become(user) != 0) ::_exit(1);
    ::_exit(::open(path.c_str(), (to_write ? O_RDWR : O_RDONLY) | O_CLOEXEC) < 0 ? 1 : 0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace sextant::recording
