// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of explain/: what a family of kernels is known by. A family is one file with one table; its rules
// are tried in order, families in the order of families.cpp, and the first rule that matches explains the
// name. To add a library, write such a file, a line in families.cpp, and names with expected words in the
// test data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "explain/explain.h"
#include "explain/name.h"

namespace sextant::explain {

/// Adds what else the name says, or changes the operation.
using Details = void (*)(const Name& name, Explanation* to);

struct Rule {
  /// * stands for anything. With :: it is compared with the qualified name, else with the name alone.
  std::string_view pattern;
  std::string_view operation;  // in plain words
  Details details = nullptr;
  bool certain = true;            // false: other programs may well use this name, too
  std::string_view library = {};  // where it is not the family's
};

struct Family {
  std::string_view library;
  std::span<const Rule> rules;
};

// one file each
extern const Family kCublas, kCutlass, kCudnn, kPytorch, kCub, kNccl, kTriton, kAttention, kXla, kTensorrt,
    kArrays, kMathLibraries, kInference, kCompilers, kRocm;

/// In the order in which they are tried.
std::span<const Family* const> families();

/// Names that no family knows: what their shape and words say.
void explain_unknown(const Name& name, Explanation* to);

void set_operation(Explanation* to, std::string text, bool certain);

}  // namespace sextant::explain
