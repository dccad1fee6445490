// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// explain(): the name of a kernel in plain words. Only the name is looked at (and, where it is known, the
// card that ran it), so every fact says whether it stands in the name or is guessed from it. No state,
// thread-safe; names may be hostile: time and memory are bounded by their length, of which kLongestName bytes
// are looked at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant::explain {

inline constexpr size_t kLongestName = 16 * 1024;

struct Fact {
  std::string what;  // "library", "operation", "precision", "tile", "layout", "generation" ...
  std::string text;
  bool certain = true;  // written in the name by a known scheme; false: it only looks like that
};

struct Explanation {
  std::string name;                // as it was given
  std::string readable;            // demangled and without arguments
  std::string family;              // whose rules knew it: "cuBLAS", "PyTorch" ...; empty: nobody's
  std::string summary;             // one sentence without a full stop
  std::vector<Fact> facts;         // what comes first matters most
  std::vector<std::string> notes;  // whole sentences: what is easily misunderstood

  bool recognised() const { return !family.empty(); }
  const Fact* find(std::string_view what) const;

  void certain(std::string_view what, std::string text);
  void guess(std::string_view what, std::string text);
  void note(std::string text);  // each one once
};

/// `capability`: of the card that ran the kernel, 75 for 7.5; 0: not known.
Explanation explain(std::string_view name, int capability = 0);

}  // namespace sextant::explain
