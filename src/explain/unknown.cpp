// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names that no library's rules know: mostly the program's own kernels. C++ names tell how they are built;
// the words of a name may tell what it does, which is a guess.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

struct Hint {
  std::string_view word, text;
};
constexpr Hint kHints[] = {
    {"gemm", "matrix multiplication"},
    {"matmul", "matrix multiplication"},
    {"matmult", "matrix multiplication"},
    {"gemv", "matrix times vector"},
    {"spmv", "sparse matrix times vector"},
    {"axpy", "adds a multiple of a vector to another"},
    {"attention", "attention"},
    {"attn", "attention"},
    {"softmax", "softmax"},
    {"layernorm", "layer normalisation"},
    {"rmsnorm", "RMS normalisation"},
    {"rms_norm", "RMS normalisation"},
    {"conv", "convolution"},
    {"reduce", "reduction"},
    {"reduction", "reduction"},
    {"sum", "sum"},
    {"scan", "prefix sum"},
    {"sort", "sort"},
    {"histogram", "histogram"},
    {"transpose", "transpose"},
    {"stencil", "stencil"},
    {"fft", "Fourier transform"},
    {"copy", "copy"},
    {"fill", "fill"},
    {"init", "initialisation"},
    {"scatter", "scatter"},
    {"gather", "gather"},
    {"embedding", "embedding"},
    {"quant", "quantisation"},
    {"add", "addition"},
    {"mul", "multiplication"},
    {"random", "random numbers"},
    {"rand", "random numbers"},
};

/// "reduceSum_v2" -> reduce sum v2
std::vector<std::string> small_words(std::string_view name) {
  std::vector<std::string> words(1);
  char before = 0;
  for (const char c : name) {
    const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (c == '_' || (upper && std::islower(static_cast<unsigned char>(before)) != 0))
      if (!words.back().empty()) words.emplace_back();
    if (c != '_') words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    before = c;
  }
  return words;
}

std::string_view hint(std::string_view name) {
  const auto words = small_words(name);
  for (const Hint& known : kHints)
    for (const std::string& word : words)
      if (word == known.word || (known.word.size() >= 4 && word.find(known.word) != std::string::npos))
        return known.text;
  return {};
}

/// The function around a lambda among the template's arguments: PdV_kernel(...)::{lambda(int)#1}
std::string around_lambda(std::string_view arguments) {
  size_t lambda = arguments.find("::[lambda");
  if (lambda == std::string_view::npos) lambda = arguments.find("::{lambda");
  if (lambda == std::string_view::npos) return {};
  const auto parts = split_outside_brackets(arguments.substr(0, lambda), ',');
  if (parts.empty()) return {};
  const Name function = parse_name(parts.back());
  return function.qualified;
}

std::string cut(std::string text) {
  constexpr size_t kShown = 160;
  if (text.size() > kShown) text = text.substr(0, kShown) + " ...";
  return text;
}

}  // namespace

void explain_unknown(const Name& name, Explanation* to) {
  to->guess("library", "the program's own code, or a library that is not known here");
  const std::string function = around_lambda(name.all_arguments);
  std::string_view words = hint(function.empty() ? name.base : function);
  if (words.empty()) words = hint(name.base);
  if (!words.empty()) to->guess("operation", fmt::format("{}, by its name", words));
  if (!function.empty()) to->certain("runs", fmt::format("a lambda written in {}", function));
  if (!name.scope.empty()) to->certain("namespace", name.scope);
  if (!name.arguments.empty()) {
    to->certain("template", fmt::format("{} with {} argument{}", name.base, name.arguments.size(),
                                        name.arguments.size() == 1 ? "" : "s"));
    to->certain("template arguments", cut(name.all_arguments));
  }
  if (!name.parameters.empty()) {
    std::string list;
    for (const std::string& parameter : name.parameters) list += (list.empty() ? "" : ", ") + parameter;
    to->certain("parameters", cut(list));
  }
  if (!name.cpp)
    to->certain("linkage", "a plain name: extern \"C\", Fortran, or a compiler that does not mangle names");
}

}  // namespace sextant::explain
