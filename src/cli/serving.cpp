// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/serving.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "http/url.h"
#include "text/log.h"
#include "text/output.h"

namespace sextant::cli {

namespace {

bool is_address(std::string_view word) {
  return word.find(':') != std::string_view::npos ||
         word.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// --host: addresses to listen on, and names that browsers use.
Status take_hosts(const Arguments& arguments, serve::ServeOptions* options) {
  bool has_address = false;
  for (const std::string_view list : arguments.all("host"))
    for_each_word(list, ',', [&](std::string_view word) {
      if (word == "localhost") return;
      if (is_address(word))
        options->address = word, has_address = true;
      else
        options->names.emplace_back(word);
    });
  if (!options->names.empty() && !has_address) options->address = "0.0.0.0";
  return {};
}

}  // namespace

Result<serve::ServeOptions> serve_options(const Arguments& arguments) {
  serve::ServeOptions options;
  options.paths = arguments.words();
  SEXTANT_TRY(take_hosts(arguments, &options));
  if (const auto port = arguments.text("port")) {
    const auto number = http::parse_integer(*port, 0, 65535);
    if (!number)
      return fail(ErrorCode::kUsage, fmt::format("--port must be from 0 to 65535, not '{}'", *port));
    options.port = static_cast<uint16_t>(*number);
  }
  const auto path = [&](const char* name) { return std::string(arguments.text(name).value_or("")); };
  options.tls_certificate = path("tls-cert"), options.tls_key = path("tls-key");
  options.password_file = path("password-file");
  options.tags_file = path("tags-file");
  for (const std::string_view list : arguments.all("source-path"))
    for_each_word(list, ',', [&](std::string_view word) { options.source_folders.emplace_back(word); });
  options.open_browser = arguments.flag("open");
  options.open.no_cache = arguments.flag("no-cache");
  options.open.with_nsys = arguments.flag("with-nsys");
  options.open.notice = [](const std::string& text) { text::info("{}", text); };
  return options;
}

int serve_until_ended(const serve::ServeOptions& options) {
  const auto started = [&](const std::string& url, uint16_t port) {
    text::Output out(STDOUT_FILENO);
    out.write(url + "\n");
    (void)out.finish();  // without a reader of standard output it is served all the same
    if (serve::is_loopback(options.address))
      text::info(
          "from another machine: ssh -L {0}:127.0.0.1:{0} USER@THIS_MACHINE there, then open the same "
          "address",
          port);
    text::info("Ctrl-C ends the server");
  };
  const Status served = serve::run(options, started, [](const std::string& text) { text::warn("{}", text); });
  if (served) return kExitOk;
  text::error("{}", served.error().message);
  return served.error().code == ErrorCode::kNotFound || served.error().code == ErrorCode::kDenied
             ? kExitNoInput
             : kExitFailed;
}

}  // namespace sextant::cli
