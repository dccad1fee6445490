// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the doctor reads of others: a seccomp profile, the helper's answer, an error text, files of /proc. The
// first byte says as what the rest is read.
#include <cstdint>
#include <string>

#include "doctor/blank.h"
#include "doctor/error_texts.h"
#include "doctor/print.h"
#include "doctor/seccomp_profile.h"

namespace {

using namespace sextant::doctor;

/// Every file, variable and answer is the same bytes.
class Everywhere : public Environment {
 public:
  explicit Everywhere(std::string bytes) : bytes_(std::move(bytes)) {}
  std::optional<std::string> read(const std::string&, size_t most) const override {
    return bytes_.substr(0, most);
  }
  std::vector<std::string> list(const std::string& folder) const override {
    return folder == "/proc" ? std::vector<std::string>{"1", "99"}
                             : std::vector<std::string>{"libcupti.so.1", "nvidia0"};
  }
  bool exists(const std::string& path) const override { return path.find("proc") != std::string::npos; }
  bool may(const std::string&, Access) const override { return true; }
  std::optional<std::string> link(const std::string&) const override { return std::nullopt; }
  std::optional<std::string> real_path(const std::string& path) const override { return path; }
  std::optional<std::string> variable(const std::string&) const override { return bytes_.substr(0, 64); }
  std::string current_folder() const override { return "/"; }
  std::string architecture() const override { return "x86_64"; }
  int try_perf(PerfUse) const override { return bytes_.empty() ? 1 : bytes_[0] % 40; }
  int try_attach(AttachUse) const override { return bytes_.empty() ? 1 : bytes_[0] % 2; }
  std::string ask_nvml() const override { return bytes_; }
  std::string try_counters(const std::string&) const override { return bytes_; }
  std::string agent_problem() const override { return ""; }

 private:
  std::string bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  switch (data[0] % 3) {
    case 0: {
      const auto profile = with_perf_event_open(bytes, "profile");
      if (profile && with_perf_event_open(*profile, "again")) __builtin_trap();  // nothing is left to add
      break;
    }
    case 1:
      (void)explain(bytes);
      break;
    default: {
      const Everywhere environment(bytes);
      const Surroundings seen = look_around(environment, true);
      const Diagnosis diagnosis = diagnose(seen);
      (void)as_text(seen, diagnosis, {});
      (void)as_json(seen, diagnosis, {});
      (void)as_nsys_prints_it(seen, diagnosis);
    }
  }
  return 0;
}
