// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET source/{track}/{event}: lines of source around a frame of an event's call stack, or around the place
// that the event itself names. Only with the consent of whoever started the server (SourceFiles).
#include <fmt/format.h>

#include <charconv>

#include "serve/api.h"
#include "serve/call_stacks.h"
#include "serve/event_details.h"
#include "serve/heavy.h"
#include "symbols/source_place.h"

namespace sextant::serve {

namespace {

constexpr uint64_t kAround = 12;  // lines before and behind

struct Place {
  symbols::SourcePlace in;
  bool program_newer = false;  // than the recording
};

int64_t end_of_recording(const query::Source& source) {
  const uint64_t end =
      static_cast<uint64_t>(source.start_realtime_ns()) + static_cast<uint64_t>(source.duration_ns());
  return static_cast<int64_t>(end);
}

/// A frame of the call stack, by the debug information of its file.
Result<Place> place_of_frame(const Call& call, const query::Source& source, const StoredRow& row,
                             size_t wanted) {
  bool at_sample = false;
  SEXTANT_ASSIGN(const std::vector<Frame> frames, stack_of(source, row, &at_sample));
  if (wanted >= frames.size())
    return fail(ErrorCode::kUsage, "the event's call stack has no frame of this number");
  const Frame& frame = frames[wanted];
  if (frame.kernel) return fail(ErrorCode::kNotFound, "the operating system's own code is not looked up");
  if (frame.address == 0) return fail(ErrorCode::kNotFound, "the report has no address of this frame");
  std::vector<symbols::CodeAddress> same_file;
  size_t which = 0;
  for (size_t f = 0; f < frames.size(); ++f) {
    if (frames[f].module != frame.module) continue;
    if (f == wanted) which = same_file.size();
    same_file.push_back(
        {std::string(source.reader().string(frames[f].function)), frames[f].address, !(at_sample && f == 0)});
  }
  const std::string module(source.reader().string(frame.module));
  SEXTANT_ASSIGN(const SourceFiles::File file, call.sources.open(module));
  Place place;
  SEXTANT_ASSIGN(place.in, symbols::find_source(file.fd.get(), file.path, same_file, which));
  place.program_newer = file.modified_ns > end_of_recording(source);
  return place;
}

/// What the event says itself: columns, or a name as "train.py(12): step".
Result<Place> place_of_event(const query::Source& source, const StoredRow* row, std::string_view name) {
  Place place;
  const auto file = row == nullptr ? std::nullopt : row->value("source_file");
  const auto line = row == nullptr ? std::nullopt : row->value("source_line");
  if (file && line) {
    place.in.file = source.reader().string(*file), place.in.line = *line;
  } else if (const size_t at = name.find(".py("); at != std::string_view::npos) {
    place.in.file = name.substr(0, at + 3);
    const std::string_view number = name.substr(at + 4);
    const auto read = std::from_chars(number.data(), number.data() + number.size(), place.in.line);
    if (read.ec != std::errc() || read.ptr == number.data() + number.size() || *read.ptr != ')')
      place.in.line = 0;
  }
  if (place.in.line == 0)
    return fail(ErrorCode::kNotFound, "the report names no line of source for this event");
  return place;
}

Result<Place> find_place(const Call& call, const Timeline& timeline, const Event& event, int64_t frame) {
  const bool one_row = event::find_table(table_of(event.id)) != nullptr;
  const auto row = one_row ? read_row(timeline.source(), table_of(event.id), row_of(event.id))
                           : fail(ErrorCode::kNotFound, "the event is no row of a table");
  if (frame < 0)
    return place_of_event(timeline.source(), row ? &*row : nullptr, timeline.names().text(event.name));
  if (!row) return tl::unexpected<Error>(row.error());
  return place_of_frame(call, timeline.source(), *row, static_cast<size_t>(frame));
}

Status write_lines(const Call& call, text::JsonWriter& json, const Place& place) {
  SEXTANT_ASSIGN(const SourceFiles::File file, call.sources.open(place.in.file));
  const uint64_t first = place.in.line > kAround ? place.in.line - kAround : 1;
  SEXTANT_ASSIGN(const auto lines, SourceFiles::lines(file, first, 2 * kAround + 1));
  if (first + lines.size() <= place.in.line)
    return fail(ErrorCode::kNotFound,
                fmt::format("{} has no line {}: it is another version", file.path, place.in.line));
  json.key("path").string(file.path);
  json.key("first").number(first);
  json.key("lines").begin_array();
  for (const std::string& line : lines) json.string(line);
  json.end_array();
  json.key("source_newer").boolean(file.modified_ns > end_of_recording(call.report.source));
  return {};
}

}  // namespace

Answer answer_source(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(const Track* track, track_of(*timeline, call.parts[1]));
  const auto id = http::parse_integer(call.parts[2], 0, kMostNs);
  if (!id) return fail(ErrorCode::kUsage, "an event has an integer as its number");
  SEXTANT_ASSIGN(const int64_t frame, integer_of(call, "frame", -1, 0, 1 << 16));
  Json json;
  json.writer.begin_object();
  json.writer.key("allowed").boolean(call.sources.allowed());
  std::string reason;
  if (!call.sources.allowed()) {
    reason =
        "this server shows no source files: start it with --source-path and folders that hold the program "
        "and "
        "its source";
  } else {
    const HeavyWork turn;
    SEXTANT_ASSIGN(const Event event, find_event(*timeline, *track, static_cast<uint64_t>(*id)));
    const auto place = find_place(call, *timeline, event, frame);
    if (place) {
      json.writer.key("file").string(place->in.file);
      json.writer.key("line").number(place->in.line);
      json.writer.key("exact").boolean(place->in.exact);
      json.writer.key("program_newer").boolean(place->program_newer);
    }
    const Status written =
        place ? write_lines(call, json.writer, *place) : Status(tl::unexpected<Error>(place.error()));
    if (!written) reason = written.error().message;
  }
  json.writer.key("reason");
  if (reason.empty())
    json.writer.null();
  else
    json.writer.string(reason);
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
