// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes to the server over a connection, with its access checks in front of the handler: answers of HTTP
// and then the end of the connection, or just that; only who brings the token reaches the handler.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/fd.h"
#include "http/access.h"
#include "http/server.h"

namespace {

using namespace sextant;

constexpr std::string_view kToken = "0123456789abcdef";

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

class Service {
 public:
  Service() : server_(start()) {}
  std::atomic<bool> reached{false};

  std::string answer_to(std::string_view bytes) const {
    const base::Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in to{};
    to.sin_family = AF_INET, to.sin_port = htons(server_.port()), to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    must(::connect(fd.get(), reinterpret_cast<sockaddr*>(&to), sizeof(to)) == 0, "no connection");
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) break;  // it has heard enough
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    ::shutdown(fd.get(), SHUT_WR);
    std::string all;
    char part[4096];
    for (ssize_t got = 0; (got = ::recv(fd.get(), part, sizeof(part), 0)) > 0;)
      all.append(part, static_cast<size_t>(got));
    return all;
  }

 private:
  http::Server start() {
    http::ServerOptions options;
    options.workers = 1;
    options.most_body_bytes = 4096;
    options.most_head_bytes = 2048;
    auto server =
        http::Server::start(options, [this](const http::Request& request) { return handle(request); });
    must(server.has_value(), "no server");
    return std::move(*server);
  }
  http::Response handle(const http::Request& request) {
    must(request.path.starts_with('/') && request.path != "/.." && !request.path.starts_with("/../"),
         "a path that leads out");
    auto response = access_.answer(request);
    if (!response) {
      reached = true;
      response = http::Response{.content_type = "text/plain", .headers = {}, .body = request.path};
    }
    http::Access::add_headers(&*response);
    return *response;
  }

  http::Access access_{
      {.token = std::string(kToken), .password = "password", .names = {"host"}, .cookie = "c"}};
  http::Server server_;
};

/// Lines of a head are names and values: nothing of a request has become a line of its own.
void check_head(std::string_view answer) {
  must(answer.starts_with("HTTP/1.1 "), "an answer that is none of HTTP");
  const std::string_view head = answer.substr(0, answer.find("\r\n\r\n"));
  for (size_t at = head.find("\r\n"); at != std::string_view::npos;) {
    const size_t next = head.find("\r\n", at + 2);
    const std::string_view line = head.substr(at + 2, next == std::string_view::npos ? next : next - at - 2);
    must(line.find(": ") != std::string_view::npos && line.find('\n') == std::string_view::npos,
         "a line of the head that is no header");
    at = next;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Service service;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  service.reached = false;
  const std::string answer = service.answer_to(bytes);
  if (!answer.empty()) check_head(answer);
  must(!service.reached || bytes.find(kToken) != std::string_view::npos,
       "the handler was reached without the token");
  return 0;
}
