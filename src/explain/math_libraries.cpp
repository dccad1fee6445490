// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// cuFFT, cuSPARSE, cuRAND, cuSOLVER, MAGMA. Their names follow no published scheme.
#include "explain/rule.h"

namespace sextant::explain {

namespace {

constexpr Rule kRules[] = {
    {"regular_fft*", "fast Fourier transform", nullptr, true, "cuFFT"},
    {"vector_fft*", "fast Fourier transform", nullptr, true, "cuFFT"},
    {"composite_2way_fft*", "fast Fourier transform", nullptr, true, "cuFFT"},
    {"multi_bluestein_fft*", "fast Fourier transform of a length with large prime factors (Bluestein)",
     nullptr, true, "cuFFT"},
    {"bluestein_fft*", "fast Fourier transform of a length with large prime factors (Bluestein)", nullptr,
     true, "cuFFT"},
    {"*Radix*::kernel*Mem*", "fast Fourier transform", nullptr, true, "cuFFT"},
    {"*Vector*::kernel*Tex*", "fast Fourier transform", nullptr, true, "cuFFT"},
    {"postprocessC2C_kernel*", "fast Fourier transform: last step", nullptr, true, "cuFFT"},
    {"postprocess_kernel*", "fast Fourier transform of real data: last step", nullptr, false, "cuFFT"},
    {"preprocess_kernel*", "fast Fourier transform of real data: first step", nullptr, false, "cuFFT"},
    {"real_complex_*", "fast Fourier transform of real data", nullptr, false, "cuFFT"},
    {"cusparse::csrmv*", "sparse matrix times vector", nullptr, true, "cuSPARSE"},
    {"cusparse::*spmv*", "sparse matrix times vector", nullptr, true, "cuSPARSE"},
    {"cusparse::csrmm*", "sparse matrix times matrix", nullptr, true, "cuSPARSE"},
    {"cusparse::*spmm*", "sparse matrix times matrix", nullptr, true, "cuSPARSE"},
    {"cusparse::*", "linear algebra on sparse matrices", nullptr, true, "cuSPARSE"},
    {"csrmv_*", "sparse matrix times vector", nullptr, false, "cuSPARSE"},
    {"generate_seed_pseudo*", "random numbers: prepares the generator", nullptr, true, "cuRAND"},
    {"gen_sequenced*", "random numbers", nullptr, true, "cuRAND"},
    {"generate_quasi_random*", "quasi-random numbers", nullptr, true, "cuRAND"},
    {"curand_*", "random numbers", nullptr, false, "cuRAND"},
    {"cusolver*::*", "linear systems and eigenvalues", nullptr, true, "cuSOLVER"},
    {"getrf_*", "LU decomposition", nullptr, false, "cuSOLVER"},
    {"getrs_*", "solves with an LU decomposition", nullptr, false, "cuSOLVER"},
    {"potrf_*", "Cholesky decomposition", nullptr, false, "cuSOLVER"},
    {"geqr*_*", "QR decomposition", nullptr, false, "cuSOLVER"},
    {"gesvd*", "singular values", nullptr, false, "cuSOLVER"},
    {"syevj*", "eigenvalues", nullptr, false, "cuSOLVER"},
    {"magma_*", "linear algebra", nullptr, false, "MAGMA"},
    {"cutensor*::*", "tensor contraction", nullptr, true, "cuTENSOR"},
    {"nvjpeg*::*", "decodes JPEG images", nullptr, true, "nvJPEG"},
    {"nvjpeg*", "decodes JPEG images", nullptr, true, "nvJPEG"},
    {"npp*::*", "image processing", nullptr, false, "NPP"},
};

}  // namespace

const Family kMathLibraries{"CUDA math libraries", kRules};

}  // namespace sextant::explain
