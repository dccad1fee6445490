// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Version 1 of the HTTP API (docs/http-api.md): one function for each group of endpoints, in a file of its
// own. Requests have passed http::Access before. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "http/server.h"
#include "http/url.h"
#include "serve/collection.h"
#include "serve/source_files.h"
#include "serve/tags.h"
#include "text/json_writer.h"

namespace sextant::serve {

class Api {
 public:
  /// `tags`: nullptr, or must outlive it. `sources`: files that may be shown besides reports.
  explicit Api(Collection& collection, Tags* tags = nullptr, SourceFiles sources = {})
      : collection_(collection), tags_(tags), sources_(std::move(sources)) {}

  /// For paths below /api/.
  http::Response answer(const http::Request& request);

 private:
  Collection& collection_;
  Tags* tags_;
  SourceFiles sources_;
};

/// A request about one report.
struct Call {
  OpenReport& report;
  http::Parameters parameters;
  std::vector<std::string_view> parts;  // behind the report's id: "tiles", "3", "10", "0"
  const http::Request& request;
  const SourceFiles& sources;
};
using Answer = Result<http::Response>;

Answer answer_reports(Collection& collection, const Tags* tags);  // api_reports.cpp
Answer answer_tags(Collection& collection, Tags& tags, const std::string& id,
                   const http::Request& request);  // api_tags.cpp
Answer answer_report(const Call& call);
Answer answer_tracks(const Call& call), answer_names(const Call& call);  // api_tracks.cpp
Answer answer_tile(const Call& call), answer_tiles(const Call& call);
Answer answer_events(const Call& call), answer_event(const Call& call);    // api_events.cpp, api_event.cpp
Answer answer_search(const Call& call);                                    // api_search.cpp
Answer answer_stats(const Call& call), answer_range(const Call& call);     // api_stats.cpp, api_range.cpp
Answer answer_findings(const Call& call);                                  // api_findings.cpp
Answer answer_sql(const Call& call);                                       // api_sql.cpp
Answer answer_stacks(const Call& call);                                    // api_stacks.cpp
Answer answer_busy(const Call& call), answer_histogram(const Call& call);  // api_busy.cpp, api_histogram.cpp
Answer answer_row_sql(const Call& call);                                   // api_row_sql.cpp
Answer answer_source(const Call& call);                                    // api_source.cpp

// What they share.

/// A whole JSON answer: begin with begin_object().
struct Json {
  std::string out;
  text::JsonWriter writer{&out, 0};
  http::Response response() {
    return {.status = 200, .content_type = "application/json", .headers = {}, .body = std::move(out)};
  }
};
http::Response error_response(const Error& error);
http::Response error_response(unsigned status, std::string_view code, std::string_view message);

/// The track that a parameter or a part of the path names. kNotFound.
Result<const Track*> track_of(const Timeline& timeline, std::string_view number, bool or_curve = false);
/// from= and to=, which may be missing: the whole report. kUsage.
Result<query::Window> window_of(const Call& call, int64_t length_ns);
Result<int64_t> integer_of(const Call& call, std::string_view name, int64_t fallback, int64_t least,
                           int64_t most);

inline constexpr int64_t kMostNs = int64_t{1} << 53;

}  // namespace sextant::serve
