// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The checks, one file each; registry.cpp lists them in the order in which they run.
#pragma once

#include "doctor/check.h"

namespace sextant::doctor {

extern const Check kWhereCheck;
extern const Check kClockCheck;
extern const Check kPreloadCheck;
extern const Check kOpenclCheck;
extern const Check kCudaCheck;
extern const Check kSamplingCheck;
extern const Check kCountersCheck;
extern const Check kAttachCheck;
extern const Check kSymbolsCheck;
extern const Check kNeighboursCheck;
extern const Check kToolsCheck;

}  // namespace sextant::doctor
