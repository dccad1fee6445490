// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant serve: reports for a browser.
#include "cli/commands.h"
#include "cli/serving.h"
#include "text/log.h"

namespace sextant::cli {

int run_serve(const Arguments& arguments) {
  const auto options = serve_options(arguments);
  if (options) return serve_until_ended(*options);
  text::error("{}", options.error().message);
  return kExitFailed;
}

}  // namespace sextant::cli
