// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "http/access.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace sextant::http {
namespace {

const std::string kToken = "0123456789abcdef0123456789abcdef";

Access make(std::optional<std::string> password = std::nullopt) {
  return Access({.token = kToken, .password = std::move(password), .names = {"node7"}, .cookie = "sid"});
}

Request request(std::string path = "/", std::string query = "") {
  Request r;
  r.method = "GET", r.path = std::move(path), r.query = std::move(query), r.host = "127.0.0.1:8000";
  return r;
}

std::string header(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers)
    if (key == name) return value;
  return "";
}

unsigned status(const std::optional<Response>& response) {
  return response ? response->status : 0;
}

TEST(Access, TheTokenBecomesACookieAndLeavesTheAddress) {
  Access access = make();
  const auto in = access.answer(request("/r", "token=" + kToken + "&from=1&to=2"));
  ASSERT_EQ(status(in), 302u);
  EXPECT_EQ(header(*in, "Location"), "/r?from=1&to=2");
  const std::string cookie = header(*in, "Set-Cookie");
  EXPECT_NE(cookie.find("sid=" + kToken), std::string::npos);
  EXPECT_NE(cookie.find("HttpOnly"), std::string::npos);
  EXPECT_NE(cookie.find("SameSite=Lax"), std::string::npos);
  Request next = request("/r");
  next.cookie = "other=1; sid=" + kToken;
  EXPECT_FALSE(access.answer(next));
  Request script = request("/api/v1/reports");
  script.authorization = "Bearer " + kToken;
  EXPECT_FALSE(access.answer(script));
}

TEST(Access, WithoutTheTokenNothing) {
  Access access = make();
  EXPECT_EQ(status(access.answer(request())), 401u);
  EXPECT_EQ(status(access.answer(request("/api/v1/reports"))), 401u);
  EXPECT_EQ(status(access.answer(request("/", "token=" + kToken.substr(1)))), 401u);
  EXPECT_EQ(status(access.answer(request("/", "token="))), 401u);
  EXPECT_EQ(status(access.answer(request("/api/v1/reports", "token=" + kToken))),
            401u);  // only pages take it
  Request wrong = request();
  wrong.cookie = "sid=" + kToken + "0";
  EXPECT_EQ(status(access.answer(wrong)), 401u);
  wrong.cookie = "sid=";
  EXPECT_EQ(status(access.answer(wrong)), 401u);
}

TEST(Access, ForeignNamesAndPagesAreRefused) {
  Access access = make();
  Request r = request();
  r.cookie = "sid=" + kToken;
  for (const char* host : {"localhost", "LOCALHOST:1", "[::1]:80", "10.1.2.3:5", "node7", "Node7.:99"}) {
    r.host = host;
    EXPECT_FALSE(access.answer(r)) << host;
  }
  for (const char* host :
       {"", "evil.example", "127.0.0.1.evil.example:80", "node7.evil.example", "[evil]", "0x7f000001"}) {
    r.host = host;
    EXPECT_EQ(status(access.answer(r)), 403u) << host;
  }
  r.host = "localhost:8000";
  r.origin = "http://localhost:8000";
  EXPECT_FALSE(access.answer(r));
  for (const char* origin :
       {"http://localhost:8001", "https://localhost:8000", "http://evil.example", "null"}) {
    r.origin = origin;
    EXPECT_EQ(status(access.answer(r)), 403u) << origin;
  }
}

TEST(Access, PasswordsOpenToo) {
  Access access = make("correct horse");
  Request login = request("/login");
  EXPECT_EQ(status(access.answer(login)), 401u);  // the form
  login.method = "POST";
  login.body = "password=wrong";
  EXPECT_EQ(status(access.answer(login)), 401u);
  login.body = "password=correct+horse";
  EXPECT_EQ(status(access.answer(login)), 302u);
  const auto form = access.answer(request("/"));
  EXPECT_NE(form->body.find("<form method=\"post\">"), std::string::npos) << form->body;
  login.path = "/";  // where that form goes to
  EXPECT_EQ(status(access.answer(login)), 302u);
  EXPECT_EQ(header(*access.answer(login), "Location"), "/");
  login.path = "/api/v1/reports";
  EXPECT_EQ(status(access.answer(login)), 401u);
  login.path = "/login";
  login.body = "password=wrong";
  unsigned last = 0;
  for (int i = 0; i < 60; ++i) last = status(access.answer(login));
  EXPECT_EQ(last, 429u);
  Access none = make();
  login.body = "password=";
  EXPECT_EQ(status(none.answer(login)), 404u);
}

TEST(Access, PasswordFilesMustBePrivate) {
  const std::string path = ::testing::TempDir() + "/sextant_password_" + std::to_string(::getpid());
  std::ofstream(path) << "long enough\nignored\n";
  ::chmod(path.c_str(), 0644);
  EXPECT_EQ(read_password(path).error().code, ErrorCode::kUsage);
  ::chmod(path.c_str(), 0600);
  EXPECT_EQ(*read_password(path), "long enough");
  std::ofstream(path) << "short\n";
  EXPECT_FALSE(read_password(path));
  ::unlink(path.c_str());
  EXPECT_EQ(read_password(path).error().code, ErrorCode::kNotFound);
}

TEST(Access, EveryAnswerSaysWhatAPageMayDo) {
  Response response;
  Access::add_headers(&response);
  const std::string policy = header(response, "Content-Security-Policy");
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(header(response, "Referrer-Policy"), "same-origin");
  EXPECT_NE(random_token(), random_token());
  EXPECT_EQ(random_token().size(), 32u);
}

}  // namespace
}  // namespace sextant::http
