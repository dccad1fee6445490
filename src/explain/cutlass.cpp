// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// CUTLASS: by the name of its configuration where there is one, as in
// cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4>, else by the template's sizes.
#include <fmt/format.h>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

/// The first three numbers behind "GemmShape<", as nvcc or binutils write them.
void shape(const Name& name, std::string_view word, Explanation* to) {
  const size_t at = name.all_arguments.find(word);
  if (at == std::string::npos) return;
  const std::string_view rest = std::string_view(name.all_arguments).substr(at + word.size());
  const auto parts = split_outside_brackets(rest.substr(0, rest.find('>')), ',');
  if (parts.size() != 3 || number(parts[0]) < 0 || number(parts[1]) < 0 || number(parts[2]) < 0) return;
  to->certain("tile", fmt::format("{} x {} x {} (result rows x columns x depth of a step) for a thread block",
                                  number(parts[0]), number(parts[1]), number(parts[2])));
}

void mangled_shape(const Name& name, Explanation* to) {
  const std::string_view text = name.text.empty() ? std::string_view() : std::string_view(name.text);
  if (text.find("Wgrad") != std::string_view::npos)
    set_operation(to, "convolution, gradient of the weights (wgrad)", true);
  if (text.find("Dgrad") != std::string_view::npos)
    set_operation(to, "convolution, gradient of the input (dgrad)", true);
  if (text.find("Fprop") != std::string_view::npos) set_operation(to, "convolution, forward", true);
}

void who_calls(const Name& name, Explanation* to) {
  if (name.qualified.starts_with("cutlass_cudnn")) {
    for (Fact& fact : to->facts)
      if (fact.what == "library") fact.text = "cuDNN (a CUTLASS kernel inside of it)";
  }
}

void kernel(const Name& name, Explanation* to) {
  who_calls(name, to);
  const std::string configuration = name.arguments.empty() ? "" : name.arguments[0];
  if (configuration.starts_with("cutlass")) {
    // cutlass_tensorop_... or cutlass_80_tensorop_...
    explain_gemm_words(configuration.substr(0, configuration.find_first_of(":<")), to);
    if (!name.qualified.starts_with("cutlass_cudnn"))
      to->note("cuBLAS and PyTorch bring CUTLASS kernels along: who called it is not in the name.");
    return;
  }
  shape(name, "GemmShape<", to);
  if (name.all_arguments.find("ReduceSplitK") != std::string::npos)
    set_operation(to, "adds up the parts of a split matrix multiplication or convolution", true);
  else if (name.all_arguments.find("ImplicitGemm") != std::string::npos ||
           name.text.find("Conv2d") != std::string::npos)
    set_operation(to, "convolution as an implicit GEMM", true);
  mangled_shape(name, to);
  for (const std::string_view generation : {"Sm120", "Sm100", "Sm90", "Sm89", "Sm80", "Sm75", "Sm70"}) {
    if (name.all_arguments.find(std::string("arch::") + std::string(generation)) == std::string::npos)
      continue;
    note_generation(*generation_of("sm" + std::string(generation.substr(2))), to);
    break;
  }
}

void plain(const Name& name, Explanation* to) {
  explain_gemm_words(name.base, to);
}

constexpr Rule kRules[] = {
    {"cutlass::Kernel*", "matrix multiplication (GEMM)", kernel},
    {"cutlass::device_kernel", "matrix multiplication (GEMM)", kernel},
    {"cutlass_cudnn*::Kernel*", "matrix multiplication (GEMM)", kernel},
    {"cutlass_*gemm*", "matrix multiplication (GEMM)", plain},
    {"cutlass_*", "matrix multiplication (GEMM) or convolution", plain},
    {"cutlass::reduction::*", "adds up parts", kernel},
    {"cutlass::*", "linear algebra", plain},
    {"cute::*", "linear algebra", nullptr},
    {"Kernel2", "matrix multiplication (GEMM)", nullptr, false},
};

}  // namespace

const Family kCutlass{"CUTLASS", kRules};

}  // namespace sextant::explain
