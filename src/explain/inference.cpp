// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Libraries around the training and serving of large models.
#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

constexpr Rule kRules[] = {
    {"vllm::*rms_norm*quant*", "RMS normalisation and quantisation", first_type, true, "vLLM"},
    {"vllm::fused_add_rms_norm_kernel", "addition of the residual and RMS normalisation", first_type, true,
     "vLLM"},
    {"vllm::rms_norm_kernel", "RMS normalisation", first_type, true, "vLLM"},
    {"vllm::rotary_embedding_kernel", "rotary position embedding", first_type, true, "vLLM"},
    {"vllm::reshape_and_cache*", "writes keys and values to the cache", first_type, true, "vLLM"},
    {"vllm::act_and_mul_kernel*", "gated activation (SwiGLU and the like)", first_type, true, "vLLM"},
    {"vllm::scaled_fp8_quant*", "quantisation to FP8", first_type, true, "vLLM"},
    {"vllm::*quant*", "quantisation", first_type, true, "vLLM"},
    {"vllm::moe::*", "mixture of experts", first_type, true, "vLLM"},
    {"vllm::*", "part of serving a language model", first_type, true, "vLLM"},
    {"rotary_embedding_kernel", "rotary position embedding", first_type, false, "vLLM or SGLang"},
    {"marlin::*", "matrix multiplication with quantised weights", nullptr, true, "Marlin (vLLM)"},
    {"Marlin*", "matrix multiplication with quantised weights", nullptr, false, "Marlin (vLLM)"},
    {"sgl*::activation::act_and_mul_kernel", "gated activation (SwiGLU and the like)", nullptr, true,
     "SGLang"},
    {"sgl*::*", "part of serving a language model", nullptr, true, "SGLang"},
    {"store_kvcache", "writes keys and values to the cache", nullptr, false, "SGLang"},
    {"resolve_future_token_ids_kernel", "replaces tokens that were not known yet", nullptr, false, "SGLang"},
    {"clamp_position_kernel", "limits positions", nullptr, false, "SGLang"},
    {"deep_gemm::*", "matrix multiplication in FP8", nullptr, true, "DeepGEMM"},
    {"deep_ep::*", "mixture of experts: sends tokens between GPUs", nullptr, true, "DeepEP"},
    {"transformer_engine::*", "part of a transformer in FP8 or bfloat16", first_type, true,
     "Transformer Engine"},
    {"deepspeed::*", "part of a transformer", first_type, true, "DeepSpeed"},
    {"apex::*", "part of training", first_type, true, "Apex"},
    {"fastertransformer::*", "part of serving a language model", first_type, true, "FasterTransformer"},
    {"split_embedding*_forward*", "looks up and sums rows of embedding tables, forward", first_type, true,
     "FBGEMM"},
    {"split_embedding_backward_*find_long_segments",
     "embedding tables, backward: finds rows with many gradients", nullptr, true, "FBGEMM"},
    {"split_embedding_backward_*", "embedding tables, backward, with the optimiser's step", first_type, true,
     "FBGEMM"},
    {"split_embedding*", "embedding tables", first_type, true, "FBGEMM"},
    {"fbgemm_gpu::*permute*", "reorders sparse features", nullptr, true, "FBGEMM"},
    {"fbgemm_gpu::*FP8*", "conversion to or from FP8", nullptr, true, "FBGEMM"},
    {"fbgemm_gpu::*", "sparse features of a recommender", nullptr, true, "FBGEMM"},
    {"permute_pooled_embs_kernel", "reorders embeddings", first_type, false, "FBGEMM"},
    {"bounds_check_indices_kernel", "checks the indices of embedding tables", nullptr, false, "FBGEMM"},
    {"linearize_index_kernel", "embedding tables, backward: numbers the rows", nullptr, false, "FBGEMM"},
    {"kQuantize*", "quantisation", nullptr, false, "bitsandbytes"},
    {"kDequantize*", "dequantisation", nullptr, false, "bitsandbytes"},
    {"kgemm_4bit_inference*", "matrix times vector with weights of 4 bits", nullptr, false, "bitsandbytes"},
    {"mul_mat_q*", "matrix multiplication with quantised weights", nullptr, true, "llama.cpp (ggml)"},
    {"mul_mat_vec_*", "matrix times vector with quantised weights", nullptr, true, "llama.cpp (ggml)"},
    {"quantize_q8_1", "quantisation of activations", nullptr, true, "llama.cpp (ggml)"},
    {"quantize_mmq_q8_1", "quantisation of activations", nullptr, true, "llama.cpp (ggml)"},
    {"dequantize_block*", "dequantisation of weights", nullptr, true, "llama.cpp (ggml)"},
    {"flash_attn_tile_ext*", "attention", nullptr, true, "llama.cpp (ggml)"},
    {"causal_conv1d_*", "causal convolution of a state space model", nullptr, true, "Mamba"},
    {"selective_scan_*", "selective scan of a state space model", nullptr, true, "Mamba"},
    {"tcnn::*", "small neural network or encoding", nullptr, true, "tiny-cuda-nn"},
};

}  // namespace

const Family kInference{"model libraries", kRules};

}  // namespace sextant::explain
