// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/web_files.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace sextant::serve {

namespace {

std::string inflated(std::string_view gzip) {
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kGzip) != Z_OK) return "";
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  std::string out;
  char part[1 << 16];
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = sizeof(part);
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(part, sizeof(part) - stream.avail_out);
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END ? out : std::string();
}

http::Response plain(unsigned status, std::string body) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .headers = {{"Cache-Control", "no-store"}},
          .body = std::move(body)};
}

}  // namespace

std::string text_of(const WebFile& file) {
  return inflated(file.gzip);
}

http::Response answer_web(const http::Request& request, std::span<const WebFile> files) {
  if (request.method != "GET" && request.method != "HEAD") {
    http::Response refused = plain(405, "only GET and HEAD are answered here\n");
    refused.headers.emplace_back("Allow", "GET, HEAD");
    return refused;
  }
  if (files.empty())
    return plain(
        request.path == "/" ? 200 : 404,
        "This build of sextant has no viewer: web/dist was not there when it was made (it needs Node 18 and "
        "npm, see CONTRIBUTING.md). The API answers below /api/v1/reports.\n");
  const bool is_page = request.path.find('.') == std::string::npos;
  const std::string_view path = is_page ? "/index.html" : std::string_view(request.path);
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const WebFile& f) { return f.path == path; });
  if (file == files.end()) return plain(404, "there is no such file\n");
  // names of files in assets/ change with their content
  const bool for_ever = file->path.starts_with("/assets/");
  http::Response response{
      .status = 200,
      .content_type = std::string(file->type),
      .headers = {{"ETag", std::string(file->etag)},
                  {"Cache-Control", for_ever ? "private, max-age=31536000, immutable" : "private, no-cache"},
                  {"Vary", "Accept-Encoding"}},
      .body = ""};
  if (request.if_none_match == file->etag) {
    response.status = 304, response.content_type.clear();
  } else if (request.accept_encoding.find("gzip") != std::string::npos) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.body = file->gzip;
  } else {
    response.body = inflated(file->gzip);
  }
  return response;
}

}  // namespace sextant::serve
