// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "text/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "text/log.h"
#include "text/utf8.h"

namespace sextant::text {

namespace {

constexpr auto kQuietTime = std::chrono::seconds(1);
constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr int kBarWidth = 30;

void draw(const std::string& line) {
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

}  // namespace

ProgressBar::ProgressBar(const std::string& what, uint64_t total)
    : what_(printable(what)),
      total_(std::max<uint64_t>(total, 1)),
      visible_(::isatty(STDERR_FILENO) == 1 && log_level() >= LogLevel::kInfo),
      next_(std::chrono::steady_clock::now() + kQuietTime) {}

ProgressBar::~ProgressBar() {
  if (drawn_) draw("\r\033[K");
}

void ProgressBar::update(uint64_t done) {
  if (!visible_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kRedraw;
  drawn_ = true;
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const int filled = static_cast<int>(part * kBarWidth);
  draw(fmt::format("\r{} [{:=<{}}{: <{}}] {:3.0f}%\033[K", what_, "", filled, "", kBarWidth - filled,
                   part * 100));
}

}  // namespace sextant::text
