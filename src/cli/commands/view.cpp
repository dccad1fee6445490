// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant view: a report in a browser at once, or as one page that needs no server.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/serving.h"
#include "exporters/output_file.h"
#include "serve/page.h"
#include "text/log.h"
#include "text/output.h"
#include "text/units.h"

namespace sextant::cli {

namespace {

constexpr uint64_t kUsualBytes = 20 << 20;

int code_of(const Error& error) {
  text::error("{}", error.message);
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kDenied ? kExitNoInput : kExitFailed;
}

Result<uint64_t> most_bytes(const Arguments& arguments) {
  const auto word = arguments.text("max-size");
  if (!word) return kUsualBytes;
  SEXTANT_ASSIGN(const uint64_t bytes, text::parse_bytes(*word));
  return bytes;
}

Result<serve::Page> page_of(const Arguments& arguments, const std::string& report) {
  SEXTANT_ASSIGN(const uint64_t bytes, most_bytes(arguments));
  SEXTANT_ASSIGN(const serve::ServeOptions options, serve_options(arguments));
  return serve::make_page(report, options.open, bytes);
}

int write_page(const Arguments& arguments, const std::string& output) {
  const std::string& report = arguments.words()[0];
  if (const Status other = exporters::refuse_the_report_itself(report, output); !other)
    return code_of(other.error());
  auto file = exporters::OutputFile::create(output, arguments.flag("force-overwrite"));
  if (!file) return code_of(file.error());
  const auto page = page_of(arguments, report);
  if (!page) return code_of(page.error());
  text::Output out(file->fd());
  out.write(page->html);
  Status written = out.finish();
  if (written) written = file->commit();
  if (!written) return code_of(written.error());
  if (!page->thinned.empty()) text::warn("{}", page->thinned);
  text::info("wrote {}: {}; it opens by a double click", output, text::bytes(page->html.size()));
  return kExitOk;
}

}  // namespace

int run_view(const Arguments& arguments) {
  if (arguments.words().size() != 1) {
    text::error("sextant view takes one report: sextant view NAME.sxt; `sextant serve` shows several");
    return kExitFailed;
  }
  if (const auto html = arguments.text("html")) return write_page(arguments, std::string(*html));
  auto options = serve_options(arguments);
  if (!options) return code_of(options.error());
  options->open_browser = true;
  return serve_until_ended(*options);
}

}  // namespace sextant::cli
