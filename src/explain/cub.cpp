// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Thrust and CUB. CUB puts its version and the architectures that it was compiled for into a namespace.
#include <fmt/format.h>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

/// CUB_200600_500_520_..._NS, THRUST_200600_..._NS
void version(const Name& name, Explanation* to) {
  for (const std::string_view prefix : {"CUB_", "THRUST_"}) {
    const size_t at = name.text.find(prefix);
    if (at == std::string::npos) continue;
    const std::string_view rest = std::string_view(name.text).substr(at + prefix.size());
    const size_t end = rest.find("_NS");
    if (end > 400) continue;  // npos too
    const auto words = words_of(rest.substr(0, end));
    if (words.empty() || number(words[0]) < 100'000) continue;
    const long all = number(words[0]);
    to->certain("version", fmt::format("{}.{}.{} of the CUDA C++ core libraries", all / 100'000,
                                       all / 100 % 1'000, all % 100));
    std::string built;
    for (size_t w = 1; w < words.size(); ++w)
      if (number(words[w]) > 0)
        built += fmt::format("{}{}", built.empty() ? "" : ", ",
                             capability_text(static_cast<int>(number(words[w]) / 10)));
    if (!built.empty()) to->certain("built for", fmt::format("compute capabilities {}", built));
    return;
  }
  if (name.in("at_cuda_detail")) to->certain("called by", "PyTorch, which brings its own copy of CUB");
}

std::string_view operator_of(const Name& name) {
  struct Known {
    std::string_view word, text;
  };
  static constexpr Known kKnown[] = {{"::plus", "sum"},
                                     {"::Sum", "sum"},
                                     {"::maximum", "maximum"},
                                     {"::Max", "maximum"},
                                     {"::minimum", "minimum"},
                                     {"::Min", "minimum"},
                                     {"ArgMax", "position of the maximum"},
                                     {"ArgMin", "position of the minimum"},
                                     {"::multiplies", "product"}};
  for (const Known& known : kKnown)
    if (name.all_arguments.find(known.word) != std::string::npos) return known.text;
  return {};
}

void device(const Name& name, Explanation* to) {
  version(name, to);
  if (const std::string_view op = operator_of(name); !op.empty()) to->certain("combines by", std::string(op));
  for (const std::string& argument : name.arguments) {
    std::string_view type = trimmed(argument);
    while (type.ends_with('*') || type.ends_with(' ')) type.remove_suffix(1);
    if (precision_of(type).empty() || type == "bool") continue;
    to->guess("element type", std::string(precision_of(type)));
    break;
  }
}

/// thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__reduce::ReduceAgent<...
void agent(const Name& name, Explanation* to) {
  struct Known {
    std::string_view word, text;
  };
  static constexpr Known kKnown[] = {
      {"__parallel_for", "the same function for each element (transform, for_each, fill, copy ...)"},
      {"__reduce_by_key", "reduction of runs of equal keys"},
      {"__reduce", "reduction"},
      {"__scan_by_key", "prefix sums of runs of equal keys"},
      {"__scan", "prefix sum (scan)"},
      {"__merge_sort", "merge sort"},
      {"__radix_sort", "radix sort"},
      {"__copy_if", "copies what fulfils a condition"},
      {"__partition", "partition"},
      {"__unique_by_key", "removes repeated keys"},
      {"__unique", "removes repeated elements"},
      {"__set_operations", "operation on sorted sets"},
      {"__merge", "merges sorted sequences"},
      {"__transform", "the same function for each element (transform)"},
      {"__extrema", "minimum or maximum"},
  };
  for (const Known& known : kKnown) {
    if (name.all_arguments.find(known.word) == std::string::npos) continue;
    set_operation(to, std::string(known.text), true);
    break;
  }
  version(name, to);
  if (name.all_arguments.find("unary_transform_f") != std::string::npos)
    to->certain("operator", "transform of one sequence");
  if (name.all_arguments.find("binary_transform_f") != std::string::npos)
    to->certain("operator", "transform of two sequences");
  if (name.all_arguments.find("uninitialized_fill") != std::string::npos ||
      name.all_arguments.find("__uninitialized_fill") != std::string::npos)
    to->certain("operator", "fills new memory (a device_vector that was made or grew)");
  if (name.all_arguments.find("for_each_f") != std::string::npos)
    to->guess("operator", "for_each, or what is built on it");
}

constexpr Rule kRules[] = {
    {"*DeviceReduceSingleTileKernel", "reduction, in a single block (small, or the second step)", device},
    {"*DeviceReduceByKeyKernel", "reduction of runs of equal keys", device},
    {"*DeviceReduceKernel", "reduction, first step", device},
    {"*DeviceSegmentedReduceKernel", "reduction of many segments", device},
    {"*DeviceScanInitKernel", "prepares a prefix sum (scan)", device},
    {"*DeviceScanByKeyKernel", "prefix sums of runs of equal keys", device},
    {"*DeviceScanKernel", "prefix sum (scan)", device},
    {"*DeviceCompactInitKernel", "prepares a selection", device},
    {"*DeviceSelectSweepKernel", "copies what fulfils a condition", device},
    {"*DevicePartition*Kernel", "partition", device},
    {"*DeviceUniqueByKey*", "removes repeated keys", device},
    {"*DeviceRadixSortHistogramKernel", "radix sort: counts digits", device},
    {"*DeviceRadixSortExclusiveSumKernel", "radix sort: positions from counts", device},
    {"*DeviceRadixSortOnesweepKernel", "radix sort: one pass over the data", device},
    {"*DeviceRadixSortUpsweepKernel", "radix sort: counts digits", device},
    {"*DeviceRadixSortDownsweepKernel", "radix sort: moves elements", device},
    {"*DeviceRadixSortSingleTileKernel", "radix sort of few elements, in one block", device},
    {"*RadixSortScanBinsKernel", "radix sort: positions from counts", device},
    {"*DeviceSegmentedRadixSortKernel", "radix sort of many segments", device},
    {"*DeviceMergeSort*Kernel", "merge sort", device},
    {"*DeviceHistogram*Kernel", "histogram", device},
    {"*DeviceRunLengthEncode*Kernel", "run-length encoding", device},
    {"*DeviceRleSweepKernel", "run-length encoding", device},
    {"*DeviceSpmv*Kernel", "sparse matrix times vector", device},
    {"*DeviceBatchMemcpyKernel", "many copies at once", device},
    {"*::cub::*::static_kernel", "the same function for each element", agent},
    {"cub::*::for_each::static_kernel", "the same function for each element", agent},
    {"cub::*transform_kernel", "the same function for each element (transform)", device},
    {"cub::*EmptyKernel", "does nothing: CUB asks with it which architecture was compiled for", version},
    {"*cub::*EmptyKernel", "does nothing: CUB asks with it which architecture was compiled for", version},
    {"thrust::*_kernel_agent", "parallel algorithm", agent, true, "Thrust"},
    {"thrust::*", "parallel algorithm", agent, true, "Thrust"},
    {"cub::*", "parallel algorithm", device},
    {"*::cub::*", "parallel algorithm", device},
    {"_kernel_agent", "parallel algorithm", agent, true, "Thrust"},
};

}  // namespace

const Family kCub{"CUB", kRules};

}  // namespace sextant::explain
