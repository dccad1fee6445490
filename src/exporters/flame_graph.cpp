// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/flame_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "exporters/nvtx_paths.h"
#include "exporters/text_file.h"
#include "query/sums.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::exporters {

namespace {

constexpr double kWidth = 1200, kMargin = 10, kRowHeight = 18, kHeader = 52, kNarrowest = 0.1;
constexpr double kLetterWidth = 6.6;  // of the monospaced font at 11 px
constexpr size_t kFewestLetters = 3;

/// For text and attributes alike. Control characters become visible, so that the rest is legal XML.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text::printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// As much of a name as fits, "" where hardly anything does.
std::string fitting(const std::string& label, double width) {
  const auto letters = static_cast<size_t>(std::max(0.0, (width - 6) / kLetterWidth));
  if (letters < kFewestLetters) return "";
  std::string text = text::printable(label);
  if (text::code_points(text) <= letters) return text;
  size_t bytes = 0;
  for (size_t n = 0; n + 2 < letters && bytes < text.size(); ++n)
    bytes += std::max<size_t>(1, text::utf8_sequence(std::string_view(text).substr(bytes)));
  return text.substr(0, bytes) + "..";
}

/// Warm and light, by the name alone.
std::string colour(const PathNode& node) {
  if (!node.is_range) return "#d7d7d7";
  uint64_t h = 1469598103934665603u;
  for (const char c : node.label) h = (h ^ static_cast<uint8_t>(c)) * 1099511628211u;
  return fmt::format("hsl({},{}%,{}%)", h % 55, 70 + (h >> 16) % 25, 62 + (h >> 32) % 14);
}

struct Box {
  uint32_t node;
  size_t depth;
  double x, width;
};

/// The boxes that can be seen; `hidden`: how many are too narrow.
std::vector<Box> lay_out(const std::vector<PathNode>& nodes, uint64_t* hidden, size_t* depth) {
  std::vector<Box> boxes, waiting = {{0, 0, kMargin, kWidth - 2 * kMargin}};
  while (!waiting.empty()) {
    const Box box = waiting.back();
    waiting.pop_back();
    boxes.push_back(box);
    *depth = std::max(*depth, box.depth + 1);
    const PathNode& node = nodes[box.node];
    int64_t all = 0;  // children that overlap without nesting can be longer than what is around them
    for (const uint32_t child : node.children) all = query::sum(all, nodes[child].total_ns);
    const double whole = static_cast<double>(std::max({node.total_ns, all, int64_t{1}}));
    double x = box.x;
    std::vector<Box> children;
    for (const uint32_t child : node.children) {
      const double width = box.width * static_cast<double>(nodes[child].total_ns) / whole;
      if (width >= kNarrowest)
        children.push_back({child, box.depth + 1, x, width});
      else
        ++*hidden;
      x += width;
    }
    waiting.insert(waiting.end(), children.rbegin(), children.rend());
  }
  return boxes;
}

std::string title_of(const PathNode& node, double all_ns) {
  const double share = all_ns > 0 ? 100.0 * static_cast<double>(node.total_ns) / all_ns : 0;
  std::string title = fmt::format("{}: {} ({:.2f} %)", node.label, text::duration(node.total_ns), share);
  if (node.is_range)
    title += fmt::format(", {}, {} of its own", text::counted(node.count, "time", "times"),
                         text::duration(std::max<int64_t>(0, node.self_ns)));
  return title;
}

void write_box(text::Output& out, const Box& box, const PathNode& node, double all_ns) {
  const double y = kHeader + static_cast<double>(box.depth) * kRowHeight;
  std::string text = fmt::format(
      "<g><title>{}</title><rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\"/>",
      escaped(title_of(node, all_ns)), box.x, y, box.width, kRowHeight - 1, colour(node));
  if (const std::string label = fitting(node.label, box.width); !label.empty())
    text += fmt::format("<text x=\"{:.2f}\" y=\"{:.0f}\">{}</text>", box.x + 3, y + 13, escaped(label));
  out.write(text + "</g>\n");
}

}  // namespace

Status export_flame(const query::Source& source, const std::string& output, const ExportOptions& options) {
  SEXTANT_ASSIGN(const std::vector<PathNode> nodes, nvtx_paths(source, options.by_thread));
  if (nodes.size() == 1)
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: no NVTX push/pop ranges to draw; `sextant stats -r nvtx_sum` says why",
                            source.reader().path()));
  return write_text_file(output, options.replace, [&](text::Output& out) -> Status {
    uint64_t hidden = 0;
    size_t depth = 0;
    const std::vector<Box> boxes = lay_out(nodes, &hidden, &depth);
    const auto all_ns = static_cast<double>(nodes[0].total_ns);
    out.write(
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                    "viewBox=\"0 0 {0:.0f} "
                    "{1:.0f}\">\n<style>text{{font:11px "
                    "monospace;fill:#000;pointer-events:none}}rect:hover{{stroke:#000}}"
                    "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
                    kWidth, kHeader + static_cast<double>(depth) * kRowHeight + kMargin));
    out.write(fmt::format(
        "<text x=\"{:.0f}\" y=\"22\" style=\"font-size:14px\">NVTX push/pop time by path: {} in all</text>\n"
        "<text x=\"{:.0f}\" y=\"40\">{}{}</text>\n",
        kMargin, text::duration(nodes[0].total_ns), kMargin, escaped(source.reader().path()),
        hidden == 0 ? "" : fmt::format(", {} too narrow to show", text::counted(hidden, "path", "paths"))));
    for (const Box& box : boxes) write_box(out, box, nodes[box.node], all_ns);
    out.write("</svg>\n");
    return {};
  });
}

}  // namespace sextant::exporters
