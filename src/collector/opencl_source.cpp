// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/opencl_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "collector/group.h"
#include "event/opencl_commands.h"

namespace sextant::collector {

namespace cl = spool::opencl;
using event::opencl_untimed::Reason;
using spool::Kind;

namespace {

// Of hostile records no more is kept than this.
constexpr size_t kMostPending = 4u << 20, kMostObjects = 1u << 20, kMostDevices = 256, kMostNames = 4096;
constexpr size_t kMostSets = 1u << 18;

struct CommandOf {
  std::string_view function;
  uint16_t command;
};
constexpr CommandOf kCommands[] = {{"clEnqueueNDRangeKernel", 0x11F0},
                                   {"clEnqueueTask", 0x11F1},
                                   {"clEnqueueNativeKernel", 0x11F2},
                                   {"clEnqueueReadBuffer", 0x11F3},
                                   {"clEnqueueWriteBuffer", 0x11F4},
                                   {"clEnqueueCopyBuffer", 0x11F5},
                                   {"clEnqueueReadImage", 0x11F6},
                                   {"clEnqueueWriteImage", 0x11F7},
                                   {"clEnqueueCopyImage", 0x11F8},
                                   {"clEnqueueCopyImageToBuffer", 0x11F9},
                                   {"clEnqueueCopyBufferToImage", 0x11FA},
                                   {"clEnqueueMapBuffer", 0x11FB},
                                   {"clEnqueueMapImage", 0x11FC},
                                   {"clEnqueueUnmapMemObject", 0x11FD},
                                   {"clEnqueueMarker", 0x11FE},
                                   {"clEnqueueMarkerWithWaitList", 0x11FE},
                                   {"clEnqueueAcquireGLObjects", 0x11FF},
                                   {"clEnqueueReleaseGLObjects", 0x1200},
                                   {"clEnqueueReadBufferRect", 0x1201},
                                   {"clEnqueueWriteBufferRect", 0x1202},
                                   {"clEnqueueCopyBufferRect", 0x1203},
                                   {"clEnqueueBarrierWithWaitList", 0x1205},
                                   {"clEnqueueMigrateMemObjects", 0x1206},
                                   {"clEnqueueFillBuffer", 0x1207},
                                   {"clEnqueueFillImage", 0x1208},
                                   {"clEnqueueSVMFree", 0x1209},
                                   {"clEnqueueSVMMemcpy", 0x120A},
                                   {"clEnqueueSVMMemFill", 0x120B},
                                   {"clEnqueueSVMMap", 0x120C},
                                   {"clEnqueueSVMUnmap", 0x120D},
                                   {"clEnqueueSVMMigrateMem", 0x120E},
                                   {"clEnqueueAcquireEGLObjectsKHR", 0x202D},
                                   {"clEnqueueReleaseEGLObjectsKHR", 0x202E}};

std::array<uint16_t, cl::kFunctionCount> make_commands() {
  std::array<uint16_t, cl::kFunctionCount> out{};
  for (uint32_t i = 0; i < cl::kFunctionCount; ++i)
    for (const CommandOf& c : kCommands)
      if (c.function == cl::kFunctions[i]) out[i] = c.command;
  return out;
}

uint16_t function_of(std::string_view name) {
  for (uint16_t i = 0; i < cl::kFunctionCount; ++i)
    if (name == cl::kFunctions[i]) return i;
  return UINT16_MAX;
}

/// Numbers and texts of a description, in order; zeros and "" where it ends too early.
class DescriptionReader {
 public:
  explicit DescriptionReader(std::string_view bytes) : rest_(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    if (rest_.size() < sizeof value) {
      rest_ = {};
      return 0;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view text() {
    const uint64_t bytes = std::min<uint64_t>(number(), rest_.size());
    const std::string_view out = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return out;
  }

 private:
  std::string_view rest_;
};

template <typename T>
T slots_of(const spool::Record& record) {
  uint64_t words[sizeof(T) / 8];
  for (uint32_t i = 0; i < sizeof(T) / spool::kSlotBytes; ++i) {
    const spool::ValueSlot value = spool::value_slot(record, i + 1);
    words[2 * i] = value.a;
    words[2 * i + 1] = value.b;
  }
  T out;
  std::memcpy(&out, words, sizeof out);
  return out;
}

uint64_t sign_extended(uint32_t result) {
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(result)));
}

}  // namespace

uint16_t opencl_command_of(uint16_t function) {
  static const auto kByFunction = make_commands();
  return function < kByFunction.size() ? kByFunction[function] : 0;
}

void OpenclSource::take(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to) {
  switch (record.kind) {
    case Kind::kClCall:
      return take_call(record, stamp, tid, to);
    case Kind::kClEnqueue:
      return take_enqueue(record, stamp, tid, to);
    case Kind::kClDone:
      return take_done(record, stamp, tid, to);
    case Kind::kClObject:
      return take_object(record, stamp, to);
    case Kind::kClBuild:
      return take_build(record, stamp, tid, to);
    case Kind::kClClock: {
      const spool::ValueSlot reading = spool::value_slot(record, 1);
      if (clocks_.size() >= kMostDevices && !clocks_.contains(record.domain)) return;
      DeviceClock& clock = clocks_[record.domain];
      clock.not_before(stamp, reading.b);
      clock.not_after(stamp + reading.a, reading.b);
      timers_.insert(record.domain);
      return;
    }
    case Kind::kClUntraced: {
      const spool::ValueSlot value = spool::value_slot(record, 1);
      std::string what;
      if (untraced_.size() >= kMostNames || !text(record.name, &what)) return;
      counts_.untraced += value.b;
      append_row(&to->untraced,
                 {process_, name(record.name), value.a & 1, untraced_[{what, value.a & 1}] += value.b});
      return;
    }
    default:
      return;
  }
}

uint32_t OpenclSource::function_name(uint16_t function) {
  if (function >= cl::kFunctionCount) {
    ++counts_.damaged;
    return writer_.string_id("(unknown function)");
  }
  if (function_names_.empty()) function_names_.resize(cl::kFunctionCount);
  uint32_t& id = function_names_[function];
  if (id == 0) id = writer_.string_id(cl::kFunctions[function]);
  return id;
}

bool OpenclSource::text(uint32_t id, std::string* out) {
  if (arena_.reader().name(id, out)) return true;
  arena_.refresh();
  if (arena_.reader().name(id, out)) return true;
  ++counts_.damaged;
  return false;
}

void OpenclSource::take_call(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to) {
  const spool::ValueSlot value = spool::value_slot(record, 1);
  ++counts_.calls;
  append_row(&to->calls, {stamp, value.a, process_, tid, 0, function_name(record.domain),
                          sign_extended(record.name), distinct(static_cast<uint32_t>(value.b), kObjects)});
}

void OpenclSource::take_enqueue(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to) {
  const spool::ValueSlot first = spool::value_slot(record, 1), second = spool::value_slot(record, 2);
  const uint64_t correlation = first.a;
  const uint32_t queue = static_cast<uint32_t>(second.a >> 32);
  ++counts_.calls;
  append_row(&to->calls,
             {stamp, first.b, process_, tid, distinct(correlation, kCommands), function_name(record.domain),
              sign_extended(static_cast<uint32_t>(second.a)), distinct(queue, kObjects)});
  if (correlation == 0) return;
  ++counts_.enqueued;
  const Pending pending{stamp, tid, second.b, queue, record.name, record.domain};
  if ((record.flags & (cl::kNotMeasured | cl::kNotFollowed)) != 0)
    add_untimed(correlation, pending,
                (record.flags & cl::kNotMeasured) != 0 ? Reason::kNotProfiled : Reason::kNoStamps, 0,
                &to->untimed);
  else if (early_.erase(correlation) == 0 && pending_.size() < kMostPending)
    pending_.emplace(correlation, pending);
}

void OpenclSource::take_done(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to) {
  const auto slots = slots_of<cl::DoneSlots>(record);
  if (pending_.erase(slots.correlation) == 0 && early_.size() < kMostPending)
    early_.insert(slots.correlation);
  if (slots.status == 0 && (record.flags & cl::kNoStamps) == 0 && slots.queued != 0 &&
      slots.queued <= slots.ended && (clocks_.size() < kMostDevices || clocks_.contains(slots.device))) {
    DeviceClock& clock = clocks_[slots.device];
    clock.not_before(slots.called, slots.queued);
    clock.not_after(slots.called + slots.call_took, slots.queued);
    clock.not_after(stamp, slots.ended);
  }
  to->done.push_back({this, slots, stamp, tid, record.name, record.domain, record.flags});
}

void OpenclSource::take_object(const spool::Record& record, uint64_t stamp, OpenclRows* to) {
  const spool::ValueSlot value = spool::value_slot(record, 1);
  Object object{record.domain, stamp, value.a, value.b, {}};
  if (!text(record.name, &object.description)) return;
  if (object.kind == static_cast<uint16_t>(cl::Object::kQueue)) {
    DescriptionReader d(object.description);
    QueueOf& queue = queues_[static_cast<uint32_t>(object.number)];
    queue.context = static_cast<uint32_t>(d.number());
    queue.device = static_cast<uint32_t>(d.number());
    const uint64_t asked = d.number(), properties = d.number();
    if ((properties & ~asked & event::opencl_queue::kProfiling) != 0) ++counts_.forced;
  }
  add_object(object, to);
  if (objects_.size() < kMostObjects) objects_.push_back(std::move(object));
}

void OpenclSource::add_object(const Object& object, OpenclRows* to) {
  DescriptionReader d(object.description);
  const auto string = [&]() -> uint64_t { return writer_.string_id(d.text()); };
  const auto other = [&](uint64_t of) { return distinct(d.number(), of); };
  const uint64_t number = distinct(object.number, kObjects), device = distinct(object.number, kDevices);
  // Arguments of a function are evaluated in no order: those of a list are, one after the other.
  switch (static_cast<cl::Object>(object.kind)) {
    case cl::Object::kPlatform:
      append_row(&to->platforms, {process_, device, string(), string(), string(), string(), object.handle});
      break;
    case cl::Object::kDevice:
      append_row(&to->devices, {process_, device, other(kDevices), string(), string(), string(), string(),
                                d.number(), d.number(), d.number(), d.number(), d.number(), d.number(),
                                d.number(), other(kDevices), object.handle});
      break;
    case cl::Object::kContext:
      append_row(&to->contexts, {process_, number, object.stamp, d.number(), object.handle});
      break;
    case cl::Object::kQueue:
      append_row(&to->queues, {process_, number, other(kObjects), other(kDevices), object.stamp, d.number(),
                               d.number(), object.handle});
      break;
    case cl::Object::kProgram:
      append_row(&to->programs, {process_, number, other(kObjects), object.stamp, d.number(), d.number(),
                                 object.handle, d.number()});
      break;
    default:
      ++counts_.damaged;
  }
}

void OpenclSource::take_build(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to) {
  const auto slots = slots_of<cl::BuildSlots>(record);
  append_row(
      &to->builds,
      {stamp, slots.took, process_, tid, distinct(slots.program, kObjects), distinct(slots.device, kDevices),
       record.domain, static_cast<uint64_t>(int64_t{slots.result}),
       static_cast<uint64_t>(int64_t{slots.status}), name(record.name), name(slots.log), slots.log_bytes});
}

const OpenclSource::LaunchOf& OpenclSource::launch_of(uint32_t id, OpenclRows* to) {
  static const LaunchOf kNone;
  if (id == 0) return kNone;
  if (const auto found = launches_.find(id); found != launches_.end()) return found->second;
  LaunchOf launch;
  std::string bytes;
  if (id == spool::kNameDropped || !text(id, &bytes) || bytes.size() != sizeof launch.launch) {
    launch.name = writer_.string_id("(name dropped)");
  } else {
    std::memcpy(&launch.launch, bytes.data(), sizeof launch.launch);
    launch.name = name(launch.launch.kernel);
    add_arguments(launch.launch.arguments, to);
  }
  if (launches_.size() >= kMostSets) launches_.clear();
  return launches_.emplace(id, launch).first->second;
}

void OpenclSource::add_arguments(uint32_t set, OpenclRows* to) {
  std::string bytes;
  if (set <= spool::kNameDropped || argument_sets_.size() >= kMostSets ||
      !argument_sets_.insert(set).second || !text(set, &bytes))
    return;
  for (size_t i = 0; (i + 1) * sizeof(cl::Argument) <= bytes.size(); ++i) {
    cl::Argument argument;
    std::memcpy(&argument, bytes.data() + i * sizeof argument, sizeof argument);
    append_row(&to->arguments, {process_, distinct(set, kObjects), i, argument.kind, argument.bytes});
  }
}

void OpenclSource::add_untimed(uint64_t correlation, const Pending& p, Reason reason, int32_t status,
                               report::Rows* to) {
  ++counts_.untimed;
  const auto queue = queues_.find(p.queue);
  const QueueOf of = queue != queues_.end() ? queue->second : QueueOf{};
  uint32_t kernel = 0;
  std::string bytes;
  cl::Launch launch;
  if (p.launch > spool::kNameDropped && text(p.launch, &bytes) && bytes.size() == sizeof launch) {
    std::memcpy(&launch, bytes.data(), sizeof launch);
    kernel = name(launch.kernel);
  }
  const uint16_t command = opencl_command_of(p.function);
  const event::OpenclCommand* known = event::find_opencl_command(command);
  const bool memory = known != nullptr && known->table == event::kOpenclMemory;
  append_row(to,
             {p.stamp, process_, p.tid, distinct(of.device, kDevices), distinct(of.context, kObjects),
              distinct(p.queue, kObjects), distinct(correlation, kCommands), command, kernel,
              memory ? p.bytes : 0, static_cast<uint64_t>(reason), static_cast<uint64_t>(int64_t{status})});
}

void OpenclSource::add_unfinished(report::Rows* untimed) {
  std::vector<uint64_t> order;
  for (const auto& [correlation, pending] : pending_) order.push_back(correlation);
  std::sort(order.begin(), order.end());
  for (const uint64_t correlation : order)
    add_untimed(correlation, pending_[correlation], Reason::kUnfinished, 0, untimed);
  pending_.clear();
}

double OpenclSource::worst_clock_error() const {
  double worst = 0;
  for (const auto& [device, clock] : clocks_) worst = std::max(worst, clock.worst_error());
  return worst;
}

void OpenclSource::restore_enqueued(uint64_t correlation, uint64_t stamp, uint64_t tid, uint32_t queue,
                                    std::string_view function) {
  const auto of = static_cast<uint32_t>(own(queue, kObjects));
  if (const uint64_t number = own(correlation, kCommands); number != 0)
    pending_.emplace(number, Pending{stamp, tid, 0, of, 0, function_of(function)});
}

void OpenclSource::restore_early(uint64_t correlation) {
  if (const uint64_t number = own(correlation, kCommands); number != 0) early_.insert(number);
}

void OpenclSource::restore_queue(uint32_t queue, uint32_t context, uint32_t device) {
  if (const auto number = static_cast<uint32_t>(own(queue, kObjects)); number != 0)
    queues_[number] = {static_cast<uint32_t>(own(context, kObjects)),
                       static_cast<uint32_t>(own(device, kDevices))};
}

void OpenclSource::end_report() {
  launches_.clear();
  argument_sets_.clear();
  function_names_.clear();
}

void OpenclSource::begin_report(OpenclRows* to) {
  for (const Object& object : objects_) add_object(object, to);
}

}  // namespace sextant::collector
