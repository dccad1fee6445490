// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/page.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "serve/page_data.h"
#include "serve/web_files.h"
#include "text/units.h"

namespace sextant::serve {

namespace {

Result<std::string> compressed(const std::string& data) {
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  constexpr int kLevel = 6;  // 9 takes five times as long for 3 % less
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return fail(ErrorCode::kInternal, "zlib cannot compress");
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int state = deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  if (state != Z_STREAM_END) return fail(ErrorCode::kInternal, "zlib cannot compress");
  return out;
}

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<uint8_t>(bytes[i + j]) : 0u);
    for (int j = 0; j < 4; ++j)
      out += i + static_cast<size_t>(j) > bytes.size() ? '=' : kDigits[group >> (18 - 6 * j) & 63];
  }
  return out;
}

void replace_all(std::string* text, std::string_view from, std::string_view to) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size()))
    text->replace(at, from.size(), to);
}

/// Removes the element that begins with `begin` and ends with `end`.
void remove_element(std::string* html, std::string_view begin, std::string_view end) {
  const size_t at = html->find(begin);
  const size_t to = at == std::string::npos ? at : html->find(end, at);
  if (to != std::string::npos) html->erase(at, to + end.size() - at);
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

/// The viewer's files put into one.
struct Viewer {
  std::string html, script, style;
};

Result<Viewer> viewer() {
  Viewer viewer;
  for (const WebFile& file : web_files()) {
    if (file.path == "/index.html") viewer.html = text_of(file);
    if (file.path.ends_with(".js")) viewer.script += text_of(file);
    if (file.path.ends_with(".css")) viewer.style += text_of(file);
  }
  if (viewer.html.empty() || viewer.script.empty())
    return fail(
        ErrorCode::kUnsupported,
        "this build of sextant has no viewer: web/dist was not there when it was made (CONTRIBUTING.md)");
  // within an inline script these would end it, or begin a comment
  replace_all(&viewer.script, "</script", "<\\/script");
  replace_all(&viewer.script, "<!--", "<\\!--");
  remove_element(&viewer.html, "<script type=\"module\"", "</script>");
  remove_element(&viewer.html, "<link rel=\"stylesheet\"", ">");
  remove_element(&viewer.html, "<link rel=\"icon\"", ">");
  return viewer;
}

std::string assemble(const Viewer& viewer, const std::string& name, const std::string& data) {
  std::string html = viewer.html;
  const size_t title = html.find("<title>"), after = html.find("</title>");
  if (title != std::string::npos && after != std::string::npos)
    html.replace(title, after - title, "<title>" + escaped(name) + " - Sextant");
  if (const size_t head = html.find("</head>"); head != std::string::npos)
    html.insert(head, "<style>" + viewer.style + "</style>\n");
  const size_t body = std::min(html.rfind("</body>"), html.size());
  html.insert(body, fmt::format("<script type=\"application/octet-stream\" id=\"sextant-data\">{}</script>\n"
                                "<script type=\"module\">{}</script>\n",
                                base64(data), viewer.script));
  return html;
}

std::string sentence(const PageData& data, size_t tiles, size_t events, uint64_t most_bytes) {
  std::string what;
  const auto add = [&](std::string_view part) { what += what.empty() ? "" : ", ", what += part; };
  if (!data.all_tiles || tiles < data.tiles.size()) add("the nearest zoom levels of long rows");
  if (events < data.events_in_report)
    add(fmt::format("details of {} of {} events (the longest of each row have them)",
                    data.events_in_report - events, data.events_in_report));
  if (!data.all_links) add("arrows from calls to their work");
  if (!data.all_answers) add("some tables");
  if (what.empty()) return "";
  return fmt::format("Not in this page, which is limited to {}: {}. `sextant serve` shows everything.",
                     text::bytes(most_bytes), what);
}

}  // namespace

Result<Page> make_page(const std::string& report, const open::OpenOptions& options, uint64_t most_bytes) {
  SEXTANT_ASSIGN(const Viewer bundle, viewer());
  SEXTANT_ASSIGN(const auto collection, Collection::make({report}, options));
  const std::vector<Item> items = collection->list();
  if (items.size() != 1)
    return fail(ErrorCode::kUsage,
                fmt::format("{} holds {} reports; a page shows one", report, items.size()));
  constexpr uint64_t kPacked = 6;  // tiles become at most this much smaller
  SEXTANT_ASSIGN(const PageData data, gather_page(*collection, items[0], most_bytes * kPacked));
  size_t tiles = data.tiles.size(), events = data.events.size();
  for (;;) {
    Page page;
    page.thinned = sentence(data, tiles, events, most_bytes);
    SEXTANT_ASSIGN(const std::string packed, compressed(data.container(tiles, events, page.thinned)));
    page.html = assemble(bundle, items[0].name, packed);
    if (page.html.size() <= most_bytes || (tiles == 0 && events == 0)) return page;
    const double share = 0.9 * static_cast<double>(most_bytes) / static_cast<double>(page.html.size());
    // details go first: what is drawn matters more
    if (events > 0)
      events = share > 0.5 ? static_cast<size_t>(static_cast<double>(events) * share * share) : 0;
    else
      tiles = static_cast<size_t>(static_cast<double>(tiles) * share);
  }
}

}  // namespace sextant::serve
