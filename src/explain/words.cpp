// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/words.h"

#include "explain/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace sextant::explain {

namespace {

struct NamedGeneration {
  std::string_view word, name;
  int capability;
};
constexpr std::array kGenerations = {
    NamedGeneration{"kepler", "Kepler", 30},
    NamedGeneration{"maxwell", "Maxwell", 50},
    NamedGeneration{"pascal", "Pascal", 60},
    NamedGeneration{"volta", "Volta", 70},
    NamedGeneration{"turing", "Turing", 75},
    NamedGeneration{"ampere", "Ampere", 80},
    NamedGeneration{"ada", "Ada", 89},
    NamedGeneration{"hopper", "Hopper", 90},
    NamedGeneration{"blackwell", "Blackwell", 100},
};

struct Precision {
  std::string_view word, text;
};
constexpr std::array kPrecisions = {
    Precision{"f64", "float64"},
    Precision{"double", "float64"},
    Precision{"float64", "float64"},
    Precision{"f32", "float32"},
    Precision{"float", "float32"},
    Precision{"float32", "float32"},
    Precision{"fp32", "float32"},
    Precision{"tf32", "TF32"},
    Precision{"f16", "float16"},
    Precision{"fp16", "float16"},
    Precision{"half", "float16"},
    Precision{"__half", "float16"},
    Precision{"float16", "float16"},
    Precision{"c10::Half", "float16"},
    Precision{"at::Half", "float16"},
    Precision{"cutlass::half_t", "float16"},
    Precision{"bf16", "bfloat16"},
    Precision{"bfloat16", "bfloat16"},
    Precision{"__nv_bfloat16", "bfloat16"},
    Precision{"__hip_bfloat16", "bfloat16"},
    Precision{"c10::BFloat16", "bfloat16"},
    Precision{"at::BFloat16", "bfloat16"},
    Precision{"cutlass::bfloat16_t", "bfloat16"},
    Precision{"e4m3", "FP8 (E4M3)"},
    Precision{"e5m2", "FP8 (E5M2)"},
    Precision{"c10::Float8_e4m3fn", "FP8 (E4M3)"},
    Precision{"c10::Float8_e5m2", "FP8 (E5M2)"},
    Precision{"f8", "FP8"},
    Precision{"e2m1", "FP4 (E2M1)"},
    Precision{"i8", "int8"},
    Precision{"s8", "int8"},
    Precision{"int8", "int8"},
    Precision{"int8_t", "int8"},
    Precision{"signed char", "int8"},
    Precision{"u8", "uint8"},
    Precision{"uint8", "uint8"},
    Precision{"uint8_t", "uint8"},
    Precision{"unsigned char", "uint8"},
    Precision{"short", "int16"},
    Precision{"int16", "int16"},
    Precision{"i32", "int32"},
    Precision{"int", "int32"},
    Precision{"int32", "int32"},
    Precision{"uint32_t", "uint32"},
    Precision{"unsigned int", "uint32"},
    Precision{"long", "int64"},
    Precision{"long long", "int64"},
    Precision{"int64", "int64"},
    Precision{"int64_t", "int64"},
    Precision{"uint64_t", "uint64"},
    Precision{"unsigned long", "uint64"},
    Precision{"bool", "bool"},
    Precision{"complex64", "complex of float32"},
    Precision{"complex128", "complex of float64"},
    Precision{"c10::complex<float>", "complex of float32"},
    Precision{"c10::complex<double>", "complex of float64"},
};

/// Shapes of tensor core instructions as names have them; M, N, K of one instruction.
struct Instruction {
  std::string_view digits, shape;
};
constexpr std::array kInstructions = {
    Instruction{"884", "8x8x4"},     Instruction{"1684", "16x8x4"},   Instruction{"1688", "16x8x8"},
    Instruction{"16816", "16x8x16"}, Instruction{"16832", "16x8x32"}, Instruction{"16864", "16x8x64"},
    Instruction{"8816", "8x8x16"},   Instruction{"8832", "8x8x32"},   Instruction{"161616", "16x16x16"},
};

struct Meaning {
  std::string_view word, what, text;
  bool certain;
};
constexpr std::array kMeanings = {
    Meaning{"tensorop", "units", "tensor cores", true},
    Meaning{"simt", "units", "ordinary multiply-add units, no tensor cores", true},
    Meaning{"wmma", "units", "tensor cores (WMMA)", true},
    Meaning{"ffma", "units", "ordinary float32 multiply-add units, no tensor cores", true},
    Meaning{"dfma", "units", "ordinary float64 multiply-add units, no tensor cores", true},
    Meaning{"splitK", "split", "the sum is split over several blocks and added up afterwards (split K)",
            true},
    Meaning{"splitk", "split", "the sum is split over several blocks and added up afterwards (split K)",
            true},
    Meaning{"split", "split", "the sum is split over several blocks and added up afterwards (split K)", true},
    Meaning{"k", "", "", true},
    Meaning{"relu", "afterwards", "a ReLU can be applied to the result (parameters decide)", false},
    Meaning{"bias", "afterwards", "a bias is added", true},
    Meaning{"gelu", "afterwards", "a GELU is applied", true},
    Meaning{"interior", "variant", "interior: edges of the data need no checks", false},
    Meaning{"small", "variant", "small: index arithmetic for small problems", false},
    Meaning{"medium", "variant", "medium: index arithmetic for medium problems", false},
    Meaning{"large", "variant", "large: index arithmetic for large problems", false},
    Meaning{"xregs", "variant", "xregs: uses more registers a thread", false},
    Meaning{"stridedB", "variant", "strided operand B", false},
    Meaning{"winograd", "algorithm", "Winograd: fewer multiplications, transformed tiles", true},
    Meaning{"implicit", "algorithm",
            "implicit GEMM: the convolution as a matrix multiplication whose matrix is never stored", true},
    Meaning{"indexed", "variant", "addresses come from a table made before (indexed)", false},
    Meaning{"optimized", "variant", "the optimised iterator of CUTLASS (not the general, analytic one)",
            false},
    Meaning{"nhwc", "data order", "NHWC (channels last)", true},
    Meaning{"nchw", "data order", "NCHW (channels before rows)", true},
    Meaning{"nhwckrsc", "data order", "input NHWC, filter KRSC", true},
    Meaning{"3dconv", "operation detail", "three-dimensional convolution", true},
    Meaning{"fprop", "operation", "convolution, forward", true},
    Meaning{"dgrad", "operation", "convolution, gradient of the input (dgrad)", true},
    Meaning{"wgrad", "operation", "convolution, gradient of the weights (wgrad)", true},
    Meaning{"bz", "", "", true},
};
bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view letter_precision(char letter) {
  switch (letter) {
    case 's':
      return "float32";
    case 'd':
      return "float64";
    case 'h':
      return "float16";
    case 'c':
      return "complex of float32";
    case 'z':
      return "complex of float64";
    case 'i':
      return "int8 in, int32 out";
    case 'b':
      return "bfloat16";
    default:
      return "";
  }
}

/// "sgemm", "h884gemm", "s16816fprop", "scudnn": a letter, an instruction, an operation.
bool letter_word(std::string_view word, Explanation* to) {
  size_t end = 1;
  while (end < word.size() && std::isdigit(static_cast<unsigned char>(word[end]))) ++end;
  const std::string_view digits = word.substr(1, end - 1), operation = word.substr(end);
  static constexpr std::string_view kOperations[] = {"gemm", "cudnn", "fprop", "dgrad", "wgrad", "symm",
                                                     "syrk", "trmm",  "gemv",  "trsm",  "herk",  "conv"};
  const bool known = std::any_of(std::begin(kOperations), std::end(kOperations), [&](std::string_view o) {
    return operation == o || (operation.starts_with(o) && operation.substr(o.size()) == "t");
  });
  if (!known || letter_precision(word[0]).empty()) return false;
  if (const auto what =
          std::find_if(kMeanings.begin(), kMeanings.end(),
                       [&](const Meaning& m) { return m.word == operation && m.what == "operation"; });
      what != kMeanings.end())
    set_operation(to, std::string(what->text), true);
  const auto instruction = std::find_if(kInstructions.begin(), kInstructions.end(),
                                        [&](const Instruction& i) { return i.digits == digits; });
  if (digits.empty()) {
    to->certain("precision", fmt::format("{}", letter_precision(word[0])));
    if (word[0] == 's' || word[0] == 'd' || word[0] == 'c' || word[0] == 'z')
      to->guess("units", "ordinary multiply-add units, no tensor cores");
    return true;
  }
  to->certain("accumulated in", std::string(word[0] == 'i' ? "int32" : letter_precision(word[0])));
  std::erase_if(to->facts, [](const Fact& f) { return f.what == "units"; });  // a plainer word has said so
  to->certain("units", instruction == kInstructions.end()
                           ? std::string("tensor cores")
                           : fmt::format("tensor cores, instruction {}", instruction->shape));
  if (word[0] == 's' && (digits == "1688" || digits == "1684")) to->guess("precision", "TF32");
  if (word[0] == 'h') to->guess("precision", "float16");
  return true;
}

/// "f16f16" -> two types in one word.
std::pair<std::string_view, std::string_view> type_pair(std::string_view word) {
  for (size_t cut = 2; cut + 1 < word.size(); ++cut) {
    const std::string_view a = precision_of(word.substr(0, cut)), b = precision_of(word.substr(cut));
    if (!a.empty() && !b.empty()) return {a, b};
  }
  return {};
}

/// A word with sizes behind it, "tilesize128x64x8".
bool prefixed(std::string_view word, std::string_view prefix, std::string* sizes) {
  return word.starts_with(prefix) && sizes_of(word.substr(prefix.size()), sizes);
}

bool layout_word(std::string_view word, Explanation* to) {
  if (word.size() != 2 && word.size() != 3) return false;
  std::string lower(word);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower.find_first_not_of("nt") != std::string::npos) return false;
  const auto one = [](char c) { return c == 'n' ? "as it is" : "transposed"; };
  if (!to->find("layout"))
    to->certain("layout", fmt::format("{}: A {}, B {} (column-major, as BLAS counts)", word, one(lower[0]),
                                      one(lower[1])));
  return true;
}

constexpr std::array kIgnored = {"gemm",   "xmma",   "execute", "kernel",  "cutlass", "cudnn", "infer",
                                 "train",  "cublas", "device",  "unity",   "stride",  "v1",    "v2",
                                 "v3",     "exp",    "n",       "t",       "stages",  "5x",    "cublasLt",
                                 "conv2d", "fp32",   "off",     "segment", "f2f",     "main",  "kernels",
                                 "g1",     "t1r1s1", "any"};

bool meaning_word(std::string_view word, Explanation* to) {
  const auto found =
      std::find_if(kMeanings.begin(), kMeanings.end(), [&](const Meaning& m) { return m.word == word; });
  if (found == kMeanings.end()) return false;
  if (found->what.empty()) return true;
  if (found->what == "operation") {
    set_operation(to, std::string(found->text), true);
  } else if (!to->find(found->what)) {
    found->certain ? to->certain(found->what, std::string(found->text))
                   : to->guess(found->what, std::string(found->text));
  }
  return true;
}

/// Words that carry a size or a count.
bool number_word(std::string_view word, std::string_view before, Explanation* to) {
  std::string sizes;
  if (prefixed(word, "tilesize", &sizes)) {
    to->certain("tile",
                fmt::format("{} (result rows x columns x depth of a step) for a thread block", sizes));
  } else if (prefixed(word, "warpsize", &sizes)) {
    to->certain("warps", fmt::format("{} warps share a tile", sizes));
  } else if (prefixed(word, "warpgroupsize", &sizes)) {
    to->certain("warps", fmt::format("{} groups of four warps share a tile", sizes));
  } else if (prefixed(word, "tensor", &sizes)) {
    to->certain("units", fmt::format("tensor cores, instruction {}", sizes));
  } else if (prefixed(word, "sliced", &sizes)) {
    to->certain("slices",
                fmt::format("{}: warps of a block share the depth of the sum and add up their parts", sizes));
  } else if (word.starts_with("stage") && all_digits(word.substr(5))) {
    to->certain("stages", fmt::format("{} steps are loaded ahead", word.substr(5)));
  } else if (word.starts_with("align") && all_digits(word.substr(5))) {
    to->certain("alignment", fmt::format("operands are loaded {} elements at once", word.substr(5)));
  } else if (word.starts_with("aligna") && all_digits(word.substr(6))) {
    to->certain("alignment", fmt::format("operand A is loaded {} elements at once", word.substr(6)));
  } else if (word.starts_with("alignc") && all_digits(word.substr(6))) {
    // says the same of the result
  } else if (word.starts_with("ldg") && all_digits(word.substr(3))) {
    if (!to->find("loads"))
      to->guess("loads", fmt::format("{} elements at once from global memory", word.substr(3)));
  } else if (word.starts_with("tile") && word.size() > 4 &&
             std::isdigit(static_cast<unsigned char>(word[4]))) {
    to->guess("variant", fmt::format("Winograd tile code {}", word.substr(4)));
  } else if (sizes_of(word, &sizes)) {
    if (!to->find("tile"))
      to->certain("tile", fmt::format("{} of the result for a thread block", sizes));
    else if (!to->find("stages") && std::count(sizes.begin(), sizes.end(), 'x') == 1)
      to->certain("stages", fmt::format("steps of depth {}, {} loaded ahead",
                                        sizes.substr(0, sizes.find(' ')), sizes.substr(sizes.find('x') + 2)));
    else
      return before == "stages";
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string capability_text(int capability) {
  return fmt::format("{}.{}", capability / 10, capability % 10);
}

std::optional<Generation> generation_of(std::string_view word) {
  for (const NamedGeneration& known : kGenerations)
    if (known.word == word) return Generation{known.name, known.capability};
  if (word.starts_with("sm")) word.remove_prefix(2);
  while (!word.empty() && (word.back() == 'a' || word.back() == 'f')) word.remove_suffix(1);
  if (!all_digits(word) || word.size() < 2 || word.size() > 3) return std::nullopt;
  const int capability = static_cast<int>(number(word));
  if (capability < 30 || capability > 130) return std::nullopt;
  std::string_view name = "Blackwell";
  if (capability < 90)
    name = capability == 89 ? "Ada" : capability >= 80 ? "Ampere" : capability >= 75 ? "Turing" : "Volta";
  if (capability < 70) name = capability >= 60 ? "Pascal" : capability >= 50 ? "Maxwell" : "Kepler";
  if (capability >= 90 && capability < 100) name = "Hopper";
  return Generation{name, capability};
}

std::string_view precision_of(std::string_view word) {
  for (const Precision& known : kPrecisions)
    if (known.word == word) return known.text;
  return {};
}

void first_type(const Name& name, Explanation* to) {
  for (const std::string& argument : name.arguments) {
    if (precision_of(argument).empty()) continue;
    to->certain("precision", std::string(precision_of(argument)));
    return;
  }
}

bool sizes_of(std::string_view word, std::string* shown) {
  shown->clear();
  size_t numbers = 0;
  while (!word.empty()) {
    const size_t end = std::min(word.find('x'), word.size());
    if (!all_digits(word.substr(0, end)) || end > 5) return false;
    *shown += (numbers++ == 0 ? "" : " x ") + std::string(word.substr(0, end));
    if (end + 1 == word.size()) return false;
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return numbers >= 2 && numbers <= 4;
}

void note_generation(const Generation& generation, Explanation* to) {
  to->certain("generation", fmt::format("written for {} (compute capability {})", generation.name,
                                        capability_text(generation.capability)));
}

void explain_gemm_words(std::string_view name, Explanation* to) {
  std::vector<std::string_view> types;
  std::string not_understood;
  std::string_view before;
  for (const std::string_view word : words_of(name)) {
    const std::string_view previous = before;
    before = word;
    if (!to->find("generation")) {
      if (const auto generation = generation_of(word)) {
        note_generation(*generation, to);
        continue;
      }
    }
    if (const auto pair = type_pair(word); !pair.first.empty() && precision_of(word).empty()) {
      types.push_back(pair.first), types.push_back(pair.second);
    } else if (!precision_of(word).empty()) {
      types.push_back(precision_of(word));
    } else if (!letter_word(word, to) && !number_word(word, previous, to) && !meaning_word(word, to) &&
               !layout_word(word, to) &&
               std::find(kIgnored.begin(), kIgnored.end(), word) == kIgnored.end()) {
      not_understood += (not_understood.empty() ? "" : " ") + std::string(word);
    }
  }
  if (!types.empty()) {
    std::erase_if(to->facts, [](const Fact& f) { return f.what == "precision"; });
    to->certain("precision", fmt::format("{} in", types.front()));
    if (types.size() > 1) to->guess("types in order", fmt::format("{}", fmt::join(types, ", ")));
  }
  if (!not_understood.empty()) to->guess("not understood", not_understood);
}

}  // namespace sextant::explain
