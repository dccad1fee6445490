// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// ProgressBar: one line on standard error that is redrawn, only where that is a terminal, only once a second
// has passed (short work shows nothing), and wiped at the end. Calls cost a clock reading; make them per
// batch, not per row.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace sextant::text {

class ProgressBar {
 public:
  ProgressBar(const std::string& what, uint64_t total);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(uint64_t done);

 private:
  std::string what_;
  uint64_t total_;
  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace sextant::text
