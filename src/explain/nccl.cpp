// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

struct Meaning {
  std::string_view word, what, text;
};
constexpr Meaning kMeanings[] = {
    {"AllReduce", "operation", "all-reduce: every rank gets the combination of all ranks' data"},
    {"AllGather", "operation", "all-gather: every rank gets all ranks' data"},
    {"ReduceScatter", "operation", "reduce-scatter: every rank gets its part of the combination"},
    {"Broadcast", "operation", "broadcast: one rank's data to all"},
    {"Reduce", "operation", "reduce: one rank gets the combination of all ranks' data"},
    {"SendRecv", "operation",
     "send and receive between pairs of ranks (also all-to-all, gather and scatter)"},
    {"Generic", "operation",
     "collectives of several kinds in one launch, or one without a kernel of its own"},
    {"RING", "algorithm", "ring: each rank passes data to its neighbour"},
    {"TREE", "algorithm", "tree: fewer steps with many ranks"},
    {"NVLS", "algorithm", "NVLS: the NVLink switch combines the data"},
    {"COLLNET", "algorithm", "CollNet: the network's switches combine the data"},
    {"PAT", "algorithm", "PAT: parallel trees for small messages"},
    {"LL", "protocol", "LL (low latency): for small messages, half of the bandwidth"},
    {"LL128", "protocol", "LL128: low latency at nearly full bandwidth, over NVLink"},
    {"SIMPLE", "protocol", "Simple: full bandwidth, for large messages"},
    {"Sum", "combines by", "sum"},
    {"SumPostDiv", "combines by", "sum, divided afterwards (average)"},
    {"PreMulSum", "combines by", "sum of scaled data (average)"},
    {"Prod", "combines by", "product"},
    {"Max", "combines by", "maximum"},
    {"Min", "combines by", "minimum"},
    {"MinMax", "combines by", "minimum or maximum"},
};

void collective(const Name& name, Explanation* to) {
  bool combines = false, known_operation = false;
  std::string_view type;
  for (const std::string_view word : words_of(name.base)) {
    if (!precision_of(word).empty()) type = precision_of(word);
    const auto found = std::find_if(std::begin(kMeanings), std::end(kMeanings),
                                    [&](const Meaning& m) { return m.word == word; });
    if (found == std::end(kMeanings)) continue;
    if (found->what == "operation") {
      set_operation(to, std::string(found->text), true);
      combines = word == "AllReduce" || word == "Reduce" || word == "ReduceScatter";
      known_operation = true;
    } else if (found->what != "combines by" || combines) {
      to->certain(found->what, std::string(found->text));
    }
  }
  if (combines && !type.empty()) to->certain("precision", std::string(type));
  if (known_operation && !combines && !type.empty())
    to->note("Type and operator in the name mean nothing here: data are only moved, as bytes.");
  to->note(
      "Its time contains waiting for the other ranks: a long one on one GPU often means that another rank "
      "came late.");
}

constexpr Rule kRules[] = {
    {"ncclDevKernel_*", "a collective", collective},
    {"ncclKernel_*", "a collective", collective},
    {"ncclSymDevKernel_*", "a collective over symmetric memory", collective},
    {"ncclSymkDevKernel_*", "a collective over symmetric memory", collective},
    {"nccl*Kernel*", "a collective", collective},
    {"nvshmem*", "communication between GPUs", nullptr, true, "NVSHMEM"},
    {"*multimem_all_reduce_kernel*", "all-reduce over NVLink multicast", nullptr, true,
     "PyTorch (symmetric memory)"},
    {"*two_shot_all_reduce_kernel*", "all-reduce in two steps over NVLink", nullptr, true,
     "PyTorch (symmetric memory)"},
    {"*one_shot_all_reduce_kernel*", "all-reduce in one step over NVLink", nullptr, true,
     "PyTorch (symmetric memory)"},
    {"vllm::cross_device_reduce_*", "all-reduce over NVLink, for small data", nullptr, true, "vLLM"},
};

}  // namespace

const Family kNccl{"NCCL", kRules};

}  // namespace sextant::explain
