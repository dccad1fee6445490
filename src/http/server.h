// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Server: HTTP/1.1 (with TLS where the build has it) for a handler that is called by a few worker threads. It
// bounds what a client can do: size of head and body, time for a request to arrive and an answer to leave,
// number of connections. It knows nothing of rights: that is the handler's part (access.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sextant::http {

struct Request {
  std::string method;  // "GET"
  std::string path;    // decoded, begins with a slash; no empty, "." or ".." part
  std::string query;   // as it was sent, without the question mark
  std::string body;
  bool secure = false;  // came by TLS
  std::string host, origin, cookie, authorization, if_none_match, accept_encoding, content_type;
};

struct Response {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

using Handler = std::function<Response(const Request&)>;

struct ServerOptions {
  std::string address = "127.0.0.1";     // numeric
  uint16_t port = 0;                     // 0: a free one
  std::string tls_certificate, tls_key;  // PEM files; empty: no TLS
  size_t workers = 4;
  size_t most_connections = 256;  // further ones are closed at once
  size_t most_body_bytes = 1 << 20;
  size_t most_head_bytes = 16 << 10;
  int request_seconds = 30;  // for a whole request to arrive, on an idle connection, too
  int answer_seconds = 120;  // for an answer to leave
};

class Server {
 public:
  /// Listens and serves from now on, in threads of its own. Errors: kUsage (address, port, certificate),
  /// kDenied, kIo, kUnsupported (no TLS in this build).
  static Result<Server> start(const ServerOptions& options, Handler handler);
  Server(Server&&) noexcept;
  Server& operator=(Server&&) = delete;  // the thread of the one that is replaced would go on
  /// Stops: open connections are closed, handlers that run are waited for.
  ~Server();

  uint16_t port() const;

  struct State;  // private to the implementation

 private:
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Whether this build can do TLS.
bool has_tls();

}  // namespace sextant::http
