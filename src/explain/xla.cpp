// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// XLA, as used by JAX and TensorFlow: kernels are named after the instruction of the optimised program.
#include <fmt/format.h>

#include "explain/rule.h"

namespace sextant::explain {

namespace {

constexpr std::string_view kWhereToLook =
    "XLA names kernels after the instruction of its optimised program: XLA_FLAGS=--xla_dump_to=FOLDER writes "
    "that "
    "program, in which the name can be looked up.";

void fusion(const Name& name, Explanation* to) {
  std::string parts;
  for (const std::string_view word : words_of(name.base)) {
    if (word == "fusion" || word == "loop" || word == "input" || word == "wrapped" || word == "kernel" ||
        number(word) >= 0)
      continue;
    parts += (parts.empty() ? "" : ", ") + std::string(word);
  }
  if (!parts.empty()) to->certain("fuses", parts);
  to->note(std::string(kWhereToLook));
}

constexpr Rule kRules[] = {
    {"fusion", "operations fused into one kernel", fusion, false},
    {"fusion_*", "operations fused into one kernel", fusion},
    {"loop_*fusion*", "element-wise operations fused into one kernel", fusion},
    {"input_reduce_fusion*", "reduction with what is fused to its input", fusion},
    {"input_scatter_fusion*", "scatter with what is fused to its input", fusion},
    {"input_transpose_fusion*", "transpose with what is fused to its input", fusion},
    {"input_*fusion*", "reduction, scatter or transpose with what is fused to its input", fusion},
    {"gemm_fusion_*", "matrix multiplication with what is fused to it", fusion},
    {"wrapped_*", "one operation in a kernel of its own", fusion},
    {"*_reduce_fusion*", "reduction with what is fused to it", fusion},
    {"*_fusion", "operations fused into one kernel", fusion},
    {"*_fusion_*", "operations fused into one kernel", fusion},
    {"RedzoneAllocatorKernel", "checks memory while XLA tries out algorithms", nullptr},
    {"redzone_checker", "checks memory while XLA tries out algorithms", nullptr},
    {"xla::*", "part of an XLA program", nullptr},
    {"stream_executor::*", "part of an XLA program", nullptr},
    {"tensorflow::*", "an operator", nullptr, true, "TensorFlow"},
    {"Eigen::internal::EigenMetaKernel*", "element-wise expression of Eigen", nullptr, true,
     "TensorFlow (Eigen)"},
    {"EigenMetaKernel", "element-wise expression of Eigen", nullptr, true, "TensorFlow (Eigen)"},
    {"Eigen::*", "an expression of Eigen", nullptr, true, "Eigen"},
};

}  // namespace

const Family kXla{"XLA", kRules};

}  // namespace sextant::explain
