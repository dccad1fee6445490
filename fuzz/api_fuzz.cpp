// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Any request to the HTTP API about one report: the first line is method and target, as "GET /ID/tracks?x=1"
// behind /api/v1/reports, the rest the body. Answers are well-formed, none is an internal error, and what was
// tagged is read back from the file of tags as it was set.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "report/writer.h"
#include "serve/api.h"

namespace {

using namespace sextant;

void must(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

/// Eight rows in every table, one after the other in time.
void write_report(const std::string& path) {
  auto writer = report::Writer::create(path, {});
  must(writer.has_value(), "no report");
  const uint64_t names[] = {writer->string_id("step"), writer->string_id("<b>\"odd\"\n\xff</b>")};
  for (const event::Table& table : event::tables()) {
    report::Rows rows(table);
    for (const event::Column& column : table.columns)
      for (uint64_t row = 0; row < 8; ++row)
        rows.column(column.id).push_back(column.type == event::Type::kTime       ? 1000 + 100 * row
                                         : column.type == event::Type::kDuration ? 40 + row
                                         : column.type == event::Type::kString   ? names[row % 2]
                                         : column.type == event::Type::kBits     ? 0
                                                                                 : row % 2);
    const report::Rows* parts[] = {&rows};
    must(writer->write_group(parts, {}).has_value(), "no rows");
  }
  must(writer->finish().has_value(), "no end");
}

struct Served {
  std::string folder, tags_file, id, file;
  std::unique_ptr<serve::Collection> collection;
  std::unique_ptr<serve::Tags> tags;

  Served() {
    folder = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/sextant-api-XXXXXX" : "/tmp/sextant-api-XXXXXX";
    must(::mkdtemp(folder.data()) != nullptr, "no folder");
    tags_file = folder + "/tags";
    write_report(folder + "/report.sxt");
    auto made = serve::Collection::make({folder + "/report.sxt"}, {});
    must(made.has_value(), "a sound report cannot be served");
    collection = std::move(*made);
    const auto items = collection->list();
    must(items.size() == 1, "one report is not one");
    id = items[0].id, file = items[0].file;
    tags = std::move(*serve::Tags::load(tags_file));
  }
  ~Served() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
};

http::Request request_of(std::string_view text, const std::string& id) {
  http::Request request;
  const std::string_view line = text.substr(0, text.find('\n'));
  request.body = text.substr(std::min(text.size(), line.size() + 1));
  const size_t space = line.find(' ');
  request.method = line.substr(0, space);
  const std::string_view target = space == std::string_view::npos ? "/" : line.substr(space + 1);
  request.path = "/api/v1/reports" + http::path_of(target).value_or("");
  if (request.path.find("/ID") != std::string::npos)
    request.path.replace(request.path.find("/ID"), 3, "/" + id);
  request.query = http::query_of(target);
  request.content_type = "application/json";
  return request;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Served served;
  const http::Request request = request_of({reinterpret_cast<const char*>(data), size}, served.id);
  // statements are what the target `sql` is for
  if (request.path.ends_with("/sql") && request.body.find("sql") != std::string::npos) return 0;
  serve::Api api(*served.collection, served.tags.get());
  const http::Response response = api.answer(request);
  must(response.status >= 200 && response.status < 500,
       std::to_string(response.status) + " for " + request.path + "?" + request.query + ": " + response.body);
  if (response.content_type == "application/json")
    must(nlohmann::json::accept(response.body), "no JSON: " + response.body);
  if (request.path.ends_with("/tags") && response.status == 200) {
    const auto again = serve::Tags::load(served.tags_file);
    must(again.has_value() && (*again)->of(served.file) == served.tags->of(served.file),
         "tags are read back differently");
  }
  return 0;
}
