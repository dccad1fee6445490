// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Access: who may see what the server has. One secret token, given in the first address, becomes a cookie and
// leaves the address; where there is a password, a form asks for it. Names in Host and Origin are checked, so
// that no page of somebody else can ask in the user's name (DNS rebinding, forged requests). Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/server.h"

namespace sextant::http {

/// 32 hexadecimal digits from the system's random numbers.
std::string random_token();

/// The first line of a file that only its owner can read. Errors: kNotFound, kDenied, kIo, kUsage (others can
/// read it, it is empty).
Result<std::string> read_password(const std::string& path);

class Access {
 public:
  struct Options {
    std::string token;  // not empty
    std::optional<std::string> password;
    std::vector<std::string> names;  // that Host may have, beside addresses and localhost; lower case
    std::string cookie;              // its name
  };
  explicit Access(Options options) : options_(std::move(options)) {}

  /// What a request gets that may not go on, or brings the token or the password; nullopt: it may go on.
  std::optional<Response> answer(const Request& request);

  /// Headers that every answer has: what a page may load, that nobody may frame it.
  static void add_headers(Response* response);

 private:
  bool right_host(std::string_view host) const;
  bool knows(const Request& request) const;
  Response let_in(const Request& request, std::string place) const;
  Response log_in(const Request& request);
  Response keep_out(const Request& request) const;
  bool too_many_tries();

  const Options options_;
  std::atomic<int64_t> tries_minute_{0};
  std::atomic<int> tries_{0};
};

}  // namespace sextant::http
