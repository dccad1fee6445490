// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of AMD's libraries, met in traces of PyTorch on AMD cards.
#include <fmt/format.h>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

/// Cijk_Alik_Bljk_BBS_..._MT256x32x64_MI16x16x1_..._ISA942_...
void tensile(const Name& name, Explanation* to) {
  std::string sizes;
  for (const std::string_view word : words_of(name.base)) {
    if (word.starts_with("MT") && sizes_of(word.substr(2), &sizes))
      to->certain("tile",
                  fmt::format("{} (result rows x columns x depth of a step) for a work group", sizes));
    if (word.starts_with("MI") && sizes_of(word.substr(2), &sizes))
      to->certain("units", fmt::format("matrix cores, instruction {}", sizes));
    if (word.starts_with("ISA")) to->certain("architecture", fmt::format("gfx{}", word.substr(3)));
    if (word == "Bias") to->certain("afterwards", "a bias is added");
    if (word == "BBS" || word == "BSS" || word == "BS") to->guess("precision", "bfloat16 in");
    if (word == "HHS" || word == "HSS" || word == "HS") to->guess("precision", "float16 in");
    if (word == "Alik") to->certain("operand A", "transposed");
    if (word == "Ailk") to->certain("operand A", "as it is");
  }
}

constexpr Rule kRules[] = {
    {"Cijk_*", "matrix multiplication (GEMM)", tensile, true, "hipBLASLt or rocBLAS (Tensile)"},
    {"rocprim::*", "parallel algorithm (sort, scan, reduction ...)", nullptr, true, "rocPRIM"},
    {"ck_tile::*", "matrix multiplication, convolution or attention", nullptr, true, "Composable Kernel"},
    {"ck::*", "matrix multiplication, convolution or attention", nullptr, true, "Composable Kernel"},
    {"aiter::*rmsnorm*", "RMS normalisation", nullptr, true, "AITER"},
    {"aiter::*", "part of serving a language model", nullptr, true, "AITER"},
    {"miopen*", "part of a neural network", nullptr, false, "MIOpen"},
    {"MIOpen*", "part of a neural network", nullptr, false, "MIOpen"},
    {"__amd_rocclr_copyBuffer*", "copy", nullptr, true, "HIP run time"},
    {"__amd_rocclr_fillBuffer*", "fill", nullptr, true, "HIP run time"},
    {"__amd_rocclr_*", "memory work of the run time", nullptr, true, "HIP run time"},
};

}  // namespace

const Family kRocm{"AMD libraries", kRules};

}  // namespace sextant::explain
