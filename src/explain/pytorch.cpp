// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// PyTorch's own kernels (ATen). Most are templates: the loop says how the work is spread, the functor in the
// template's arguments says what is computed.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

struct Meaning {
  std::string_view word, text;
};

/// What PyTorch calls an operation inside, and what people call it.
constexpr Meaning kOperations[] = {
    {"direct_copy", "copy or conversion to another type (contiguous(), to(), clone())"},
    {"bfloat16_copy", "conversion to bfloat16"},
    {"bfloat16tofloat32_copy", "conversion from bfloat16 to float32"},
    {"float16_copy", "conversion to float16"},
    {"Fill", "fill with one value (zeros, ones, fill_)"},
    {"add", "addition"},
    {"OnSelf_add", "addition of a scalar"},
    {"Mul", "multiplication"},
    {"Div", "division"},
    {"DivTrueFunctor", "division"},
    {"CompareEq", "comparison for equality"},
    {"Compare", "comparison"},
    {"compare_scalar", "comparison with a scalar"},
    {"BitwiseAnd", "bitwise and"},
    {"BitwiseOr", "bitwise or"},
    {"BitwiseXor", "bitwise exclusive or"},
    {"Abs", "absolute value"},
    {"where", "choice between two values (where)"},
    {"masked_fill", "fill where a mask is set"},
    {"pow_tensor_scalar", "power with a scalar exponent"},
    {"pow_tensor_tensor", "power"},
    {"threshold", "ReLU or another threshold"},
    {"Gelu", "GELU"},
    {"GeluBackward", "GELU, backward"},
    {"clamp_scalar", "clamp"},
    {"launch_clamp_scalar", "clamp"},
    {"neg", "negation"},
    {"rsqrt", "reciprocal square root"},
    {"addcmul", "a + s * b * c"},
    {"addcdiv", "a + s * b / c"},
    {"lerp", "interpolation"},
    {"silu", "SiLU (swish)"},
    {"sigmoid", "sigmoid"},
    {"sigmoid_backward", "sigmoid, backward"},
    {"tanh_backward", "tanh, backward"},
    {"bernoulli", "random bits (dropout and the like)"},
    {"arange_cuda_out", "sequence of numbers (arange)"},
    {"index", "read by indices"},
    {"index_put", "write by indices"},
    {"minimum", "minimum of two"},
    {"maximum", "maximum of two"},
    {"logical_not", "logical not"},
    {"logical_and", "logical and"},
    {"exp", "exponential"},
    {"log", "logarithm"},
    {"isnan", "test for NaN"},
    {"Mean", "mean"},
    {"Max", "maximum"},
    {"Min", "minimum"},
    {"ArgMax", "position of the maximum"},
    {"ArgMin", "position of the minimum"},
    {"NormTwo", "length (2-norm)"},
    {"NormOne", "sum of absolute values"},
    {"Welford", "mean and variance"},
    {"sum", "sum"},
    {"and", "are all true (all)"},
    {"or", "is one true (any)"},
    {"prod", "product"},
    {"nansum", "sum without NaN"},
    {"UnaryOp", "one function of each element of many tensors"},
    {"BinaryOpScalar", "many tensors with a scalar"},
    {"BinaryOpListAlpha", "sum of many pairs of tensors"},
    {"PointwiseOpScalar", "a + s * b op c over many tensors"},
    {"FusedAdam", "Adam over many tensors"},
    {"FusedAdamMath", "Adam over many tensors"},
    {"FusedSgdMath", "SGD over many tensors"},
    {"LpNorm", "norms of many tensors"},
    {"Copy", "copy of many tensors"},
    {"Scale", "many tensors times a scalar"},
};

/// Words around the operation that say nothing about it.
constexpr std::string_view kWrappers[] = {"gpu_kernel_impl",  "gpu_kernel_impl_nocast",
                                          "BinaryFunctor",    "AUnaryFunctor",
                                          "BUnaryFunctor",    "func_wrapper_t",
                                          "ReduceOp",         "opmath_gpu_kernel_with_scalars",
                                          "gpu_index_kernel", "gpu_kernel",
                                          "binary_internal",  "memory"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The operation in one identifier: rsqrt_kernel_cuda -> rsqrt, MulFunctor -> Mul; "" if it is none.
std::string_view stripped(std::string_view word) {
  if (std::find(std::begin(kWrappers), std::end(kWrappers), word) != std::end(kWrappers)) return {};
  for (const std::string_view prefix : {"CUDAFunctor_", "CUDAFunctorOnSelf_"})
    if (word.starts_with(prefix)) return word.substr(prefix == "CUDAFunctor_" ? prefix.size() : 11);
  if (word.ends_with("_cuda_out") && word.size() > 9) return word;
  for (const std::string_view suffix : {"_kernel_cuda", "_cuda_kernel", "CUDAKernelImpl", "_kernel_impl",
                                        "_kernel", "Functor_", "_functor", "Functor", "Ops", "_gpu"})
    if (word.ends_with(suffix) && word.size() > suffix.size())
      return word.substr(0, word.size() - suffix.size());
  return {};
}

/// The first operation among the template's arguments, and where it ends in them.
std::string_view operation_in(std::string_view arguments, size_t* end) {
  for (size_t at = 0; at < arguments.size();) {
    if (!is_word(arguments[at])) {
      ++at;
      continue;
    }
    size_t stop = at;
    while (stop < arguments.size() && is_word(arguments[stop])) ++stop;
    const std::string_view found = stripped(arguments.substr(at, stop - at));
    if (!found.empty()) {
      *end = stop;
      return found;
    }
    at = stop;
  }
  return {};
}

/// The types in "<float, ..." or in the lambda's parameters behind the operation.
std::string_view type_behind(std::string_view rest) {
  const auto first_of = [](std::string_view list) {
    return precision_of(trimmed(list.substr(0, list.find_first_of(",)>*&"))));
  };
  if (rest.starts_with('<') && !first_of(rest.substr(1)).empty()) return first_of(rest.substr(1));
  for (const std::string_view lambda : {"{lambda(", "[lambda("}) {
    for (size_t at = rest.find(lambda); at != std::string_view::npos; at = rest.find(lambda, at + 1)) {
      const std::string_view type = first_of(rest.substr(at + lambda.size()));
      if (!type.empty() && !rest.substr(at + lambda.size()).starts_with("int)")) return type;
    }
  }
  return {};
}

std::string plain_operation(std::string_view word) {
  const auto known = std::find_if(std::begin(kOperations), std::end(kOperations),
                                  [&](const Meaning& m) { return m.word == word; });
  return known != std::end(kOperations) ? std::string(known->text) : fmt::format("the function {}", word);
}

void functor(const Name& name, Explanation* to, std::string_view kind) {
  size_t end = 0;
  const std::string_view word = operation_in(name.all_arguments, &end);
  if (word.empty()) return;
  set_operation(to, fmt::format("{}: {}", kind, plain_operation(word)), true);
  std::string_view type = type_behind(std::string_view(name.all_arguments).substr(end));
  if (type.empty()) type = type_behind(std::string_view(name.all_arguments));
  if (!type.empty()) to->certain("precision", std::string(type));
  if (name.all_arguments.find("fbgemm_gpu::") != std::string::npos) to->certain("called by", "FBGEMM");
}

void elementwise(const Name& name, Explanation* to) {
  functor(name, to, "for each element");
  if (name.base == "vectorized_elementwise_kernel" && !name.arguments.empty() &&
      number(name.arguments[0]) > 0)
    to->certain("access", fmt::format("contiguous, {} elements at once", number(name.arguments[0])));
  else if (name.base == "elementwise_kernel")
    to->certain("access", "with strides: data are not contiguous, or types differ");
  else if (name.base.starts_with("unrolled"))
    to->certain("access", "contiguous, one element at a time: types differ or addresses are not aligned");
  to->note(
      "Such kernels are limited by memory: fusing several of them (torch.compile) saves reading and writing "
      "in between.");
}

void reduction(const Name& name, Explanation* to) {
  functor(name, to, "reduction");
  const size_t at = name.all_arguments.find("ReduceOp<");
  if (at != std::string::npos && !to->find("precision")) {
    const std::string_view rest = std::string_view(name.all_arguments).substr(at + 9);
    const std::string_view type = precision_of(rest.substr(0, rest.find(',')));
    if (!type.empty()) to->certain("precision", std::string(type));
  }
}

void many_tensors(const Name& name, Explanation* to) {
  functor(name, to, "many tensors at once (foreach)");
  to->note("An optimiser with foreach or fused steps uses it.");
}

void softmax_warp(const Name& name, Explanation* to) {
  if (name.arguments.size() > 3 && number(name.arguments[3]) >= 0)
    to->certain("row length", fmt::format("up to {}", 1l << std::min(number(name.arguments[3]), 30l)));
  if (!name.arguments.empty() && !precision_of(name.arguments[0]).empty())
    to->certain("precision", std::string(precision_of(name.arguments[0])));
  if (name.arguments.size() > 4 && (name.arguments[4] == "true" || name.arguments[4] == "(bool)1"))
    set_operation(to, to->find("operation")->text + " (log-softmax)", true);
}

constexpr Rule kRules[] = {
    {"vectorized_elementwise_kernel", "for each element", elementwise},
    {"unrolled_elementwise_kernel*", "for each element", elementwise},
    {"elementwise_kernel", "for each element", elementwise},
    {"elementwise_kernel_manual_unroll", "for each element", elementwise},
    {"elementwise_kernel_with_index", "for each position", elementwise},
    {"index_elementwise_kernel", "by indices", elementwise},
    {"vectorized_gather_kernel", "reads rows by indices (embedding, index_select)", nullptr},
    {"_scatter_gather_elementwise_kernel", "scatter or gather", elementwise},
    {"at::native::*scatter_gather*", "scatter or gather", elementwise},
    {"reduce_kernel", "reduction", reduction},
    {"multi_tensor_apply_kernel*", "many tensors at once (foreach)", many_tensors},
    {"softmax_warp_forward", "softmax of short rows, forward", softmax_warp},
    {"softmax_warp_backward", "softmax of short rows, backward", softmax_warp},
    {"cunn_SoftMaxForward*", "softmax, forward", first_type},
    {"cunn_SoftMaxBackward*", "softmax, backward", first_type},
    {"cunn_ClassNLLCriterion_updateOutput*", "negative log likelihood (cross entropy), forward", first_type},
    {"cunn_ClassNLLCriterion_updateGradInput*", "negative log likelihood (cross entropy), backward",
     first_type},
    {"nll_loss_forward*", "negative log likelihood (cross entropy), forward", first_type},
    {"nll_loss_backward*", "negative log likelihood (cross entropy), backward", first_type},
    {"CatArrayBatchedCopy*", "joins tensors (cat)", nullptr},
    {"indexSelect*Index", "picks rows by index (index_select)", first_type},
    {"indexFunc*Index", "adds to or copies into rows by index (index_add, index_copy)", first_type},
    {"embedding_backward_*", "gradient of an embedding", first_type},
    {"at::native::*embedding*", "embedding", first_type},
    {"vectorized_layer_norm_kernel*", "layer normalisation, forward", first_type},
    {"LayerNormForwardCUDAKernel", "layer normalisation, forward", first_type},
    {"RowwiseMomentsCUDAKernel", "mean and variance of rows (layer or group normalisation)", first_type},
    {"layer_norm_grad_input_kernel*", "layer normalisation, gradient of the input", first_type},
    {"GammaBetaBackwardCUDAKernel*", "layer normalisation, gradient of weight and bias", first_type},
    {"cuComputeGradInput", "layer normalisation, gradient of the input", first_type},
    {"cuComputePartGradGammaBeta", "layer normalisation, gradient of weight and bias", first_type},
    {"batch_norm_*", "batch normalisation", first_type},
    {"max_pool_forward_*", "max pooling, forward", first_type},
    {"max_pool_backward_*", "max pooling, backward", first_type},
    {"avg_pool2d_*", "average pooling", first_type},
    {"adaptive_average_pool*", "adaptive average pooling", first_type},
    {"upsample_*", "resizes images", first_type},
    {"fused_dropout_kernel*", "dropout", first_type},
    {"distribution_elementwise_grid_stride_kernel", "random numbers", elementwise},
    {"tensor_kernel_scan_*", "prefix sum (cumsum and the like)", first_type},
    {"sbtopk::*", "largest elements (topk)", first_type},
    {"radixSortKVInPlace*", "sorts short rows", first_type},
    {"bitonicSortKVInPlace", "sorts short rows", first_type},
    {"triu_tril_kernel", "upper or lower triangle of a matrix", first_type},
    {"write_indices", "lists positions (nonzero)", nullptr, false},
    {"compute_cuda_kernel", "repeats elements (repeat_interleave)", first_type, false},
    {"at::cuda::*spin_kernel", "waits on purpose (torch.cuda._sleep)", nullptr},
    {"spin_kernel", "waits on purpose (torch.cuda._sleep)", nullptr, false},
    {"at::native::sbtopk::*", "largest elements (topk)", first_type},
    {"at::native::mbtopk::*", "largest elements (topk)", first_type},
    {"at::native::elementwise_*", "for each element", first_type},
    {"at::native::amp_*", "mixed precision: scales gradients and looks for infinities", first_type},
    {"at::native::*", "an operator", first_type},
    {"at::cuda::*", "part of an operator", nullptr},
    {"c10*::*", "part of an operator", nullptr},
    {"c10d::*", "distributed training", nullptr},
};

}  // namespace

const Family kPytorch{"PyTorch", kRules};

}  // namespace sextant::explain
