// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How busy the GPUs were, in words.
#pragma once

#include <string>

#include "query/gpu_busy.h"

namespace sextant::stats {

/// "The GPU was busy 10.3 % of the 3.21 s from the first to the last CUDA event."
std::string sentence(const query::GpuBusy& busy, query::DeviceApi api = query::DeviceApi::kCuda);

}  // namespace sextant::stats
