// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceClock: a device's clock beside the recording's. It is told what the host saw: "the device's clock
// read this not before that stamp", "... not after that one". A straight line that agrees with all of it is a
// conversion whose error is bounded by the room that is left to such lines. Where no line agrees with all,
// the clock has stepped (or runs differently now): another line begins there. Not thread-safe.
//
// Stamps are those of the recording's clock; the device counts nanoseconds, in its own way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sextant::collector {

class DeviceClock {
 public:
  /// When the device's clock read `device`, the host's was at `host` already, or not yet beyond it.
  void not_before(uint64_t host, uint64_t device) { points_.push_back({host, device, false}); }
  void not_after(uint64_t host, uint64_t device) { points_.push_back({host, device, true}); }

  /// A line for a span of the host's time.
  struct Piece {
    uint64_t from, to;      // stamps of what it follows from
    uint64_t device_first;  // the device's clock there
    uint64_t device_last;
    uint64_t origin_host, origin_device;
    double ticks;                    // of the host's clock in a nanosecond of the device's
    double error_first, error_last;  // bound of the error at either end, stamps
    bool after_step;
    uint64_t proven;  // until then at least it held, and not the one after the step; 0: not known
  };

  /// Lines for everything told so far. `ticks_per_ns`: of the recording's clock; the device's may differ by
  /// kMostDrift. Returns those that are new or changed.
  const std::vector<Piece>& fit(double ticks_per_ns);

  struct Host {
    uint64_t stamp = 0;
    double error = 0;        // stamps
    bool ambiguous = false;  // the clock stepped back: it read this twice, and both can be meant
  };
  /// The stamp of a time of the device's clock that lies between two stamps, as the host has seen. Of the
  /// lines that put it between them the one is right whose own readings it is among, else the one that it is
  /// nearest to; where none puts it there, it is where the first one does. After fit(); false: nothing is
  /// known.
  bool to_host(uint64_t device, uint64_t low, uint64_t high, Host* out) const;

  double worst_error() const { return worst_error_; }  // of all lines so far, stamps
  bool empty() const { return pieces_.empty() && points_.empty(); }

  static constexpr double kMostDrift = 500e-6;

 private:
  struct Point {
    uint64_t host, device;
    bool upper;
  };
  void thin(double ticks_per_ns);
  Piece piece(size_t begin, size_t end, double ticks_per_ns) const;
  uint64_t proven(size_t begin, size_t end, const Piece& is, const Piece& is_not) const;
  void forget_old(double ticks_per_ns);

  std::vector<Point> points_;
  std::vector<Piece> pieces_;  // by host time
  std::vector<Piece> fresh_;
  double worst_error_ = 0;
};

}  // namespace sextant::collector
