// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of explain/: words that several libraries build their kernels' names of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "explain/explain.h"
#include "explain/name.h"

namespace sextant::explain {

/// A generation of GPUs: "volta", "sm80", "80", "sm100f".
struct Generation {
  std::string_view name;  // "Volta"
  int capability;         // 70
};
std::optional<Generation> generation_of(std::string_view word);
std::string capability_text(int capability);  // "8.0"

/// A type as names have it: f16, bf16, tf32, e4m3, c10::Half, float ... in plain words; "" if it is none.
std::string_view precision_of(std::string_view word);

/// The precision that the first template argument with one names, if any has. One of a rule's Details.
void first_type(const Name& name, Explanation* to);

/// 128, 64 [, 32] of "128x64x32"; false if the word is nothing of that kind.
bool sizes_of(std::string_view word, std::string* shown);

/// Facts of the words of a matrix multiplication or convolution: generation, precision, tile, layout, steps
/// ... Words that mean nothing to it are listed as not understood. The generation's note comes with it.
void explain_gemm_words(std::string_view name, Explanation* to);

void note_generation(const Generation& generation, Explanation* to);

}  // namespace sextant::explain
