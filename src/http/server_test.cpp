// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The server against clients that mean no good, by plain sockets.
#include "http/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/fd.h"

namespace sextant::http {
namespace {

Response echo(const Request& request) {
  if (request.path == "/throw") throw 1;
  return {.status = 200,
          .content_type = "text/plain",
          .headers = {{"X-Host", request.host}},
          .body = request.method + " " + request.path + " " + request.query + " " +
                  std::to_string(request.body.size())};
}

class ServerTest : public ::testing::Test {
 protected:
  void begin(ServerOptions options = {}) {
    auto server = Server::start(options, echo);
    ASSERT_TRUE(server) << server.error().message;
    server_.emplace(std::move(*server));
  }
  base::Fd connect() const {
    base::Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in to{};
    to.sin_family = AF_INET, to.sin_port = htons(server_->port()),
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0);
    const timeval patience{60, 0};
    ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    return fd;
  }
  static void send(const base::Fd& fd, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
  }
  /// All until the server closes the connection.
  static std::string read_all(const base::Fd& fd) {
    std::string all;
    char part[4096];
    for (ssize_t got = 0; (got = ::recv(fd.get(), part, sizeof(part), 0)) > 0;)
      all.append(part, static_cast<size_t>(got));
    return all;
  }
  std::string ask(const std::string& bytes) const {
    const base::Fd fd = connect();
    send(fd, bytes);
    return read_all(fd);
  }
  static std::string get(const std::string& target) {
    return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  }
  std::optional<Server> server_;
};

TEST_F(ServerTest, AnswersAndKeepsConnections) {
  begin();
  const base::Fd fd = connect();
  send(fd, "GET /a%20b?x=1 HTTP/1.1\r\nHost: h\r\n\r\n");
  send(fd, "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nConnection: close\r\n\r\n12345");
  const std::string both = read_all(fd);
  EXPECT_NE(both.find("GET /a b x=1 0"), std::string::npos) << both;
  EXPECT_NE(both.find("POST /p  5"), std::string::npos) << both;
  EXPECT_NE(both.find("X-Host: h"), std::string::npos);
}

TEST_F(ServerTest, AHeadHasNoBody) {
  begin();
  const std::string answer = ask("HEAD /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_NE(answer.find("200 OK"), std::string::npos);
  EXPECT_NE(answer.find("Content-Length: "), std::string::npos);
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
}

TEST_F(ServerTest, MalformedRequestsAreRefused) {
  begin();
  for (const std::string& bad :
       {get("/../etc/passwd"), get("/%2e%2e/x"), get("x"), std::string("\x16\x03\x01 no HTTP at all\r\n\r\n"),
        std::string("GET / HTTP/9.9\r\n\r\n"), std::string("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n")})
    EXPECT_NE(ask(bad).find(" 400 "), std::string::npos) << bad;
  EXPECT_NE(ask(get("/")).find(" 200 "), std::string::npos);
}

TEST_F(ServerTest, BodiesAndHeadsHaveAnEnd) {
  begin();
  const std::string announced = ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999\r\n\r\n");
  EXPECT_NE(announced.find(" 413 "), std::string::npos) << announced;
  const base::Fd chunked = connect();
  send(chunked, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 40; ++i) send(chunked, "10000\r\n" + std::string(0x10000, 'x') + "\r\n");
  EXPECT_NE(read_all(chunked).find(" 413 "), std::string::npos);
  const std::string head = ask("GET / HTTP/1.1\r\nX: " + std::string(64 << 10, 'x') + "\r\n\r\n");
  EXPECT_NE(head.find(" 431 "), std::string::npos) << head;
}

TEST_F(ServerTest, SlowClientsAreCutOff) {
  ServerOptions options;
  options.request_seconds = 1;
  begin(options);
  const base::Fd slow = connect();
  std::atomic<bool> done{false};
  std::thread dripping([&] {
    send(slow, "GET / HTTP/1.1\r\nX: ");
    while (!done) {
      send(slow, "x");
      ::usleep(100'000);
    }
  });
  EXPECT_EQ(read_all(slow), "");  // ends although a byte comes now and then
  done = true;
  dripping.join();
  EXPECT_NE(ask(get("/")).find(" 200 "), std::string::npos);
}

TEST_F(ServerTest, ManyConnectionsLeaveRoomAfterwards) {
  ServerOptions options;
  options.most_connections = 4;
  begin(options);
  std::vector<base::Fd> open;
  for (int i = 0; i < 4; ++i) {
    open.push_back(connect());
    send(open.back(), "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    char byte;
    ASSERT_EQ(::recv(open.back().get(), &byte, 1, 0), 1);
  }
  EXPECT_EQ(ask(get("/")), "");
  open.clear();
  std::string answer;
  for (int i = 0; i < 1000 && answer.empty(); ++i) {  // until it has seen that they went away
    answer = ask(get("/"));
    ::usleep(10'000);
  }
  EXPECT_NE(answer.find(" 200 "), std::string::npos);
}

TEST_F(ServerTest, AHandlerThatThrowsEndsNothing) {
  begin();
  EXPECT_NE(ask(get("/throw")).find(" 500 "), std::string::npos);
  EXPECT_NE(ask(get("/")).find(" 200 "), std::string::npos);
}

TEST_F(ServerTest, EndsWhileClientsAreConnected) {
  begin();
  const base::Fd idle = connect(), half = connect();
  send(half, "GET / HTTP/1.1\r\nX:");
  server_.reset();
  EXPECT_EQ(read_all(idle), "");
  EXPECT_EQ(read_all(half), "");
}

TEST_F(ServerTest, WrongOptionsAreErrors) {
  ServerOptions options;
  options.address = "no address";
  EXPECT_EQ(Server::start(options, echo).error().code, ErrorCode::kUsage);
  begin();
  options.address = "127.0.0.1", options.port = server_->port();
  EXPECT_FALSE(Server::start(options, echo));
  options.port = 0, options.tls_certificate = "/nowhere.pem", options.tls_key = "/nowhere.key";
  EXPECT_EQ(Server::start(options, echo).error().code,
            has_tls() ? ErrorCode::kUsage : ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace sextant::http
