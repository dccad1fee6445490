// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "explain/name.h"
#include "explain/words.h"

namespace sextant::explain {
namespace {

std::string shown(const Explanation& explanation) {
  std::string out = explanation.summary + '\n';
  for (const Fact& fact : explanation.facts)
    out += fmt::format("{:<16} {}{}\n", fact.what, fact.certain ? "" : "(guessed) ", fact.text);
  for (const std::string& note : explanation.notes) out += note + '\n';
  return out;
}

bool guesses(const Explanation& explanation, std::string_view words) {
  for (const Fact& fact : explanation.facts)
    if (!fact.certain && fact.text.find(words) != std::string::npos) return true;
  return false;
}

TEST(Explain, NamesWithExpectedWords) {
  std::ifstream file(SEXTANT_EXPLAIN_NAMES);
  ASSERT_TRUE(file) << SEXTANT_EXPLAIN_NAMES;
  std::string line, name, text;
  Explanation explanation;
  size_t names = 0, words = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    if (line.empty()) {
      name.clear();
      continue;
    }
    if (name.empty()) {
      name = line;
      explanation = explain(name);
      text = shown(explanation);
      ++names;
      continue;
    }
    ++words;
    const std::string wanted = line.substr(2);
    if (line.starts_with("family ")) {
      EXPECT_EQ(explanation.family, line == "family none" ? "" : line.substr(7)) << name << '\n' << text;
    } else if (line.starts_with("= ")) {
      bool found = false;  // one of several spellings
      for (const std::string& one : split_outside_brackets(wanted, '|'))
        found = found || text.find(one) != std::string::npos;
      EXPECT_TRUE(found) << name << "\nis not said to be: " << wanted << '\n' << text;
    } else if (line.starts_with("- ")) {
      EXPECT_EQ(text.find(wanted), std::string::npos) << name << "\nis said to be: " << wanted << '\n'
                                                      << text;
    } else {
      ASSERT_TRUE(line.starts_with("? ")) << "what is this line: " << line;
      EXPECT_TRUE(guesses(explanation, wanted)) << name << "\nis not guessed to be: " << wanted << '\n'
                                                << text;
    }
  }
  EXPECT_GT(names, 50u);
  EXPECT_GT(words, 3 * names / 2);
}

TEST(Explain, ThePrefixIsNotTheCard) {
  const auto note = [](int capability) {
    const Explanation explanation = explain("volta_sgemm_128x64_nn", capability);
    return explanation.notes.empty() ? std::string() : explanation.notes.front();
  };
  EXPECT_NE(
      note(75).find("ran on a Turing card (compute capability 7.5): the prefix is the library's choice"),
      std::string::npos);
  EXPECT_EQ(note(70), "");  // it was written for that card
  EXPECT_NE(note(0).find("does not say which card"), std::string::npos);
}

TEST(Explain, NamesAreTakenApart) {
  const Name plain = parse_name("ampere_sgemm_32x128_nn");
  EXPECT_EQ(plain.base, "ampere_sgemm_32x128_nn");
  EXPECT_FALSE(plain.cpp);
  const Name nvcc =
      parse_name("void a::<unnamed>::f<(int)2, b::[lambda(int) (instance 1)]>(T1 *, const char *)");
  EXPECT_EQ(nvcc.qualified, "a::f");
  EXPECT_EQ(nvcc.arguments, (std::vector<std::string>{"(int)2", "b::[lambda(int) (instance 1)]"}));
  EXPECT_EQ(nvcc.parameters.size(), 2u);
  const Name compared = parse_name("std::enable_if<(((8)>(0)))&&x, void>::type n::g<float, 8>(float*)");
  EXPECT_EQ(compared.qualified, "n::g");
  EXPECT_EQ(compared.arguments.size(), 2u);
  const Name cut_off = parse_name("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<fl");
  EXPECT_EQ(cut_off.qualified, "at::native::reduce_kernel");
  EXPECT_EQ(cut_off.arguments.size(), 3u);
  const Name mangled = parse_name("_ZN2at6native13reduce_kernelILi512EEEvi");
  EXPECT_EQ(mangled.qualified, "at::native::reduce_kernel");
  EXPECT_TRUE(mangled.cpp);
}

TEST(Explain, WordsAndNumbers) {
  EXPECT_TRUE(matches("a*c", "abbc"));
  EXPECT_TRUE(matches("*_x*", "y_xz_x"));
  EXPECT_FALSE(matches("a*c", "abcd"));
  EXPECT_TRUE(matches("**", ""));
  EXPECT_EQ(number("(int)128"), 128);
  EXPECT_EQ(number("2ul"), 2);
  EXPECT_EQ(number("(int"), -1);
  EXPECT_EQ(number("0x10"), -1);
  std::string sizes;
  EXPECT_TRUE(sizes_of("128x64x32", &sizes));
  EXPECT_EQ(sizes, "128 x 64 x 32");
  for (const char* none : {"128", "128x", "x64", "1x2x3x4x5", "axb", "", "999999x1"})
    EXPECT_FALSE(sizes_of(none, &sizes)) << none;
  EXPECT_EQ(generation_of("sm100f")->name, "Blackwell");
  EXPECT_EQ(generation_of("sm89")->name, "Ada");
  EXPECT_FALSE(generation_of("sm9"));
  EXPECT_FALSE(generation_of("999"));
}

TEST(Explain, HostileNamesEnd) {
  const std::string long_name(1 << 20, '<');
  for (const std::string& name : {std::string(),
                                  std::string(" "),
                                  std::string("_"),
                                  std::string("___"),
                                  std::string("::"),
                                  std::string("_Z"),
                                  std::string("_ZN99999999999999999999a"),
                                  std::string("()"),
                                  std::string(")))>>>"),
                                  std::string("\xff\x00\x01", 3),
                                  long_name,
                                  std::string(100'000, '_'),
                                  "void f<" + std::string(10'000, '(') + ">(int)",
                                  "nvjet_" + std::string(5000, 'x'),
                                  std::string("cupy_"),
                                  std::string("bmm__t_x"),
                                  std::string("nvkernel__F1L"),
                                  std::string("_gpu"),
                                  std::string("__omp_offloading_"),
                                  std::string("sm80_xmma_gemm_"),
                                  std::string("fmhaSm"),
                                  "_ZN" + std::string(5000, '1')}) {
    const Explanation explanation = explain(name);
    EXPECT_EQ(explanation.name, name);
    EXPECT_FALSE(explanation.summary.empty()) << name.substr(0, 50);
  }
}

}  // namespace
}  // namespace sextant::explain
