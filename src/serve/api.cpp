// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/api.h"

#include <fmt/format.h>

#include <array>

namespace sextant::serve {

namespace {

struct Endpoint {
  std::string_view name;
  size_t parts;  // with the name
  bool post;
  Answer (*answer)(const Call&);
  bool of_report_alone = true;  // what it answers changes only when the report does
};

constexpr std::array kEndpoints = {
    Endpoint{"", 0, false, answer_report},         Endpoint{"tracks", 1, false, answer_tracks},
    Endpoint{"names", 1, false, answer_names},     Endpoint{"tiles", 4, false, answer_tile},
    Endpoint{"events", 1, false, answer_events},   Endpoint{"event", 3, false, answer_event},
    Endpoint{"search", 1, false, answer_search},   Endpoint{"stats", 1, false, answer_stats},
    Endpoint{"range", 1, false, answer_range},     Endpoint{"findings", 1, false, answer_findings},
    Endpoint{"sql", 1, true, answer_sql},          Endpoint{"stacks", 1, false, answer_stacks},
    Endpoint{"busy", 1, false, answer_busy},       Endpoint{"histogram", 1, false, answer_histogram},
    Endpoint{"row_sql", 1, false, answer_row_sql}, Endpoint{"source", 3, false, answer_source, false},
    Endpoint{"tiles", 1, false, answer_tiles},
};

unsigned status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return 400;
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kUnsupported:
      return 422;
    default:
      return 500;
  }
}

std::string_view word_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "bad_request";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kUnsupported:
      return "limit";
    case ErrorCode::kInternal:
      return "internal";
    default:
      return "unreadable";
  }
}

http::Response not_allowed(std::string_view allowed) {
  http::Response response =
      error_response(405, "not_allowed", fmt::format("only {} is answered here", allowed));
  response.headers.emplace_back("Allow", allowed);
  return response;
}

http::Response answer_about_report(Collection& collection, const SourceFiles& sources,
                                   const http::Request& request, std::vector<std::string_view> parts) {
  const auto report = collection.open(std::string(parts[0]));
  if (!report) return error_response(report.error());
  parts.erase(parts.begin());
  const std::string_view name = parts.empty() ? std::string_view() : parts[0];
  for (const Endpoint& endpoint : kEndpoints) {
    if (endpoint.name != name || endpoint.parts != parts.size()) continue;
    const bool post = request.method == "POST";
    if (post != endpoint.post) return not_allowed(endpoint.post ? "POST" : "GET, HEAD");
    const auto version = [&] {  // damage may be found later, and is part of what is answered
      const size_t skipped = (*report)->source.skipped().size();
      return skipped == 0 ? fmt::format("\"{}\"", (*report)->etag)
                          : fmt::format("\"{}-{}\"", (*report)->etag, skipped);
    };
    const bool keeps = !post && endpoint.of_report_alone;
    if (keeps && request.if_none_match == version())
      return {.status = 304, .content_type = "", .headers = {{"ETag", version()}}, .body = ""};
    Answer answer = endpoint.answer({**report, http::Parameters(request.query), parts, request, sources});
    if (!answer) return error_response(answer.error());
    if (keeps) answer->headers.emplace_back("ETag", version());
    if (!post) answer->headers.emplace_back("Cache-Control", keeps ? "private, no-cache" : "no-store");
    return std::move(*answer);
  }
  return error_response(404, "not_found", "there is no such request; docs/http-api.md lists them");
}

}  // namespace

http::Response error_response(unsigned status, std::string_view code, std::string_view message) {
  Json json;
  json.writer.begin_object();
  json.writer.key("error").begin_object();
  json.writer.key("code").string(code);
  json.writer.key("message").string(message);
  json.writer.end_object();
  json.writer.end_object();
  http::Response response = json.response();
  response.status = status;
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

http::Response error_response(const Error& error) {
  return error_response(status_of(error.code), word_of(error.code), error.message);
}

Result<const Track*> track_of(const Timeline& timeline, std::string_view number, bool or_curve) {
  const auto value = http::parse_integer(number, 0, INT64_MAX);
  if (!value || static_cast<uint64_t>(*value) >= timeline.tracks().size())
    return fail(ErrorCode::kNotFound, "there is no track with this number");
  const Track& track = timeline.tracks()[static_cast<size_t>(*value)];
  if (track.layer == Track::kNone && !(or_curve && track.curve != Track::kNone))
    return fail(ErrorCode::kNotFound, "this track is a group; it has no events of its own");
  return &track;
}

Result<int64_t> integer_of(const Call& call, std::string_view name, int64_t fallback, int64_t least,
                           int64_t most) {
  const auto value = call.parameters.integer(name, fallback, least, most);
  if (!value)
    return fail(ErrorCode::kUsage, fmt::format("{} must be an integer from {} to {}", name, least, most));
  return *value;
}

Result<query::Window> window_of(const Call& call, int64_t length_ns) {
  query::Window window;
  SEXTANT_ASSIGN(window.from_ns, integer_of(call, "from", 0, -kMostNs, kMostNs));
  SEXTANT_ASSIGN(window.to_ns, integer_of(call, "to", length_ns + 1, -kMostNs, kMostNs));
  if (window.to_ns < window.from_ns) return fail(ErrorCode::kUsage, "to must not be less than from");
  return window;
}

http::Response Api::answer(const http::Request& request) {
  const std::vector<std::string_view> parts = http::parts_of(request.path);
  if (request.method != "GET" && request.method != "HEAD" && request.method != "POST")
    return not_allowed("GET, HEAD, POST");
  if (parts.size() < 3 || parts[0] != "api" || parts[1] != "v1" || parts[2] != "reports")
    return error_response(404, "not_found", "there is no such request; docs/http-api.md lists them");
  if (parts.size() == 5 && parts[4] == "tags") {
    if (request.method != "POST") return not_allowed("POST");
    Tags none;
    Answer answer =
        answer_tags(collection_, tags_ == nullptr ? none : *tags_, std::string(parts[3]), request);
    return answer ? std::move(*answer) : error_response(answer.error());
  }
  if (parts.size() > 3)
    return answer_about_report(collection_, sources_, request, std::vector(parts.begin() + 3, parts.end()));
  if (request.method == "POST") return not_allowed("GET, HEAD");
  Answer reports = answer_reports(collection_, tags_);
  if (!reports) return error_response(reports.error());
  reports->headers.emplace_back("Cache-Control", "private, no-cache");
  return std::move(*reports);
}

}  // namespace sextant::serve
