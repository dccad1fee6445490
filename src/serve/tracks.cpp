// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree of tracks: devices with contexts and streams, then processes with threads.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "serve/timeline.h"
#include "serve/track_names.h"

namespace sextant::serve {

namespace {

struct Place {  // of a lane in the tree
  size_t layer, lane;
  LaneKey key;
};

template <typename Group>
std::map<Group, std::vector<Place>> grouped(const std::vector<Place>& places,
                                            const std::function<Group(const LaneKey&)>& group) {
  std::map<Group, std::vector<Place>> groups;
  for (const Place& place : places) groups[group(place.key)].push_back(place);
  return groups;
}

}  // namespace

void Timeline::make_tracks(const TrackNames& labels) {
  add_devices(labels);
  add_curves(labels);
  add_processes(labels);
}

void Timeline::add_devices(const TrackNames& labels) {
  std::vector<Place> places;
  for (size_t l = 0; l < layers_.size(); ++l)
    if (layers_[l]->layer.kind().of_device)
      for (size_t lane = 0; lane < layers_[l]->layer.lanes().size(); ++lane)
        places.push_back({l, lane, layers_[l]->layer.lanes()[lane].key});
  const auto add = [&](std::optional<size_t> parent, std::string_view kind, std::string name) {
    return add_group(parent, kind, std::move(name));
  };
  using Context = std::pair<uint64_t, uint64_t>;
  const auto by_gpu =
      grouped<uint64_t>(places, [&](const LaneKey& key) { return labels.gpu_of(key.process, key.first); });
  for (const auto& [gpu, of_gpu] : by_gpu) {
    const size_t device = add(std::nullopt, "device", labels.gpu(gpu));
    const auto contexts =
        grouped<Context>(of_gpu, [](const LaneKey& key) { return Context(key.process, key.second); });
    for (const auto& [context, of_context] : contexts) {
      const size_t parent = add(device, "context",
                                fmt::format("Context {}: {}", context.second, labels.process(context.first)));
      tracks_.back().process = context.first;
      const auto streams = grouped<uint64_t>(of_context, [](const LaneKey& key) { return key.third; });
      for (const auto& [stream, of_stream] : streams) {
        const size_t group = add(parent, "stream", fmt::format("Stream {}", stream));
        tracks_.back().process = context.first;
        for (const Place& place : of_stream) {
          const LayerKind& kind = layers_[place.layer]->layer.kind();
          add(group, kind.name, std::string(kind.label));
          tracks_.back().layer = place.layer, tracks_.back().lane = place.lane;
          tracks_.back().process = context.first;
        }
      }
    }
  }
}

size_t Timeline::add_group(std::optional<size_t> parent, std::string_view kind, std::string name) {
  Track track;
  track.parent = parent, track.kind = kind, track.name = std::move(name);
  tracks_.push_back(std::move(track));
  return tracks_.size() - 1;
}

/// One group for neighbouring curves of the same group and process.
void Timeline::add_curves(const TrackNames& labels) {
  size_t group = 0;
  for (size_t i = 0; i < curves_.size(); ++i) {
    const Curve& curve = curves_[i];
    const bool same = i > 0 && curves_[i - 1].group == curve.group && curves_[i - 1].process == curve.process;
    if (!same) {
      const std::string of = curve.process ? ": " + labels.process(*curve.process) : "";
      group = add_group(std::nullopt, "group", curve.group + of);
      tracks_.back().process = curve.process;
    }
    add_group(group, "metric", curve.name);
    tracks_.back().process = curve.process, tracks_.back().curve = i;
  }
}

void Timeline::add_processes(const TrackNames& labels) {
  using Thread = std::tuple<bool, uint64_t>;  // the main thread comes first
  std::map<uint64_t, std::map<Thread, std::vector<Place>>> processes;
  for (const query::Process& process : source_.processes()) processes[process.number];
  for (size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l]->layer;
    for (size_t lane = 0; lane < layer.lanes().size() && !layer.kind().of_device; ++lane) {
      const LaneKey& key = layer.lanes()[lane].key;
      processes[key.process][{key.first != labels.pid(key.process), key.first}].push_back({l, lane, key});
    }
  }
  for (const auto& [number, threads] : processes) {
    Track process;
    process.kind = "process", process.name = labels.process(number), process.process = number;
    const size_t parent = tracks_.size();
    tracks_.push_back(std::move(process));
    for (const auto& [order, places] : threads) {
      Track thread;
      thread.parent = parent, thread.kind = "thread", thread.process = number;
      thread.tid = std::get<1>(order), thread.name = labels.thread(number, *thread.tid);
      const size_t of_thread = tracks_.size();
      tracks_.push_back(thread);
      for (const Place& place : places) {
        const LayerKind& kind = layers_[place.layer]->layer.kind();
        Track track = thread;
        track.parent = of_thread, track.kind = kind.name, track.layer = place.layer, track.lane = place.lane;
        track.name = kind.name == "nvtx" ? labels.domain(number, place.key.second) : std::string(kind.label);
        tracks_.push_back(std::move(track));
      }
    }
  }
}

}  // namespace sextant::serve
