// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

void words(const Name& name, Explanation* to) {
  std::string_view rest = name.base;
  if (rest.starts_with("trt_")) rest.remove_prefix(4);
  explain_gemm_words(rest, to);
}

/// __myl_AddMulSig_0x1234...: names of the fused operations
void myelin(const Name& name, Explanation* to) {
  const auto parts = words_of(name.base);
  if (parts.size() >= 2) to->guess("fuses", std::string(parts[1]));
  to->note(
      "The layer that it belongs to is in TensorRT's own profile (trtexec --dumpProfile) and in its NVTX "
      "ranges.");
}

/// bmm_Bfloat16_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_...: types of result, operands, sum; tile; stages
void generated(const Name& name, Explanation* to) {
  const auto parts = words_of(name.base);
  if (parts.size() > 3) {
    to->certain("types", fmt::format("result {}, operands {}, sum {}", parts[1], parts[2], parts[3]));
    if (parts[2].starts_with("Mx"))
      to->guess("precision", "microscaled (MX) formats in: blocks of elements share a scale");
  }
  std::string sizes;
  for (const std::string_view word : parts) {
    if (word[0] == 't' && word.find('u') != std::string_view::npos &&
        sizes_of(word.substr(1, word.find('u') - 1), &sizes))
      to->certain("tile",
                  fmt::format("{} (result rows x columns x depth of a step) for a thread block", sizes));
    if (word.starts_with("cga") && sizes_of(word.substr(3), &sizes))
      to->certain("cluster", fmt::format("{} thread blocks", sizes));
    if (word.starts_with("swiGlu")) to->certain("afterwards", "SwiGLU");
    if (word.starts_with("sm"))
      if (const auto generation = generation_of(word)) note_generation(*generation, to);
  }
  to->certain("units", "tensor cores");
}

constexpr Rule kRules[] = {
    {"trt_*gemm*", "matrix multiplication (GEMM)", words},
    {"trt_*", "convolution or matrix multiplication", words},
    {"*_trt_*cudnn*", "convolution", words},
    {"*xmma*_trt", "convolution or matrix multiplication", words},
    {"__myl_*", "operations fused by TensorRT's compiler (Myelin)", myelin},
    {"__mye*", "operations fused by TensorRT's compiler (Myelin)", myelin},
    {"myelin*", "operations fused by TensorRT's compiler (Myelin)", myelin},
    {"generatedNativePointwise", "element-wise operations fused into one kernel", nullptr},
    {"genericReformat::*", "changes a tensor's type or order between layers", nullptr},
    {"nvinfer1::*", "a layer", nullptr},
    {"cuInt8::*", "a layer in int8", nullptr},
    {"cuEltwise::*", "element-wise layer", nullptr},
    {"cuda_kernel_for_plugin*", "a plug-in", nullptr, false},
    {"bmm_*_t*x*", "batched matrix multiplication, for experts of a mixture (MoE)", generated, true,
     "TensorRT-LLM (also in FlashInfer)"},
    {"gemm_*_t*x*x*u*_s*_et*", "matrix multiplication", generated, true, "TensorRT-LLM (also in FlashInfer)"},
    {"moe::dev::routing::*", "mixture of experts: decides which expert gets which token", nullptr, true,
     "TensorRT-LLM (also in FlashInfer)"},
    {"moe::dev::finalize::*", "mixture of experts: brings the experts' results together", nullptr, true,
     "TensorRT-LLM (also in FlashInfer)"},
    {"moe::dev::*", "mixture of experts", nullptr, true, "TensorRT-LLM (also in FlashInfer)"},
    {"tensorrt_llm::kernels::quantize*", "quantises a tensor", nullptr, true, "TensorRT-LLM"},
    {"tensorrt_llm::*", "part of serving a language model", nullptr, true, "TensorRT-LLM"},
};

}  // namespace

const Family kTensorrt{"TensorRT", kRules};

}  // namespace sextant::explain
