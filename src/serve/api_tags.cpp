// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// POST tags: the only thing that a server writes, and only where its owner gave it a file for it.
#include <nlohmann/json.hpp>

#include "serve/api.h"

namespace sextant::serve {

Answer answer_tags(Collection& collection, Tags& tags, const std::string& id, const http::Request& request) {
  if (!tags.can_set())
    return fail(ErrorCode::kUnsupported,
                "this server keeps no tags; its owner gives it a file with --tags-file");
  if (!request.content_type.starts_with("application/json"))
    return fail(ErrorCode::kUsage, "the content type must be application/json");
  const nlohmann::json json = nlohmann::json::parse(request.body, nullptr, false);
  if (!json.is_object() || !json.contains("tags") || !json["tags"].is_array())
    return fail(ErrorCode::kUsage, R"(the body must be {"tags":["good"]})");
  std::vector<std::string> wanted;
  for (const auto& tag : json["tags"]) {
    if (!tag.is_string()) return fail(ErrorCode::kUsage, "a tag is a string");
    wanted.push_back(tag.get<std::string>());
  }
  for (const Item& item : collection.list()) {
    if (item.id != id) continue;
    SEXTANT_TRY(tags.set(item.file, wanted));
    Json out;
    out.writer.begin_object();
    out.writer.key("tags").begin_array();
    for (const std::string& tag : wanted) out.writer.string(tag);
    out.writer.end_array();
    out.writer.end_object();
    return out.response();
  }
  return fail(ErrorCode::kNotFound, "there is no report with this id");
}

}  // namespace sextant::serve
