// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// One self-contained page: the viewer with the answers of the HTTP API about one report in it
// (docs/http-api.md, "A page without a server"). It is opened as a file; nothing is loaded from elsewhere.
#pragma once

#include <string>

#include "base/result.h"
#include "open/open.h"

namespace sextant::serve {

struct Page {
  std::string html;
  std::string thinned;  // a sentence about what had no room; empty: everything is there
};

/// `most_bytes`: of the page; the viewer itself (some 200 KB) and the summaries are in it in any case.
/// Errors: kNotFound, kUnsupported (this build has no viewer), those of opening a report.
Result<Page> make_page(const std::string& report, const open::OpenOptions& options, uint64_t most_bytes);

}  // namespace sextant::serve
