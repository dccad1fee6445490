// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that compilers make out of loops (OpenMP, OpenACC, SYCL), and portability layers.
#include <fmt/format.h>

#include <cctype>

#include "explain/rule.h"

namespace sextant::explain {

namespace {

/// nvkernel_FUNCTION_F1L177_15: function, line of the source
void nvc_openmp(const Name& name, Explanation* to) {
  std::string_view rest = name.base;
  rest.remove_prefix(std::min(rest.size(), rest.find("nvkernel_") + 9));
  const size_t mark = rest.rfind("_F1L");
  if (mark == std::string_view::npos) return;
  const std::string_view line = rest.substr(mark + 4);
  const Name function = parse_name(rest.substr(0, mark));
  to->certain("function", function.text);
  to->certain("line", std::string(line.substr(0, line.find('_'))));
}

/// FUNCTION_123_gpu: line of the source
void nvc_openacc(const Name& name, Explanation* to) {
  const auto words = words_of(name.base);
  for (size_t w = words.size(); w-- > 0;) {
    if (number(words[w]) < 0) continue;
    to->guess("line", std::string(words[w]));
    const size_t at = static_cast<size_t>(words[w].data() - name.base.data());
    if (at > 1) to->guess("function", name.base.substr(0, at - 1));
    return;
  }
}

/// __omp_offloading_DEVICE_FILE_FUNCTION_lLINE
void clang_openmp(const Name& name, Explanation* to) {
  const size_t mark = name.base.rfind("_l");
  if (mark == std::string::npos) return;
  to->certain("line", name.base.substr(mark + 2));
  const auto words = words_of(std::string_view(name.base).substr(0, mark));
  if (words.size() < 5) return;
  const size_t at = static_cast<size_t>(words[4].data() - name.base.data());
  to->certain("function", parse_name(name.base.substr(at, mark - at)).text);
}

/// The functor or lambda that a portability layer runs.
void functor(const Name& name, Explanation* to) {
  if (name.all_arguments.empty()) return;
  std::string shown = name.all_arguments.substr(0, 200);
  if (shown.size() < name.all_arguments.size()) shown += " ...";
  to->certain("runs", shown);
}

constexpr Rule kRules[] = {
    {"nvkernel_*_F1L*", "a loop that OpenMP moved to the GPU", nvc_openmp, true,
     "NVIDIA HPC compiler (OpenMP)"},
    {"*___pgi_uacc_cuda_fill*", "fills memory", nullptr, true, "NVIDIA HPC compiler (OpenACC)"},
    {"*_pgi_uacc_*", "memory work of the OpenACC run time", nullptr, true, "NVIDIA HPC compiler (OpenACC)"},
    {"*_gpu__red", "second step of a reduction in an OpenACC loop", nvc_openacc, true,
     "NVIDIA HPC compiler (OpenACC)"},
    {"*_gpu", "a loop that OpenACC moved to the GPU", nvc_openacc, false, "NVIDIA HPC compiler (OpenACC)"},
    {"__omp_offloading_*", "a loop that OpenMP moved to the GPU", clang_openmp, true,
     "Clang or GCC (OpenMP)"},
    {"*$_omp_fn$*", "a loop that OpenMP moved to the GPU", nullptr, true, "GCC (OpenMP)"},
    {"*._omp_fn.*", "a loop that OpenMP moved to the GPU", nullptr, true, "GCC (OpenMP)"},
    {"Kokkos::Impl::cuda_parallel_launch*", "parallel_for, parallel_reduce or parallel_scan", functor, true,
     "Kokkos"},
    {"Kokkos::*", "part of Kokkos", functor, true, "Kokkos"},
    {"RAJA::*", "forall, kernel or reduction", functor, true, "RAJA"},
    {"amrex::launch_global", "ParallelFor", functor, true, "AMReX"},
    {"amrex::*", "part of AMReX", functor, true, "AMReX"},
    {"alpaka::*", "a kernel of Alpaka", functor, true, "Alpaka"},
    {"_ZTS*", "a kernel of a SYCL program", nullptr, true, "SYCL"},
    {"sycl::*", "a kernel of a SYCL program", functor, true, "SYCL"},
    {"viennacl::*", "linear algebra", nullptr, true, "ViennaCL"},
    {"gromacs*", "molecular dynamics", nullptr, false, "GROMACS"},
    {"nbnxn_kernel_*", "forces between atoms that are not bound", nullptr, true, "GROMACS"},
    {"pme_*_kernel*", "long-range forces (PME)", nullptr, false, "GROMACS"},
    {"quda::*", "lattice QCD", nullptr, true, "QUDA"},
    {"hypre_*", "linear solver", nullptr, false, "hypre"},
    {"amgx::*", "linear solver", nullptr, true, "AmgX"},
    {"ginkgo::*", "linear algebra", nullptr, true, "Ginkgo"},
    {"gko::*", "linear algebra", nullptr, true, "Ginkgo"},
};

}  // namespace

const Family kCompilers{"compilers and portability layers", kRules};

}  // namespace sextant::explain
