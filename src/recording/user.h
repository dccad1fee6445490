// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// --run-as: another user whose program is recorded. Looked up in /etc/passwd and /etc/group; users of a
// directory service are named by numbers.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace sextant::recording {

struct User {
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;
  std::string name;  // "" where only the number is known
  std::string home;
};

/// "alice", "1000" or "1000:100". kUsage: unknown; kDenied: we are not root.
Result<User> find_user(const std::string& word);

/// The calling process becomes that user, for good. Async-signal-safe. Returns errno, 0 for success.
int become(const User& user);

/// Whether that user can open `path` for reading (and writing): tried by a child process.
bool can_open(const User& user, const std::string& path, bool to_write);

}  // namespace sextant::recording
