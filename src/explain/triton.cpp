// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Triton: TorchInductor tells in the name what it fused; kernels that people write have their function's
// name.
#include <fmt/format.h>

#include "explain/rule.h"

namespace sextant::explain {

namespace {

/// triton_poi_fused_add_mul_0: the operations between "fused" and the number
void inductor(const Name& name, Explanation* to) {
  const auto words = words_of(name.base);
  std::string fused, number_text;
  bool in_list = false;
  for (size_t w = 2; w < words.size(); ++w) {
    if (words[w] == "fused") {
      in_list = true;
    } else if (w + 1 == words.size() && number(words[w]) >= 0) {
      number_text = words[w];
    } else if (in_list) {
      fused += (fused.empty() ? "" : "_") + std::string(words[w]);
    }
  }
  if (!fused.empty())
    to->certain(
        "fuses",
        fmt::format("{} (names of PyTorch operators, joined by _; cut off where there are many)", fused));
  if (!number_text.empty()) to->certain("number", fmt::format("{} of the compiled graph", number_text));
  to->note("torch.compile made it. TORCH_LOGS=output_code shows its source under this name.");
}

/// Names with the specialisation of arguments: _kernel_0d1d2de3c
bool is_specialised(std::string_view word) {
  size_t digits = 0, letters = 0;
  for (const char c : word) {
    if (c >= '0' && c <= '9')
      ++digits;
    else if (c == 'd' || c == 'e' || c == 'c')
      ++letters;
    else
      return false;
  }
  return digits >= 2 && letters >= 1 && word[0] == '0';
}

void specialised(const Name& name, Explanation* to) {
  const auto words = words_of(name.base);
  if (!words.empty() && is_specialised(words.back()))
    to->guess("specialised for",
              fmt::format("arguments {}: d divisible by 16, c constant, e equal to 1", words.back()));
}

constexpr Rule kRules[] = {
    {"triton_poi_*", "element-wise operations fused into one kernel", inductor, true,
     "Triton by TorchInductor"},
    {"triton_per_*", "reduction whose rows fit into a block (persistent), with what is fused to it", inductor,
     true, "Triton by TorchInductor"},
    {"triton_red_*", "reduction in a loop, with what is fused to it", inductor, true,
     "Triton by TorchInductor"},
    {"triton_spl_*", "prefix sum, split over blocks", inductor, true, "Triton by TorchInductor"},
    {"triton_tem_*", "a template: matrix multiplication, convolution or attention", inductor, true,
     "Triton by TorchInductor"},
    {"triton_for_*", "many small element-wise operations in one kernel (foreach)", inductor, true,
     "Triton by TorchInductor"},
    {"triton_mm*", "matrix multiplication", inductor, true, "Triton by TorchInductor"},
    {"triton_flex_attention*", "attention (FlexAttention)", nullptr, true, "Triton by TorchInductor"},
    {"triton_gemm_*", "matrix multiplication with what is fused to it", nullptr, true, "Triton by XLA"},
    {"triton_softmax*", "softmax or another reduction with what is fused to it", nullptr, true,
     "Triton by XLA"},
    {"triton_*", "a kernel in Triton", specialised, true},
    {"*_triton", "a kernel in Triton", specialised, false},
    {"*_triton_kernel*", "a kernel in Triton", specialised, false},
    {"*_kernel_0d1d*", "a kernel in Triton", specialised, true},
};

}  // namespace

const Family kTriton{"Triton", kRules};

}  // namespace sextant::explain
