// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "base/fd.h"
#include "http/access.h"
#include "serve/api.h"
#include "serve/web_files.h"

extern char** environ;

namespace sextant::serve {

namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

std::string machine_name() {
  char name[256] = "";
  (void)::gethostname(name, sizeof(name) - 1);
  return name;
}

/// A page that leads a browser to `url`. The browser gets the page's name and not the address: arguments of a
/// process can be read by everybody.
class OpenedPage {
 public:
  Status show(const std::string& url) {
    const char* folder = ::getenv("XDG_RUNTIME_DIR");
    path_ = fmt::format("{}/sextant-XXXXXX.html", folder != nullptr && folder[0] == '/' ? folder : "/tmp");
    const base::Fd file(::mkstemps(path_.data(), 5));
    if (!file.valid()) return fail_errno(errno, "cannot write the page that leads to the server");
    const std::string page = fmt::format(
        "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url={0}\"><a "
        "href=\"{0}\">Sextant</a>\n",
        url);
    if (::write(file.get(), page.data(), page.size()) != static_cast<ssize_t>(page.size()))
      return fail_errno(errno, "cannot write the page that leads to the server");
    return start_browser();
  }
  ~OpenedPage() {
    if (!path_.empty()) ::unlink(path_.c_str());
    if (browser_ > 0) ::waitpid(browser_, nullptr, WNOHANG);
  }

 private:
  Status start_browser() {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int fd : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    char program[] = "xdg-open";
    char* arguments[] = {program, path_.data(), nullptr};
    const int error = ::posix_spawnp(&browser_, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return fail_errno(error, "cannot start a browser by xdg-open; open the address yourself");
    return {};
  }

  std::string path_;
  pid_t browser_ = -1;
};

Status check(const ServeOptions& options) {
  if (options.tls_certificate.empty() != options.tls_key.empty())
    return fail(ErrorCode::kUsage,
                "--tls-cert and --tls-key belong together: a certificate and its key, PEM files");
  return {};
}

std::vector<std::string> names_of(const ServeOptions& options) {
  std::vector<std::string> names = options.names;
  if (!is_loopback(options.address)) names.push_back(machine_name());
  for (std::string& name : names)
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return names;
}

std::string url_of(const ServeOptions& options, uint16_t port, const std::string& token) {
  std::string host = options.address;
  if (host == "0.0.0.0" || host == "::")
    host = options.names.empty() ? machine_name() : options.names.front();
  if (host.find(':') != std::string::npos) host = fmt::format("[{}]", host);
  return fmt::format("{}://{}:{}/?token={}", options.tls_certificate.empty() ? "http" : "https", host, port,
                     token);
}

}  // namespace

bool is_loopback(const std::string& address) {
  return address == "::1" || address.starts_with("127.");
}

Status run(const ServeOptions& options, const std::function<void(const std::string&, uint16_t)>& started,
           const std::function<void(const std::string&)>& warn) {
  SEXTANT_TRY(check(options));
  // Slices of time come and go: their memory goes back to the system, and is not kept once for each thread.
  ::mallopt(M_MMAP_THRESHOLD, 256 << 10);
  ::mallopt(M_ARENA_MAX, 2);
  const sigset_t ending = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);  // before threads are started, which inherit it
  ::signal(SIGPIPE, SIG_IGN);
  SEXTANT_ASSIGN(const auto collection, Collection::make(options.paths, options.open));
  http::Access::Options rights;
  rights.token = http::random_token();
  rights.names = names_of(options);
  if (!options.password_file.empty()) {
    SEXTANT_ASSIGN(rights.password, http::read_password(options.password_file));
  }
  if (!is_loopback(options.address) && options.tls_certificate.empty())
    warn(fmt::format(
        "everybody between {} and a browser can read along: without --tls-cert and --tls-key nothing "
        "is encrypted",
        options.address));
  // Cookies do not tell ports apart: servers of one machine need different names. A free port is known only
  // later.
  rights.cookie = options.port != 0 ? fmt::format("sextant_{}", options.port)
                                    : "sextant_" + http::random_token().substr(0, 8);
  http::Access access(rights);
  SEXTANT_ASSIGN(const auto tags, Tags::load(options.tags_file));
  SEXTANT_ASSIGN(SourceFiles sources, SourceFiles::make(options.source_folders));
  Api api(*collection, tags.get(), std::move(sources));
  const auto answer = [&](const http::Request& request) {
    http::Response response;
    if (auto early = access.answer(request))
      response = std::move(*early);
    else if (request.path.starts_with("/api/"))
      response = api.answer(request);
    else
      response = answer_web(request);
    http::Access::add_headers(&response);
    return response;
  };
  http::ServerOptions server_options;
  server_options.address = options.address, server_options.port = options.port;
  server_options.tls_certificate = options.tls_certificate, server_options.tls_key = options.tls_key;
  SEXTANT_ASSIGN(const http::Server server, http::Server::start(server_options, answer));
  const std::string url = url_of(options, server.port(), rights.token);
  started(url, server.port());
  OpenedPage page;
  if (options.open_browser)
    if (const Status shown = page.show(url); !shown) warn(shown.error().message);
  int signal = 0;
  ::sigwait(&ending, &signal);
  collection->stop();
  return {};
}

}  // namespace sextant::serve
