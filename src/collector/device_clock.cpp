// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/device_clock.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace sextant::collector {

namespace {

constexpr double kHistoryNs = 10e9;  // a line is fitted to this much at most: drifts drift, too
constexpr double kBucketNs = 1e6;    // of what was told within it only the sharpest is kept
constexpr int kSteps = 60;           // of each search: (2/3)^60 of a range is nothing
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kMostPieces = 4096;

/// What is told of a stretch, relative to its first point: host >= y or host <= y when the device is at x.
struct Bounds {
  std::vector<double> lower_x, lower_y, upper_x, upper_y;

  /// The room for lines of this slope: offsets from `low` to `high`, none if they are crossed. At x = `at`.
  void room(double slope, double at, double* low, double* high) const {
    *low = -kInfinity;
    *high = kInfinity;
    for (size_t i = 0; i < lower_x.size(); ++i) *low = std::max(*low, lower_y[i] + slope * (at - lower_x[i]));
    for (size_t i = 0; i < upper_x.size(); ++i)
      *high = std::min(*high, upper_y[i] + slope * (at - upper_x[i]));
  }
  double margin(double slope) const {
    double low, high;
    room(slope, 0, &low, &high);
    return high - low;
  }
};

/// Where a concave function is largest.
template <typename F>
double largest(double from, double to, F f) {
  for (int i = 0; i < kSteps; ++i) {
    const double a = from + (to - from) / 3, b = to - (to - from) / 3;
    (f(a) < f(b) ? from : to) = f(a) < f(b) ? a : b;
  }
  return (from + to) / 2;
}

/// The end of the interval of slopes, between one that works and `limit`, that leave room.
double last_that_fits(const Bounds& bounds, double works, double limit) {
  if (bounds.margin(limit) >= 0) return limit;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = (works + limit) / 2;
    (bounds.margin(middle) >= 0 ? works : limit) = middle;
  }
  return works;
}

/// Hostile stamps lead anywhere; nothing real is that far away.
int64_t whole(double stamps) {
  return static_cast<int64_t>(std::clamp(stamps + (stamps < 0 ? -0.5 : 0.5), -4e18, 4e18));
}

int64_t apart(uint64_t a, uint64_t b) {
  return static_cast<int64_t>(a - b);
}

/// Whether two answers are the same within their errors.
bool together(const DeviceClock::Host& a, const DeviceClock::Host& b) {
  return std::abs(static_cast<double>(apart(a.stamp, b.stamp))) <= a.error + b.error + 1;
}

}  // namespace

/// Points by host time; of a bucket's points the ones that leave the least room at the nominal slope. Where
/// they leave none at all the clock has stepped, and another bucket begins.
void DeviceClock::thin(double ticks_per_ns) {
  if (points_.empty()) return;
  std::sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.host < b.host; });
  const uint64_t first = points_.front().host, device = points_.front().device;
  const double bucket_ticks = kBucketNs * ticks_per_ns;
  const double slack = bucket_ticks * kMostDrift * 2;
  std::vector<Point> kept;
  double bucket = -1, low = -kInfinity, high = kInfinity;  // offsets that the bucket leaves
  size_t low_at = SIZE_MAX, high_at = SIZE_MAX;
  for (const Point& p : points_) {
    const double number = std::floor(static_cast<double>(p.host - first) / bucket_ticks);
    const double offset =
        static_cast<double>(p.host - first) - ticks_per_ns * static_cast<double>(apart(p.device, device));
    const bool step = p.upper ? offset < low - slack : offset > high + slack;
    if (number != bucket || step) {
      bucket = number;
      low = -kInfinity, high = kInfinity;
      low_at = high_at = SIZE_MAX;
    }
    double& limit = p.upper ? high : low;
    size_t& at = p.upper ? high_at : low_at;
    if (p.upper ? offset >= limit : offset <= limit) continue;
    limit = offset;
    if (at == SIZE_MAX) {
      at = kept.size();
      kept.push_back(p);
    } else {
      kept[at] = p;
    }
  }
  std::sort(kept.begin(), kept.end(), [](const Point& a, const Point& b) { return a.host < b.host; });
  points_ = std::move(kept);
}

DeviceClock::Piece DeviceClock::piece(size_t begin, size_t end, double ticks_per_ns) const {
  Piece piece{};
  piece.from = points_[begin].host;
  piece.to = points_[end - 1].host;
  piece.origin_host = points_[begin].host;
  piece.origin_device = points_[begin].device;
  Bounds bounds;
  double x_first = kInfinity, x_last = -kInfinity;
  for (size_t i = begin; i < end; ++i) {
    const Point& p = points_[i];
    const double x = static_cast<double>(apart(p.device, piece.origin_device));
    const double y = static_cast<double>(apart(p.host, piece.origin_host));
    (p.upper ? bounds.upper_x : bounds.lower_x).push_back(x);
    (p.upper ? bounds.upper_y : bounds.lower_y).push_back(y);
    x_first = std::min(x_first, x);
    x_last = std::max(x_last, x);
  }
  const double least = ticks_per_ns * (1 - kMostDrift), most = ticks_per_ns * (1 + kMostDrift);
  if (bounds.lower_x.empty() || bounds.upper_x.empty()) {  // one-sided: the bound is all there is
    piece.ticks = ticks_per_ns;
    piece.error_first = piece.error_last = kInfinity;
    return piece;
  }
  double slope = largest(least, most, [&](double s) { return bounds.margin(s); });
  piece.ticks = slope;
  double low, high;
  bounds.room(slope, 0, &low, &high);
  if (high < low) {
    piece.error_first = -1;  // no line fits
    return piece;
  }
  const double from = last_that_fits(bounds, slope, least), to = last_that_fits(bounds, slope, most);
  // Among the lines that fit, the middle of all that is possible at either end.
  const auto extremes = [&](double at, double* bottom, double* top) {
    double a, b;
    bounds.room(largest(from, to,
                        [&](double s) {
                          double l, h;
                          bounds.room(s, at, &l, &h);
                          return h;
                        }),
                at, &a, top);
    bounds.room(largest(from, to,
                        [&](double s) {
                          double l, h;
                          bounds.room(s, at, &l, &h);
                          return -l;
                        }),
                at, bottom, &b);
  };
  double low_first, high_first, low_last, high_last;
  extremes(x_first, &low_first, &high_first);
  extremes(x_last, &low_last, &high_last);
  const double y_first = (low_first + high_first) / 2, y_last = (low_last + high_last) / 2;
  double offset = (low + high) / 2;
  if (x_last > x_first) {
    // The line between the middles has the least error at the ends; where it does not fit, the one with the
    // most room on both sides is taken.
    const double middle_slope = (y_last - y_first) / (x_last - x_first);
    double l, h;
    bounds.room(middle_slope, 0, &l, &h);
    const double middle_offset = y_first - middle_slope * x_first;
    if (l <= middle_offset && middle_offset <= h) {
      slope = middle_slope;
      offset = middle_offset;
    }
  }
  piece.ticks = slope;
  piece.origin_host += static_cast<uint64_t>(whole(offset));
  const auto error = [&](double x, double bottom, double top) {
    const double y = offset + slope * x;
    return std::max(top - y, y - bottom);
  };
  piece.error_first = error(x_first, low_first, high_first);
  piece.error_last = error(x_last, low_last, high_last);
  piece.device_first = piece.origin_device + static_cast<uint64_t>(whole(x_first));
  piece.device_last = piece.origin_device + static_cast<uint64_t>(whole(x_last));
  return piece;
}

/// The last moment at which one line held, as a point tells that contradicts another line. Most points agree
/// with the lines on both sides of a step, those that came late above all.
uint64_t DeviceClock::proven(size_t begin, size_t end, const Piece& is, const Piece& is_not) const {
  const auto at = [](const Piece& line, uint64_t device) {
    const double ticks = line.ticks * static_cast<double>(apart(device, line.origin_device));
    return line.origin_host + static_cast<uint64_t>(whole(ticks));
  };
  uint64_t last = 0;
  for (size_t i = begin; i < end; ++i) {
    const Point& p = points_[i];
    const int64_t beyond = apart(at(is_not, p.device), p.host);
    if (p.upper ? beyond > 0 : beyond < 0) last = std::max(last, at(is, p.device));
  }
  return last;
}

const std::vector<DeviceClock::Piece>& DeviceClock::fit(double ticks_per_ns) {
  fresh_.clear();
  thin(ticks_per_ns);
  const auto history = static_cast<uint64_t>(kHistoryNs * ticks_per_ns);
  bool after_step = false;
  size_t before = 0, before_end = 0;  // the points of the line before
  for (size_t begin = 0; begin < points_.size();) {
    // The longest stretch from here that one line fits: a part of such a stretch is one, too.
    size_t end = begin;
    while (end < points_.size() && points_[end].host - points_[begin].host <= history + history / 2) ++end;
    Piece best = piece(begin, end, ticks_per_ns);
    const bool step = best.error_first < 0;
    if (step) {
      size_t good = begin + 1, bad = end;
      best = piece(begin, good, ticks_per_ns);
      while (bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        const Piece tried = piece(begin, middle, ticks_per_ns);
        (tried.error_first < 0 ? bad : good) = middle;
        if (tried.error_first >= 0) best = tried;
      }
      end = good;
    }
    best.after_step = after_step;
    if (std::isfinite(best.error_first)) {
      if (after_step && !fresh_.empty())
        fresh_.back().proven = proven(before, before_end, fresh_.back(), best);
      fresh_.push_back(best);
      before = begin, before_end = end;
    }
    after_step = step;
    begin = end;
    // Where it ended for its length, the next one begins within it: it has as much to go by.
    while (!step && end < points_.size() && points_[end].host - points_[begin - 1].host < history) --begin;
  }
  if (!fresh_.empty()) {
    std::erase_if(pieces_, [&](const Piece& old) { return old.from >= fresh_.front().from; });
    pieces_.insert(pieces_.end(), fresh_.begin(), fresh_.end());
    if (pieces_.size() > kMostPieces)
      pieces_.erase(pieces_.begin(), pieces_.end() - static_cast<std::ptrdiff_t>(kMostPieces));
    for (const Piece& p : fresh_) worst_error_ = std::max({worst_error_, p.error_first, p.error_last});
  }
  forget_old(ticks_per_ns);
  return fresh_;
}

void DeviceClock::forget_old(double ticks_per_ns) {
  if (points_.empty()) return;
  uint64_t from = points_.front().host;
  const uint64_t last = points_.back().host;
  const uint64_t history = static_cast<uint64_t>(kHistoryNs * ticks_per_ns);
  if (last - from > history) from = last - history;
  for (const Piece& p : fresh_)
    if (p.after_step) from = std::max(from, p.from);
  std::erase_if(points_, [&](const Point& p) { return p.host < from; });
}

bool DeviceClock::to_host(uint64_t device, uint64_t low, uint64_t high, Host* out) const {
  if (pieces_.empty()) return false;
  auto at = std::upper_bound(pieces_.begin(), pieces_.end(), low,
                             [](uint64_t host, const Piece& p) { return host < p.from; });
  if (at != pieces_.begin()) --at;
  const auto convert = [&](const Piece& p) -> Host {
    const double ticks = p.ticks * static_cast<double>(apart(device, p.origin_device));
    return {p.origin_host + static_cast<uint64_t>(whole(ticks)), std::max(p.error_first, p.error_last)};
  };
  *out = convert(*at);
  bool fits = false, holds = false;
  for (int tries = 0; tries < 8; ++tries) {
    const Host found = convert(*at);
    const uint64_t error = static_cast<uint64_t>(whole(found.error)) + 1;
    // The clock stepped somewhere between what two lines were made of; a line may have kept a bound of the
    // bucket behind the step.
    const auto next = at + 1;
    const uint64_t room = error + static_cast<uint64_t>(whole(kBucketNs * at->ticks));
    const bool early = at->after_step && at != pieces_.begin() && found.stamp + room < (at - 1)->proven;
    const bool late = next != pieces_.end() && next->after_step && found.stamp > next->from + room;
    if (found.stamp + error >= low && found.stamp <= high + error) {
      if (!early && !late && holds && !together(found, *out)) out->ambiguous = true;
      if (!fits || (!early && !late && !holds)) *out = found;
      fits = true;
      holds = holds || (!early && !late);
    }
    if (++at == pieces_.end()) break;
    if (at->from > high && tries > 0) break;  // one beyond: a step may lie between what is told and the end
  }
  return true;
}

}  // namespace sextant::collector
