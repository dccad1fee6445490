// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The viewer's files, which are in the program: what web/dist held when it was built.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "http/server.h"

namespace sextant::serve {

struct WebFile {
  std::string_view path;  // "/index.html"
  std::string_view type;
  std::string_view gzip;
  std::string_view etag;
};
/// Empty: this build has no viewer.
std::span<const WebFile> web_files();  // written by tools/embed_web.py

/// Unpacked.
std::string text_of(const WebFile& file);

/// For paths that are not of the API. Paths without a dot are the viewer's pages: index.html.
http::Response answer_web(const http::Request& request, std::span<const WebFile> files = web_files());

}  // namespace sextant::serve
