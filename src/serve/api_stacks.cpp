// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET stacks: what a flame graph draws of a track: the nesting of its events, by time of their own; of
// samples how often each was taken.
#include <algorithm>
#include <map>

#include "serve/api.h"
#include "serve/heavy.h"

namespace sextant::serve {

namespace {

constexpr size_t kMostStacks = 20'000, kMostDepth = 128;

/// Own time by path of names.
class Stacks {
 public:
  Stacks(int64_t from_ns, int64_t to_ns, bool samples) : from_(from_ns), to_(to_ns), samples_(samples) {}

  void add(const Event& event) {
    while (!open_.empty() && open_.back().end_ns <= event.start_ns) close();
    if (open_.size() >= kMostDepth) return;
    const int64_t ns = std::min(event.end_ns, to_) - std::max(event.start_ns, from_);
    if (!open_.empty()) open_.back().own_ns -= std::min(ns, open_.back().own_ns);
    open_.push_back({event.name, event.end_ns, samples_ ? 1 : ns});
  }
  void finish() {
    while (!open_.empty()) close();
  }
  const std::map<std::vector<uint32_t>, int64_t>& all() const { return weights_; }
  bool complete() const { return complete_; }

 private:
  struct Open {
    uint32_t name;
    int64_t end_ns, own_ns;
  };
  void close() {
    std::vector<uint32_t> path;
    for (const Open& open : open_) path.push_back(open.name);
    const auto at = weights_.find(path);
    if (open_.back().own_ns <= 0) return open_.pop_back();
    if (at != weights_.end())
      at->second += open_.back().own_ns;
    else if (weights_.size() < kMostStacks)
      weights_.emplace(std::move(path), open_.back().own_ns);
    else
      complete_ = false;
    open_.pop_back();
  }

  int64_t from_, to_;
  bool samples_, complete_ = true;
  std::vector<Open> open_;
  std::map<std::vector<uint32_t>, int64_t> weights_;
};

}  // namespace

Answer answer_stacks(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(const Track* track, track_of(*timeline, call.parameters.text("track")));
  SEXTANT_ASSIGN(const query::Window span, window_of(call, timeline->length_ns()));
  const HeavyWork turn;
  const bool samples = track->kind == "samples";
  Stacks stacks(span.from_ns, span.to_ns, samples);
  SEXTANT_TRY(timeline->visit(*track, span.from_ns, span.to_ns, [&](const Event& event) {
    stacks.add(event);
    return true;
  }));
  stacks.finish();
  std::map<uint32_t, uint64_t> frames;  // name: place in `frames`
  Json json;
  json.writer.begin_object();
  json.writer.key("frames").begin_array();
  for (const auto& [path, weight] : stacks.all())
    for (const uint32_t name : path)
      if (frames.try_emplace(name, frames.size()).second) json.writer.string(timeline->names().text(name));
  json.writer.end_array();
  json.writer.key("stacks").begin_array();
  for (const auto& [path, weight] : stacks.all()) {
    json.writer.begin_array();
    json.writer.begin_array();
    for (const uint32_t name : path) json.writer.number(frames[name]);
    json.writer.end_array();
    json.writer.number(weight);
    json.writer.end_array();
  }
  json.writer.end_array();
  json.writer.key("unit").string(samples ? "samples" : "ns");
  json.writer.key("complete").boolean(stacks.complete());
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
