// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS and cuBLASLt. Their GEMM kernels are named by words: generation, types, operation, tile, options,
// layout. Newer ones (nvjet) have a grammar of their own, of which NVIDIA publishes nothing: what is said of
// it beyond sizes is marked as guessed.
#include <fmt/format.h>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

void gemm(const Name& name, Explanation* to) {
  explain_gemm_words(name.base, to);
  if (name.base.find("cudnn") != std::string::npos) {
    for (Fact& fact : to->facts)
      if (fact.what == "library") fact.text = "cuDNN";
    to->family = "cuDNN";
  }
}

/// Types of the first template arguments, for kernels written in C++.
void argument_types(const Name& name, Explanation* to) {
  std::string last;
  for (const std::string& argument : name.arguments) {
    const std::string_view precision = precision_of(argument);
    if (precision.empty() || argument == "int" || argument == "long" || argument == "bool") continue;
    if (last.empty()) to->certain("precision", std::string(precision));
    last = precision;
  }
}

void split_k(const Name& name, Explanation* to) {
  argument_types(name, to);
  to->note(
      "It follows a multiplication whose sum was split over several blocks (split K), and belongs to the "
      "cost of that.");
}

void vector_types(const Name& name, Explanation* to) {
  argument_types(name, to);
  to->note("A matrix times a vector reads the matrix once and is limited by memory, not by arithmetic.");
}

std::string_view jet_letter(char letter) {
  switch (letter) {
    case 'h':
      return "float16";
    case 't':
      return "bfloat16";
    case 's':
      return "float32";
    case 'd':
      return "float64";
    case 'q':
      return "FP8 (E4M3)";
    case 'r':
      return "FP8 (E5M2)";
    case 'o':
      return "FP4";
    case 'i':
      return "int8";
    default:
      return "";
  }
}

/// nvjet_tst_144x128_64x6_2x1_v_bz_bias_TNN
void nvjet(const Name& name, Explanation* to) {
  const auto words = words_of(name.base);
  size_t sizes_seen = 0;
  std::string unknown, sizes;
  for (size_t w = 1; w < words.size(); ++w) {
    const std::string_view word = words[w];
    if (w == 1 && word.size() >= 3 && !jet_letter(word[0]).empty()) {
      to->guess("precision", fmt::format("{} in", jet_letter(word[0])));
      if (!jet_letter(word[word.size() == 3 ? 1 : 2]).empty())
        to->guess("accumulated in", std::string(jet_letter(word[word.size() == 3 ? 1 : 2])));
      to->certain("units", "tensor cores");
    } else if (sizes_of(word, &sizes)) {
      if (sizes_seen == 0) to->certain("tile", fmt::format("{} of the result for a thread block", sizes));
      if (sizes_seen == 1)
        to->guess("stages",
                  fmt::format("steps of depth {}, {} loaded ahead", sizes.substr(0, sizes.find(' ')),
                              sizes.substr(sizes.rfind(' ') + 1)));
      if (sizes_seen == 2) to->guess("cluster", fmt::format("{} thread blocks share data", sizes));
      ++sizes_seen;
    } else if (word == "2cta") {
      to->certain("blocks", "two thread blocks compute one tile together (2 CTA)");
    } else if (word == "v" || word == "h") {
      to->guess("order", word == "v" ? "tiles are walked down columns" : "tiles are walked along rows");
    } else if (word == "bias") {
      to->certain("afterwards", "a bias is added");
    } else if (word.starts_with("coop")) {
      to->guess("variant", "groups of warps share a tile (cooperative)");
    } else if (word.starts_with("splitK")) {
      to->certain("split", "the sum is split over several blocks and added up afterwards (split K)");
    } else if (word.size() == 3 && word.find_first_not_of("NT") == std::string_view::npos) {
      to->guess("layout", fmt::format("{}: A {}, B {}", word, word[0] == 'T' ? "transposed" : "as it is",
                                      word[1] == 'T' ? "transposed" : "as it is"));
    } else if (word != "bz") {
      unknown += (unknown.empty() ? "" : " ") + std::string(word);
    }
  }
  if (!unknown.empty()) to->guess("not understood", unknown);
  to->guess("generation", "newer than its predecessors: Hopper and Blackwell cards");
}

constexpr Rule kRules[] = {
    {"nvjet_*", "matrix multiplication (GEMM)", nvjet},
    {"cublasLt::splitKreduce_kernel", "adds up the parts of a split matrix multiplication", split_k, true,
     "cuBLASLt"},
    {"splitKreduce_kernel", "adds up the parts of a split matrix multiplication", split_k},
    {"cublasLt::*", "part of a matrix multiplication", argument_types, true, "cuBLASLt"},
    {"epilogue::impl::globalKernel", "applies bias, activation or scale behind a matrix multiplication",
     argument_types, true, "cuBLASLt"},
    {"gemv*", "matrix times vector (GEMV)", vector_types},
    {"internal::gemvx::kernel", "matrix times vector (GEMV)", vector_types},
    {"gemmk1_kernel", "matrix multiplication whose inner size is 1 (an outer product)", argument_types},
    {"gemmSN_*", "matrix multiplication with a small side", argument_types},
    {"gemm_kernel*x*_core", "matrix multiplication (GEMM)", argument_types, false},
    {"sgemm_largek*", "matrix multiplication with a long inner side, float32", nullptr},
    {"sgemm_*x*x*", "matrix multiplication (GEMM)", gemm},
    {"dgemm_*x*x*", "matrix multiplication (GEMM)", gemm},
    {"*_xmma_gemm_*", "matrix multiplication (GEMM)", gemm},
    {"*_xmma_*cublas*", "matrix multiplication (GEMM)", gemm},
    {"kepler_*gemm*", "matrix multiplication (GEMM)", gemm},
    {"maxwell_*gemm*", "matrix multiplication (GEMM)", gemm},
    {"pascal_*gemm*", "matrix multiplication (GEMM)", gemm},
    {"volta_*gemm*", "matrix multiplication (GEMM)", gemm},
    {"turing_*gemm*", "matrix multiplication (GEMM)", gemm},
    {"ampere_*gemm*", "matrix multiplication (GEMM)", gemm},
    {"ada_*gemm*", "matrix multiplication (GEMM)", gemm},
    {"hopper_*gemm*", "matrix multiplication (GEMM)", gemm},
    {"*_*trsm*", "solves a triangular system (TRSM)", argument_types, false},
    {"trsm_*", "solves a triangular system (TRSM)", argument_types, false},
    {"trsv_*", "solves a triangular system for one vector (TRSV)", argument_types, false},
    {"*syrk*_kernel*", "symmetric rank-k update (SYRK)", argument_types, false},
    {"ger_kernel*", "outer product added to a matrix (GER)", argument_types, false},
    {"dot_kernel", "dot product", argument_types, false},
    {"reduce_1Block_kernel", "second half of a dot product or norm", argument_types, false},
    {"nrm2_kernel", "length of a vector (NRM2)", argument_types, false},
    {"asum_kernel", "sum of absolute values (ASUM)", argument_types, false},
    {"iamax_kernel", "position of the largest element (IAMAX)", argument_types, false},
    {"axpy_kernel*", "adds a multiple of a vector to another (AXPY)", argument_types, false},
    {"scal_kernel*", "scales a vector or matrix (SCAL)", argument_types, false},
    {"copy_kernel", "copies a vector", argument_types, false},
    {"geam_*", "adds or transposes matrices (GEAM)", argument_types, false},
};

}  // namespace

const Family kCublas{"cuBLAS", kRules};

}  // namespace sextant::explain
