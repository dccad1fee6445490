// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of kernels, which come out of other people's reports.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "explain/explain.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view name(reinterpret_cast<const char*>(data), size);
  const sextant::explain::Explanation explanation = sextant::explain::explain(name, size % 130);
  if (explanation.name != name || explanation.summary.empty()) std::abort();
  return 0;
}
