// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Array libraries and languages: CuPy, RAPIDS, Numba, Julia, Taichi, Warp.
#include <fmt/format.h>

#include <fmt/ranges.h>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

/// cupy_multiply__float64_float64_float64
void cupy(const Name& name, Explanation* to) {
  const std::string_view rest = std::string_view(name.base).substr(5);
  const size_t end = rest.find("__");
  std::string function(rest.substr(0, end));
  set_operation(to, fmt::format("for each element: {}", function), true);
  if (end == std::string_view::npos) return;
  std::vector<std::string_view> types;
  for (const std::string_view word : words_of(rest.substr(end)))
    if (!precision_of(word).empty()) types.push_back(precision_of(word));
  if (!types.empty())
    to->certain("types", fmt::format("{} (arguments, then the result)", fmt::join(types, ", ")));
  to->note("cupy.fuse or cupy.ElementwiseKernel makes one kernel of several of these.");
}

void julia(const Name& name, Explanation* to) {
  if (name.base.find("broadcast") != std::string::npos)
    set_operation(to, "broadcast: a function of each element", true);
  if (name.base.find("mapreduce") != std::string::npos) set_operation(to, "reduction (mapreduce)", true);
}

constexpr Rule kRules[] = {
    {"cupy_fill", "fill with one value", nullptr, true, "CuPy"},
    {"cupy_copy__*", "copy or conversion to another type", cupy, true, "CuPy"},
    {"cupy_*", "an array function", cupy, true, "CuPy"},
    {"cudf::*", "a column of a data frame", nullptr, true, "RAPIDS cuDF"},
    {"raft::*", "vector search or linear algebra", nullptr, true, "RAPIDS RAFT"},
    {"cuvs::*", "vector search", nullptr, true, "RAPIDS cuVS"},
    {"cugraph::*", "a graph algorithm", nullptr, true, "RAPIDS cuGraph"},
    {"ML::*", "machine learning", nullptr, false, "RAPIDS cuML"},
    {"cudapy::*", "a function compiled by Numba", nullptr, true, "Numba"},
    {"numba::*", "a function compiled by Numba", nullptr, true, "Numba"},
    {"julia_*", "a function of a Julia program", julia, false, "CUDA.jl"},
    {"gpu_broadcast_kernel*", "broadcast: a function of each element", julia, false, "GPUArrays.jl"},
    {"broadcast_kernel*", "broadcast: a function of each element", julia, false, "GPUArrays.jl"},
    {"partial_mapreduce_grid*", "reduction (mapreduce)", julia, true, "CUDA.jl"},
    {"gpu_*__kernel*", "a kernel of KernelAbstractions.jl", nullptr, false, "KernelAbstractions.jl"},
    {"*_cuda_kernel_forward", "a kernel of a Warp program", nullptr, true, "NVIDIA Warp"},
    {"*_cuda_kernel_backward", "a kernel of a Warp program, backward", nullptr, true, "NVIDIA Warp"},
    {"*_kernel_0_range_for", "a loop of a Taichi program", nullptr, false, "Taichi"},
    {"mxnet::*", "an operator", nullptr, true, "MXNet"},
    {"paddle::*", "an operator", nullptr, true, "PaddlePaddle"},
    {"phi::*", "an operator", nullptr, true, "PaddlePaddle"},
    {"onnxruntime::*", "an operator", nullptr, true, "ONNX Runtime"},
};

}  // namespace

const Family kArrays{"array libraries", kRules};

}  // namespace sextant::explain
