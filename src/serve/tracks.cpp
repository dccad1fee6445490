// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree of tracks: CPUs, devices with contexts and streams, curves, then processes with threads; where
// several ranks were recorded their processes are in groups.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "serve/timeline.h"
#include "serve/track_names.h"

namespace sextant::serve {

namespace {

template <typename Group>
std::map<Group, std::vector<LanePlace>> grouped(const std::vector<LanePlace>& places,
                                                const std::function<Group(const LaneKey&)>& group) {
  std::map<Group, std::vector<LanePlace>> groups;
  for (const LanePlace& place : places) groups[group(place.key)].push_back(place);
  return groups;
}

bool is_opencl(const LayerKind& kind) {
  return kind.name.find("opencl") != std::string_view::npos;
}

}  // namespace

void Timeline::make_tracks(const TrackNames& labels) {
  add_cpus();
  add_devices(labels);
  add_curves(labels);
  add_processes(labels);
}

/// CUDA's, then OpenCL's: a device that both use has two tracks, as they number devices each in its own way.
void Timeline::add_devices(const TrackNames& labels) {
  std::vector<LanePlace> cuda, opencl;
  for (size_t l = 0; l < layers_.size(); ++l) {
    const LayerKind& kind = layers_[l]->layer.kind();
    for (size_t lane = 0; kind.of_device() && lane < layers_[l]->layer.lanes().size(); ++lane)
      (is_opencl(kind) ? opencl : cuda).push_back({l, lane, layers_[l]->layer.lanes()[lane].key});
  }
  using Context = std::pair<uint64_t, uint64_t>;
  const auto contexts = [](const std::vector<LanePlace>& places) {
    return grouped<Context>(places, [](const LaneKey& key) { return Context(key.process, key.second); });
  };
  const auto add = [&](size_t device, const std::vector<LanePlace>& places) {
    for (const auto& [context, of_context] : contexts(places)) {
      const size_t parent = add_group(
          device, "context", fmt::format("Context {}: {}", context.second, labels.process(context.first)));
      tracks_.back().process = context.first;
      add_context(parent, labels, context.first, of_context);
    }
  };
  for (const auto& [gpu, places] :
       grouped<uint64_t>(cuda, [&](const LaneKey& key) { return labels.gpu_of(key.process, key.first); }))
    add(add_group(std::nullopt, "device", labels.gpu(gpu)), places);
  for (const auto& [device, places] : grouped<uint64_t>(
           opencl, [&](const LaneKey& key) { return labels.opencl_device_of(key.process, key.first); }))
    add(add_group(std::nullopt, "device", labels.opencl_device(device)), places);
}

/// What is of the whole context, then its streams or queues.
void Timeline::add_context(size_t parent, const TrackNames& labels, uint64_t process,
                           const std::vector<LanePlace>& places) {
  const auto kind_of = [&](const LanePlace& place) -> const LayerKind& {
    return layers_[place.layer]->layer.kind();
  };
  const auto add_lane = [&](size_t group, const LanePlace& place) {
    add_group(group, kind_of(place).name, std::string(kind_of(place).label));
    tracks_.back().layer = place.layer, tracks_.back().lane = place.lane;
    tracks_.back().process = process;
  };
  std::map<uint64_t, std::vector<LanePlace>> streams;
  for (const LanePlace& place : places) {
    if (kind_of(place).below == Below::kContext)
      add_lane(parent, place);
    else
      streams[place.key.third].push_back(place);
  }
  for (const auto& [stream, of_stream] : streams) {
    const bool queue = is_opencl(kind_of(of_stream.front()));
    const std::string name = queue                  ? labels.opencl_queue(process, stream)
                             : stream >= UINT32_MAX ? "Without a stream"  // synchronisation of a context
                                                    : fmt::format("Stream {}", stream);
    const size_t group = add_group(parent, "stream", name);
    tracks_.back().process = process;
    for (const LanePlace& place : of_stream) add_lane(group, place);
  }
}

void Timeline::add_cpus() {
  std::map<uint64_t, LanePlace> cpus;
  for (size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l]->layer;
    for (size_t lane = 0; lane < layer.lanes().size() && layer.kind().below == Below::kMachine; ++lane)
      cpus[layer.lanes()[lane].key.first] = {l, lane, layer.lanes()[lane].key};
  }
  if (cpus.empty()) return;
  const size_t group = add_group(std::nullopt, "group", "CPUs");
  for (const auto& [cpu, place] : cpus) {
    add_group(group, layers_[place.layer]->layer.kind().name, fmt::format("CPU {}", cpu));
    tracks_.back().layer = place.layer, tracks_.back().lane = place.lane;
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

/// The rank of a process, or of the nearest process above it that has one.
std::optional<uint64_t> Timeline::rank_of(uint64_t number) const {
  constexpr int kMostAbove = 32;
  const auto& all = source_.processes();
  for (int step = 0; step < kMostAbove; ++step) {
    const auto at = std::lower_bound(all.begin(), all.end(), number,
                                     [](const query::Process& p, uint64_t n) { return p.number < n; });
    if (at == all.end() || at->number != number) return std::nullopt;
    if (at->rank || at->parent == number) return at->rank;
    number = at->parent;
  }
  return std::nullopt;
}

void Timeline::add_processes(const TrackNames& labels) {
  std::map<uint64_t, Threads> processes;
  for (const query::Process& process : source_.processes()) processes[process.number];
  for (size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l]->layer;
    for (size_t lane = 0; lane < layer.lanes().size() && layer.kind().below == Below::kThread; ++lane) {
      const LaneKey& key = layer.lanes()[lane].key;
      const int order = key.first == labels.pid(key.process) ? 0 : key.first == 0 ? 2 : 1;
      processes[key.process][{order, key.first}].push_back({l, lane, key});
    }
  }
  std::map<uint64_t, std::vector<uint64_t>> ranks;  // processes of each
  std::vector<uint64_t> others;
  for (const auto& [number, threads] : processes) {
    if (const auto rank = rank_of(number))
      ranks[*rank].push_back(number);
    else
      others.push_back(number);
  }
  const bool grouped = ranks.size() > 1;
  for (const auto& [rank, numbers] : ranks) {
    std::optional<size_t> group;
    if (grouped) group = add_group(std::nullopt, "group", fmt::format("Rank {}", rank));
    for (const uint64_t number : numbers) add_process(group, labels, number, processes[number]);
  }
  std::stable_partition(others.begin(), others.end(), [](uint64_t number) { return number != 0; });
  for (const uint64_t number : others) add_process(std::nullopt, labels, number, processes[number]);
}

void Timeline::add_process(std::optional<size_t> group, const TrackNames& labels, uint64_t number,
                           const Threads& threads) {
  Track process;
  process.parent = group;
  process.kind = "process", process.name = labels.process(number), process.process = number;
  const size_t parent = tracks_.size();
  tracks_.push_back(std::move(process));
  for (const auto& [order, places] : threads) {
    Track thread;
    thread.parent = parent, thread.kind = "thread", thread.process = number;
    thread.tid = std::get<1>(order);
    const bool of_profiler = *thread.tid == 0 && std::ranges::all_of(places, [&](const LanePlace& place) {
      return layers_[place.layer]->layer.kind().name == "overhead";
    });
    thread.name = of_profiler ? labels.profiler(number) : labels.thread(number, *thread.tid);
    const size_t of_thread = tracks_.size();
    tracks_.push_back(thread);
    for (const LanePlace& place : places) {
      const LayerKind& kind = layers_[place.layer]->layer.kind();
      Track track = thread;
      track.parent = of_thread, track.kind = kind.name, track.layer = place.layer, track.lane = place.lane;
      track.name = kind.name == "nvtx" ? labels.domain(number, place.key.second) : std::string(kind.label);
      tracks_.push_back(std::move(track));
    }
  }
}

}  // namespace sextant::serve
