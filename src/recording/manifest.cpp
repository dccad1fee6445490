// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/manifest.h"

#include <optional>

#include "text/json_writer.h"

namespace sextant::recording {

namespace {

/// The value of a top-level string member. Enough for a file that only we write: no nested objects, no member
/// twice.
std::optional<std::string> string_member(const std::string& text, const std::string& name) {
  size_t at = text.find("\"" + name + "\"");
  if (at == std::string::npos) return std::nullopt;
  at = text.find_first_not_of(" \t\r\n", at + name.size() + 2);
  if (at == std::string::npos || text[at] != ':') return std::nullopt;
  at = text.find_first_not_of(" \t\r\n", at + 1);
  if (at == std::string::npos || text[at] != '"') return std::nullopt;
  std::string out;
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    if (++at >= text.size()) return std::nullopt;
    switch (text[at]) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'u': {  // the writer escapes control characters so, nothing else
        if (at + 4 >= text.size() || text.compare(at + 1, 2, "00") != 0) return std::nullopt;
        out += static_cast<char>(std::strtoul(text.substr(at + 1, 4).c_str(), nullptr, 16));
        at += 4;
        break;
      }
      default:
        out += text[at];
    }
  }
  if (at >= text.size()) return std::nullopt;
  return out;
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  std::string out;
  text::JsonWriter json(&out);
  json.begin_object();
  json.key("report").string(manifest.report);
  json.key("program").string(manifest.program);
  json.key("recorder").string(manifest.recorder);
  json.key("version").string(manifest.version);
  json.key("host").string(manifest.host);
  json.key("started_realtime_ns").number(manifest.started_realtime_ns);
  json.key("buffer_bytes").number(manifest.budget_bytes);
  json.key("target_pid").number(uint64_t{manifest.target_pid});
  json.key("tool_pid").number(uint64_t{manifest.tool_pid});
  json.end_object();
  out += '\n';
  return out;
}

Result<Manifest> parse_manifest(const std::string& text) {
  Manifest manifest;
  std::optional<std::string> report = string_member(text, "report");
  if (!report || report->empty() || report->find('\0') != std::string::npos)
    return fail(ErrorCode::kCorrupt, std::string(kManifestName) + ": names no report");
  manifest.report = *report;
  manifest.program = string_member(text, "program").value_or("");
  manifest.host = string_member(text, "host").value_or("");
  return manifest;
}

}  // namespace sextant::recording
