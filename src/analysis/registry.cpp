// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "analysis/rules.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

constexpr std::string_view kSpan = ":rows=:start=:end=:nvtx=",
                           kThreads = ":rows=:start=:end=:nvtx=:process=:thread=",
                           kGaps = ":rows=:start=:end=:nvtx=:gap=",
                           kChunks = ":rows=:start=:end=:nvtx=:threshold=:chunks=";

constexpr std::array kRules = {
    Rule{"cuda_memcpy_async", kSpan, "CUDA Async Memcpy with Pageable Memory",
         "Asynchronous copies that block because host memory is pageable", run_cuda_memcpy_async},
    Rule{"cuda_memcpy_sync", kSpan, "CUDA Synchronous Memcpy", "Copies that block the host",
         run_cuda_memcpy_sync},
    Rule{"cuda_memset_sync", kSpan, "CUDA Synchronous Memset", "Fills that block the host",
         run_cuda_memset_sync},
    Rule{"cuda_api_sync", kThreads, "CUDA Synchronization APIs",
         "Calls that block the host until the GPU is done", run_cuda_api_sync},
    Rule{"opencl_memcpy_async", kSpan, "OpenCL Async Copies That Block",
         "Non-blocking reads, writes and copies whose call took until they were done",
         run_opencl_memcpy_async},
    Rule{"opencl_memcpy_sync", kSpan, "OpenCL Blocking Copies",
         "Reads, writes and maps that were asked to block the host", run_opencl_memcpy_sync},
    Rule{"opencl_api_sync", kThreads, "OpenCL Synchronization APIs",
         "Calls that block the host until the device is done, and whether they stand in a loop",
         run_opencl_api_sync},
    Rule{"gpu_gaps", kGaps, "GPU Gaps", "Times in which a GPU or OpenCL device did nothing", run_gpu_gaps},
    Rule{"gpu_time_util", kChunks, "GPU Time Utilization", "Times in which a GPU or OpenCL device did little",
         run_gpu_time_util},
    Rule{"osrt_never_returned", kThreads, "Calls That Never Returned",
         "Where a program stood that was killed, or did not end", run_osrt_never_returned},
    Rule{"osrt_locks", kThreads, "Contended Locks", "Locks for which several threads waited", run_osrt_locks},
    Rule{"osrt_polling", kThreads, "Polling", "Threads that sleep and look again", run_osrt_polling},
    Rule{"osrt_small_io", kThreads, "Many Small Reads and Writes",
         "Files, pipes and sockets read or written in small pieces", run_osrt_small_io},
    Rule{"osrt_sync_loop", kThreads, "fsync in a Loop", "Threads that make data durable again and again",
         run_osrt_sync_loop},
    Rule{"osrt_main_io", kThreads, "I/O of First Threads",
         "First threads of processes that wait for files and sockets", run_osrt_main_io},
};

bool allows(const Rule& rule, std::string_view argument) {
  const size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string wanted = fmt::format(":{}", argument.substr(0, equals + 1));
  return rule.arguments.find(wanted) != std::string_view::npos;
}

template <typename Number>
bool parse(std::string_view word, Number* out, Number least, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < least || value > most) return false;
  *out = value;
  return true;
}

bool parse(std::string_view word, std::optional<int64_t>* out) {
  int64_t value = 0;
  if (!parse<int64_t>(word, &value, INT64_MIN, INT64_MAX)) return false;
  *out = value;
  return true;
}

bool apply(std::string_view argument, RuleArguments* a) {
  const size_t equals = argument.find('=');
  const std::string_view name = argument.substr(0, equals), word = argument.substr(equals + 1);
  if (name == "rows") return parse<int64_t>(word, &a->rows, -1, INT64_MAX);
  if (name == "gap") return parse<int64_t>(word, &a->gap_ms, 0, INT64_MAX / 1'000'000);
  if (name == "threshold") return parse<double>(word, &a->threshold, 0, 1e9);
  if (name == "chunks") return parse<int64_t>(word, &a->chunks, 1, 1000);
  if (name == "process") return parse<int64_t>(word, &a->process, -1, INT64_MAX);
  if (name == "thread") return parse<int64_t>(word, &a->thread, -1, INT64_MAX);
  if (name == "start") return parse(word, &a->start_ns);
  if (name == "end") return parse(word, &a->end_ns);
  a->nvtx = word;
  return !word.empty();
}

bool letters_equal(std::string_view a, std::string_view small) {
  return std::equal(a.begin(), a.end(), small.begin(), small.end(),
                    [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x + ('a' - 'A') : x) == y; });
}

}  // namespace

std::span<const Rule> rules() {
  return kRules;
}

const Rule* find_rule(std::string_view name) {
  for (const Rule& rule : kRules)
    if (rule.name == name) return &rule;
  return nullptr;
}

Result<RuleChoice> choose_rule(std::string_view word) {
  const size_t colon = std::min(word.find(':'), word.size());
  RuleChoice choice;
  choice.rule = find_rule(word.substr(0, colon));
  if (choice.rule == nullptr) return choice;
  for (std::string_view rest = word.substr(colon); !rest.empty();) {
    rest.remove_prefix(1);
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string_view argument = rest.substr(0, end);
    rest.remove_prefix(end);
    if (!allows(*choice.rule, argument) || !apply(argument, &choice.arguments))
      return fail(ErrorCode::kUsage, fmt::format("the rule {} takes {}, not ':{}'", choice.rule->name,
                                                 choice.rule->arguments, argument));
  }
  return choice;
}

void keep_best(std::vector<Finding>* findings) {
  std::stable_sort(findings->begin(), findings->end(),
                   [](const Finding& a, const Finding& b) { return a.gain_ns > b.gain_ns; });
  if (findings->size() > kMostFindings) findings->resize(kMostFindings);
}

std::string span_text(int64_t start_ns, int64_t end_ns) {
  return fmt::format("from {} to {}", text::duration(start_ns), text::duration(end_ns));
}

bool begins_with(std::string_view name, std::string_view prefix) {
  return name.size() >= prefix.size() && letters_equal(name.substr(0, prefix.size()), prefix);
}

bool contains(std::string_view name, std::string_view word) {
  for (size_t at = 0; at + word.size() <= name.size(); ++at)
    if (letters_equal(name.substr(at, word.size()), word)) return true;
  return false;
}

}  // namespace sextant::analysis
