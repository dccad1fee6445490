// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// `sextant serve`: everything put together, from options to the end by a signal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "open/open.h"

namespace sextant::serve {

struct ServeOptions {
  std::vector<std::string> paths;  // files and folders; none: the current folder
  std::string address = "127.0.0.1";
  std::vector<std::string> names;  // that browsers may call the server, beside addresses
  uint16_t port = 0;
  std::string tls_certificate, tls_key, password_file;
  std::string tags_file;                    // empty: tags are not kept
  std::vector<std::string> source_folders;  // whose source files may be shown beside call stacks
  bool open_browser = false;
  open::OpenOptions open;
};

/// Serves until SIGINT, SIGTERM or SIGHUP, which end it without an error. started(url, port) is called when
/// it listens; warn(text) for what the user should know. Blocks these signals in the calling thread.
Status run(const ServeOptions& options,
           const std::function<void(const std::string& url, uint16_t port)>& started,
           const std::function<void(const std::string&)>& warn);

bool is_loopback(const std::string& address);

}  // namespace sextant::serve
