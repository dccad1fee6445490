// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "http/access.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/fd.h"
#include "http/url.h"

namespace sextant::http {

namespace {

constexpr int kMostTriesAMinute = 20;

/// In a time that does not tell where they differ.
bool equal(std::string_view a, std::string_view b) {
  unsigned char differs = a.size() != b.size();
  for (size_t i = 0; i < a.size(); ++i)
    differs |= static_cast<unsigned char>(a[i] ^ b[b.empty() ? 0 : i % b.size()]);
  return differs == 0 && !b.empty();
}

/// "localhost" of "localhost:8080", "::1" of "[::1]:80".
std::string name_of(std::string_view host) {
  if (!host.empty() && host.front() == '[') return std::string(host.substr(1, host.find(']') - 1));
  std::string name(host.substr(0, host.find(':')));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (!name.empty() && name.back() == '.') name.pop_back();
  return name;
}

bool is_address(const std::string& name) {
  std::array<unsigned char, 16> bytes;
  return ::inet_pton(AF_INET, name.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

/// Whether a page of `origin` is one that this server gave out.
bool same_origin(const Request& request) {
  if (request.origin.empty()) return true;
  const std::string expected = fmt::format("{}://{}", request.secure ? "https" : "http", request.host);
  return request.origin == expected;
}

Response error(unsigned status, std::string_view code, std::string_view message) {
  return {.status = status,
          .content_type = "application/json",
          .headers = {{"Cache-Control", "no-store"}},
          .body = fmt::format(R"({{"error":{{"code":"{}","message":"{}"}}}})", code, message)};
}

Response page(unsigned status, std::string_view body) {
  return {
      .status = status,
      .content_type = "text/html; charset=utf-8",
      .headers = {{"Cache-Control", "no-store"}},
      .body = fmt::format("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Sextant</title>"
                          "<body><h1>Sextant</h1>{}</body></html>\n",
                          body)};
}

/// The target without its token.
std::string without_token(const Request& request) {
  std::string rest;
  std::string_view query = request.query;
  while (!query.empty()) {
    const size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    if (!pair.starts_with("token=")) rest += (rest.empty() ? "?" : "&") + std::string(pair);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
  }
  return rest;
}

/// A path as it may stand in an address.
std::string encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || std::string_view("/-._~").find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", byte);
  }
  return out;
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  for (size_t got = 0; got < bytes.size();) {
    const ssize_t n = ::getrandom(bytes.data() + got, bytes.size() - got, 0);
    if (n > 0) got += static_cast<size_t>(n);
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

Result<std::string> read_password(const std::string& path) {
  const base::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return fail_errno(errno, fmt::format("cannot open the password file {}", path));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return fail(ErrorCode::kUsage, fmt::format("{} is no file with a password", path));
  if ((status.st_mode & 077) != 0)
    return fail(ErrorCode::kUsage,
                fmt::format("others than you can read the password in {}; `chmod 600 {}` first", path, path));
  std::array<char, 1024> text;
  const ssize_t got = ::read(file.get(), text.data(), text.size());
  if (got < 0) return fail_errno(errno, fmt::format("cannot read the password file {}", path));
  const std::string_view all(text.data(), static_cast<size_t>(got));
  const std::string_view line = all.substr(0, all.find_first_of("\r\n"));
  if (line.size() < 8)
    return fail(ErrorCode::kUsage,
                fmt::format("the first line of {} is the password; it needs at least 8 characters", path));
  return std::string(line);
}

bool Access::right_host(std::string_view host) const {
  const std::string name = name_of(host);
  return name == "localhost" || is_address(name) ||
         std::find(options_.names.begin(), options_.names.end(), name) != options_.names.end();
}

bool Access::knows(const Request& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view authorization = request.authorization;
  if (authorization.starts_with(kBearer) && equal(authorization.substr(kBearer.size()), options_.token))
    return true;
  const auto value = cookie(request.cookie, options_.cookie);
  return value && equal(*value, options_.token);
}

Response Access::let_in(const Request& request, std::string place) const {
  // Lax, not Strict: a link in a mail or chat must find the cookie
  std::string value = fmt::format("{}={}; Path=/; HttpOnly; SameSite=Lax", options_.cookie, options_.token);
  if (request.secure) value += "; Secure";
  return {.status = 302,
          .content_type = "",
          .headers = {{"Location", std::move(place)},
                      {"Set-Cookie", std::move(value)},
                      {"Cache-Control", "no-store"}},
          .body = ""};
}

bool Access::too_many_tries() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t minute = now.tv_sec / 60;
  if (tries_minute_.exchange(minute) != minute) tries_ = 0;
  return ++tries_ > kMostTriesAMinute;
}

Response Access::log_in(const Request& request) {
  if (!options_.password) return error(404, "not_found", "this server asks for no password");
  if (request.method != "POST") return keep_out(request);
  if (too_many_tries()) return error(429, "limit", "too many tries; wait a minute");
  if (!equal(Parameters(request.body).text("password"), *options_.password)) return keep_out(request);
  return let_in(request, "/");
}

Response Access::keep_out(const Request& request) const {
  if (request.path.starts_with("/api/"))
    return error(
        401, "unauthorized",
        options_.password
            ? "log in on the first page, or send the token: Authorization: Bearer TOKEN"
            : "open the address that sextant serve printed, or send its token: Authorization: Bearer TOKEN");
  if (!options_.password)
    return page(
        401,
        "<p>Open the address that <code>sextant serve</code> printed: it holds the key to this page.</p>");
  // Without an action it goes to this very address, and what stands behind # in it, the view of a link,
  // stays.
  return page(401,
              "<form method=\"post\"><p><label>Password <input type=\"password\" name=\"password\" autofocus "
              "autocomplete=\"current-password\"></label> <button>Log in</button></p></form>");
}

std::optional<Response> Access::answer(const Request& request) {
  if (!right_host(request.host))
    return error(403, "forbidden", "this name is not one of the server's; sextant serve --host NAME adds it");
  if (!same_origin(request)) return error(403, "forbidden", "pages of other servers may not ask this one");
  const bool form = options_.password && request.method == "POST" && !request.path.starts_with("/api/");
  if (form || request.path == "/login") return log_in(request);
  const Parameters parameters(request.query);
  if (request.method == "GET" && parameters.has("token") && !request.path.starts_with("/api/")) {
    if (!equal(parameters.text("token"), options_.token)) return keep_out(request);
    return let_in(request, encoded(request.path) + without_token(request));
  }
  if (!knows(request)) return keep_out(request);
  return std::nullopt;
}

void Access::add_headers(Response* response) {
  response->headers.insert(
      response->headers.end(),
      {{"Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src "
        "'self'; "
        "connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
       {"X-Content-Type-Options", "nosniff"},
       {"X-Frame-Options", "DENY"},
       // not no-referrer: a browser then calls the origin of our own form "null"
       {"Referrer-Policy", "same-origin"},
       {"Cross-Origin-Opener-Policy", "same-origin"},
       {"Cross-Origin-Resource-Policy", "same-origin"}});
}

}  // namespace sextant::http
