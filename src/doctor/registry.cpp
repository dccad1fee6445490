// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "doctor/checks/all.h"

namespace sextant::doctor {

std::span<const Check> checks() {
  static const std::array kChecks = {kWhereCheck,  kClockCheck,    kPreloadCheck,    kOpenclCheck,
                                     kCudaCheck,   kSamplingCheck, kNeighboursCheck, kCountersCheck,
                                     kAttachCheck, kSymbolsCheck,  kToolsCheck};
  return kChecks;
}

}  // namespace sextant::doctor
