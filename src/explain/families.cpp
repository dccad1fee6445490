// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/rule.h"

namespace sextant::explain {

namespace {

// what is named most precisely comes first: attention kernels are often CUTLASS's, too
constexpr const Family* kFamilies[] = {&kNccl, &kAttention, &kTensorrt,      &kInference, &kPytorch,
                                       &kCub,  &kCudnn,     &kCublas,        &kCutlass,   &kTriton,
                                       &kXla,  &kArrays,    &kMathLibraries, &kRocm,      &kCompilers};

}  // namespace

std::span<const Family* const> families() {
  return kFamilies;
}

}  // namespace sextant::explain
