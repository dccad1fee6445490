// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

/// What comes first in the list of facts.
constexpr std::string_view kOrder[] = {"library",        "operation", "operands",  "precision",
                                       "accumulated in", "units",     "tile",      "layout",
                                       "data order",     "stages",    "generation"};

size_t place(const Fact& fact) {
  return static_cast<size_t>(std::find(std::begin(kOrder), std::end(kOrder), fact.what) - std::begin(kOrder));
}

/// The card and the generation in the name are two things.
void compare_with_card(int capability, Explanation* to) {
  const Fact* generation = to->find("generation");
  if (generation == nullptr) return;
  const std::string_view text = generation->text;
  const size_t at = text.rfind("capability ");
  if (at == std::string_view::npos) return;
  const std::string_view number_text = text.substr(at + 11, text.size() - at - 12);
  if (capability > 0 && number_text != capability_text(capability)) {
    const auto card = generation_of(std::to_string(capability));
    to->note(fmt::format(
        "It ran on a {} card (compute capability {}): the prefix is the library's choice of a kernel, "
        "not the card. That is normal; a kernel written for the card itself may be missing from this "
        "version of the library.",
        card ? card->name : "different", capability_text(capability)));
  } else if (capability == 0) {
    to->note(
        "The generation is the one that the kernel was written for. Libraries run such kernels on later "
        "cards, too: it "
        "does not say which card ran it.");
  }
}

/// "128 x 64" of "128 x 64 of the result ..."
std::string sizes_only(const std::string& tile) {
  const size_t end = tile.find_first_not_of("0123456789 x");
  std::string sizes = tile.substr(0, end);
  while (sizes.ends_with(' ')) sizes.pop_back();
  return sizes;
}

/// Of names that no family knows: what is certain, if there is anything.
std::string summary_of_unknown(const Explanation& of) {
  const Fact* operation = of.find("operation");
  const Fact* runs = of.find("runs");
  std::string out = "of no library that is known here";
  if (runs != nullptr) out += fmt::format(": {}, run by {}", runs->text, of.readable);
  if (operation != nullptr) out += fmt::format("{} perhaps {}", runs == nullptr ? ":" : ",", operation->text);
  return out;
}

void summarise(Explanation* to) {
  if (!to->recognised()) {
    to->summary = summary_of_unknown(*to);
    return;
  }
  const Fact* library = to->find("library");
  const Fact* operation = to->find("operation");
  std::string out = (library->certain ? "" : "probably ") + library->text + ": ";
  if (operation != nullptr) out += operation->text;
  for (const std::string_view what : {"operands", "precision"})
    if (const Fact* fact = to->find(what)) out += (fact->certain ? ", " : ", probably ") + fact->text;
  const Fact* units = to->find("units");
  if (units != nullptr && units->text.starts_with("tensor cores")) out += " on tensor cores";
  if (const Fact* tile = to->find("tile")) out += ", tile " + sizes_only(tile->text);
  to->summary = std::move(out);
}

}  // namespace

const Fact* Explanation::find(std::string_view what) const {
  for (const Fact& fact : facts)
    if (fact.what == what) return &fact;
  return nullptr;
}

void Explanation::certain(std::string_view what, std::string text) {
  facts.push_back({std::string(what), std::move(text), true});
}

void Explanation::guess(std::string_view what, std::string text) {
  facts.push_back({std::string(what), std::move(text), false});
}

void Explanation::note(std::string text) {
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(std::move(text));
}

void set_operation(Explanation* to, std::string text, bool certain) {
  std::erase_if(to->facts, [](const Fact& f) { return f.what == "operation"; });
  to->facts.push_back({"operation", std::move(text), certain});
}

Explanation explain(std::string_view given, int capability) {
  Explanation out;
  out.name = given;
  const Name name = parse_name(given.substr(0, kLongestName));
  out.readable = name.qualified;
  for (const Family* family : families()) {
    const auto rule = std::find_if(family->rules.begin(), family->rules.end(), [&](const Rule& r) {
      return matches(r.pattern, r.pattern.find("::") == std::string_view::npos ? name.base : name.qualified);
    });
    if (rule == family->rules.end()) continue;
    out.family = family->library;
    const std::string library(rule->library.empty() ? family->library : rule->library);
    rule->certain ? out.certain("library", library) : out.guess("library", library);
    if (!rule->operation.empty()) set_operation(&out, std::string(rule->operation), rule->certain);
    if (rule->details != nullptr) rule->details(name, &out);
    break;
  }
  if (!out.recognised()) explain_unknown(name, &out);
  std::stable_sort(out.facts.begin(), out.facts.end(),
                   [](const Fact& a, const Fact& b) { return place(a) < place(b); });
  summarise(&out);
  compare_with_card(capability, &out);
  return out;
}

}  // namespace sextant::explain
