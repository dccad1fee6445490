// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Every folder of tests/doctor/cases: what it must conclude, and what is printed. SEXTANT_UPDATE_EXPECTED=1
// writes expected.txt anew; look at the difference before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "doctor/print.h"
#include "recorded.h"

namespace doctor_cases {
namespace {

using namespace sextant;
using namespace sextant::doctor;

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SEXTANT_DOCTOR_CASES))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string outcome(const Verdict& verdict) {
  if (verdict.state != State::kDenied) return std::string(state_word(verdict.state));
  return "denied by " + std::string(denier_word(verdict.denier));
}

int exit_code(Outcome outcome) {
  return outcome == Outcome::kMet ? 0 : outcome == Outcome::kNotRecorded ? 6 : 3;
}

std::string goal_lines(const Diagnosis& diagnosis) {
  std::string out = "\n-- exit codes of --for\n";
  for (const Goal& goal : goals())
    out += std::string(goal.name) + " " + std::to_string(exit_code(outcome_of(diagnosis, goal))) + "\n";
  return out;
}

class DoctorCase : public testing::TestWithParam<std::string> {};

TEST_P(DoctorCase, ConcludesWhatItMustAndPrintsWhatItDid) {
  const auto environment = Recorded::open(SEXTANT_DOCTOR_CASES, GetParam());
  ASSERT_TRUE(environment) << environment.error().message;
  EXPECT_FALSE(environment->about().what.empty());
  const Surroundings seen = look_around(*environment, environment->probe());
  const Diagnosis diagnosis = diagnose(seen);
  ASSERT_EQ(diagnosis.verdicts.size(), size_t{kCapabilities});
  for (const auto& [name, wanted] : environment->about().must) {
    bool found = false;
    for (const Verdict& verdict : diagnosis.verdicts) {
      if (words_for(verdict.capability).name != name) continue;
      found = true;
      EXPECT_EQ(outcome(verdict), wanted) << name << ": " << verdict.evidence;
    }
    EXPECT_TRUE(found) << "no capability " << name;
  }
  for (const auto& [name, code] : environment->about().goals) {
    ASSERT_NE(find_goal(name), nullptr) << name;
    EXPECT_EQ(exit_code(outcome_of(diagnosis, *find_goal(name))), code) << name;
  }
  const std::string printed = as_text(seen, diagnosis, {}) + goal_lines(diagnosis);
  const std::string file = std::string(SEXTANT_DOCTOR_CASES) + "/" + GetParam() + "/expected.txt";
  if (std::getenv("SEXTANT_UPDATE_EXPECTED") != nullptr) std::ofstream(file) << printed;
  std::ifstream in(file);
  EXPECT_EQ(printed, std::string(std::istreambuf_iterator<char>(in), {}))
      << "SEXTANT_UPDATE_EXPECTED=1 writes " << file << " anew";
}

TEST_P(DoctorCase, DeniedMeansEvidenceAndEveryFormIsWhole) {
  const auto environment = Recorded::open(SEXTANT_DOCTOR_CASES, GetParam());
  ASSERT_TRUE(environment);
  const Surroundings seen = look_around(*environment, environment->probe());
  const Diagnosis diagnosis = diagnose(seen);
  for (const Verdict& verdict : diagnosis.verdicts) {
    EXPECT_FALSE(verdict.evidence.empty()) << words_for(verdict.capability).name;
    EXPECT_EQ(verdict.state == State::kDenied, verdict.denier != Denier::kNobody);
    if (verdict.state == State::kDenied) {
      EXPECT_TRUE(!verdict.remedies.empty() || !verdict.notes.empty() || !diagnosis.neighbours.empty())
          << words_for(verdict.capability).name << " is denied, and nothing is said to do";
    }
    for (const Remedy* remedy : verdict.remedies) EXPECT_NE(remedy->places & seen.place, 0u) << remedy->id;
  }
  const auto json = nlohmann::json::parse(as_json(seen, diagnosis, {}), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["capabilities"].size(), size_t{kCapabilities});
  EXPECT_EQ(json["goals"].size(), goals().size());
  EXPECT_NE(as_pod_fields(seen, diagnosis, {}).find("\nspec:\n"), std::string::npos);
  EXPECT_TRUE(as_script(seen, diagnosis, {}).starts_with("#!/bin/sh\n"));
  EXPECT_TRUE(as_nsys_prints_it(seen, diagnosis).starts_with("Timestamp counter supported: "));
}

std::string test_name(const testing::TestParamInfo<std::string>& tested) {
  std::string name = tested.param;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Cases, DoctorCase, testing::ValuesIn(case_names()), test_name);

}  // namespace
}  // namespace doctor_cases
