// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Attention: FlashAttention, the memory-efficient kernels of xFormers and PyTorch, FlashInfer, generated
// ones.
#include <fmt/format.h>

#include <cctype>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

void from_whom(const Name& name, Explanation* to) {
  if (name.in("pytorch_flash"))
    to->certain("called by", "PyTorch's scaled_dot_product_attention, which brings a copy of it");
}

/// Flash_fwd_kernel_traits<head size, rows of Q, rows of K, warps, ..., type>
void flash2(const Name& name, Explanation* to) {
  from_whom(name, to);
  const size_t at = name.all_arguments.find("kernel_traits<");
  if (at == std::string::npos) return;
  const std::string_view rest = std::string_view(name.all_arguments).substr(at + 14);
  const auto parts = split_outside_brackets(rest.substr(0, std::min<size_t>(rest.size(), 400)), ',');
  if (parts.size() < 4 || number(parts[0]) <= 0) return;
  to->certain("head size", fmt::format("up to {}", number(parts[0])));
  to->certain("tile", fmt::format("{} x {} (rows of Q x rows of K) for a thread block", number(parts[1]),
                                  number(parts[2])));
  to->certain("warps", fmt::format("{} in a block", number(parts[3])));
  for (const std::string_view type : {"cutlass::bfloat16_t", "cutlass::half_t"})
    if (rest.find(type) != std::string_view::npos) {
      to->certain("precision", std::string(precision_of(type)));
      break;
    }
}

/// fmha_cutlassF_f16_aligned_64x64_rf_sm80
void memory_efficient(const Name& name, Explanation* to) {
  std::string sizes;
  for (const std::string_view word : words_of(name.base)) {
    if (!precision_of(word).empty()) to->certain("precision", std::string(precision_of(word)));
    if (sizes_of(word, &sizes))
      to->certain("tile", fmt::format("{} (rows of Q x rows of K) for a thread block", sizes));
    if (word.starts_with("sm"))
      if (const auto generation = generation_of(word)) note_generation(*generation, to);
    if (word == "dropout") to->certain("with", "dropout");
  }
}

/// fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausal...: what stands in it by name
void generated(const Name& name, Explanation* to) {
  struct Known {
    std::string_view word, what, text;
  };
  static constexpr Known kKnown[] = {{"PagedKv", "keys and values", "in pages (PagedKv)"},
                                     {"SlidingOrChunkedCausal", "mask", "causal, sliding window or chunks"},
                                     {"Causal", "mask", "causal"},
                                     {"Dense", "mask", "none (dense)"},
                                     {"VarSeq", "sequences", "of various lengths"},
                                     {"Persistent", "schedule", "blocks stay and take work (persistent)"},
                                     {"Context", "phase", "context (prefill)"},
                                     {"Gen", "phase", "generation (decode)"},
                                     {"QkvE4m3", "precision", "FP8 (E4M3) in"},
                                     {"QkvBfloat16", "precision", "bfloat16 in"},
                                     {"QkvE2m1", "precision", "FP4 in"}};
  for (const Known& known : kKnown)
    if (name.base.find(known.word) != std::string::npos && !to->find(known.what))
      to->certain(known.what, std::string(known.text));
  const size_t sm = name.base.find("Sm");
  if (sm != std::string::npos) {
    size_t end = sm + 2;
    while (end < name.base.size() && std::isdigit(static_cast<unsigned char>(name.base[end]))) ++end;
    if (const auto generation = generation_of("sm" + name.base.substr(sm + 2, end - sm - 2)))
      note_generation(*generation, to);
  }
}

constexpr Rule kRules[] = {
    {"flash_fwd_splitkv_combine_kernel", "attention, forward: adds up the parts of split keys and values",
     flash2},
    {"flash_fwd_splitkv_kernel", "attention, forward, keys and values split over blocks (decode)", flash2},
    {"flash_fwd_kernel", "attention, forward", flash2},
    {"flash_bwd_dot_do_o_kernel", "attention, backward: preparation", flash2},
    {"flash_bwd_convert_dq_kernel", "attention, backward: converts the gradient of Q", flash2},
    {"flash_bwd_convert_dkv_kernel", "attention, backward: converts the gradients of K and V", flash2},
    {"flash_bwd_*", "attention, backward", flash2},
    {"*flash_attention*", "attention", memory_efficient, false},
    {"*flash_attn*", "attention", memory_efficient, false},
    {"fmha_cutlassF*", "attention, forward", memory_efficient, true,
     "memory-efficient attention (xFormers, PyTorch)"},
    {"fmha_cutlassB*", "attention, backward", memory_efficient, true,
     "memory-efficient attention (xFormers, PyTorch)"},
    {"fmha_v2_*", "attention", memory_efficient, true, "fused attention of TensorRT or Transformer Engine"},
    {"fmhaSm*", "attention", generated, true, "TensorRT-LLM (also in FlashInfer)"},
    {"*BatchPrefillWith*Kernel*", "attention of a batch, prefill", nullptr, true, "FlashInfer"},
    {"*BatchDecodeWith*Kernel*", "attention of a batch, decode", nullptr, true, "FlashInfer"},
    {"*SinglePrefillWith*Kernel*", "attention of one sequence, prefill", nullptr, true, "FlashInfer"},
    {"*SingleDecodeWith*Kernel*", "attention of one sequence, decode", nullptr, true, "FlashInfer"},
    {"*MergeStates*Kernel*", "attention: merges partial results", nullptr, true, "FlashInfer"},
    {"flashinfer::*", "part of serving a language model", nullptr, true, "FlashInfer"},
    {"create_flashinfer_kv_indices_triton", "lists the pages of keys and values", nullptr, true,
     "SGLang (in Triton)"},
    {"vllm::paged_attention_v1_kernel", "attention over keys and values in pages", nullptr, true, "vLLM"},
    {"vllm::paged_attention_v2_kernel", "attention over keys and values in pages, split", nullptr, true,
     "vLLM"},
    {"vllm::paged_attention_v2_reduce_kernel", "attention: adds up the parts", nullptr, true, "vLLM"},
    {"paged_attention_ll4mi_*", "attention over keys and values in pages, on an AMD card", nullptr, true,
     "vLLM"},
    {"attn_fwd", "attention, forward", nullptr, false, "FlashAttention in Triton"},
    {"_attn_fwd*", "attention, forward", nullptr, false, "FlashAttention in Triton"},
    {"_attn_bwd*", "attention, backward", nullptr, false, "FlashAttention in Triton"},
    {"_fwd_kernel_stage*", "attention, forward", nullptr, false, "attention in Triton (SGLang, LightLLM)"},
    {"_fwd_grouped_kernel_stage*", "attention, forward", nullptr, false,
     "attention in Triton (SGLang, LightLLM)"},
};

}  // namespace

const Family kAttention{"FlashAttention", kRules};

}  // namespace sextant::explain
