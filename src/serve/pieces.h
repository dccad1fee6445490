// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Pieces: the events of one track as a pyramid of pieces, each some consecutive events of a row, and above
// them levels of which each piece stands for four of the level below. Short where much happens, so that any
// span of time at any zoom costs as many pieces as it has pixels. 32 bytes a piece, and a third more for the
// levels above. After finish() const methods are thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace sextant::serve {

struct Piece {
  int64_t start_ns, end_ns;  // from the first start to the last end
  uint32_t events;
  uint32_t name;  // the one with most time in it
  float busy_ns;  // time in which an event ran

  int64_t width_ns() const { return end_ns - start_ns; }
};

class Pieces {
 public:
  /// In any order.
  void add(uint32_t row, const Piece& piece);
  /// The rows of another one, behind these.
  void append(Pieces&& below);
  /// Halves the number of pieces: neighbours become one.
  void thin();
  /// No more pieces come.
  void finish();

  size_t rows() const { return rows_.size(); }
  size_t size() const { return count_; }  // of the lowest level

  using Use = std::function<void(uint32_t row, const Piece&)>;
  /// Calls use(row, piece) for the pieces that touch the span, by row and start: the longest that are not
  /// longer than `width_ns`, or of the lowest level.
  void visit(int64_t from_ns, int64_t to_ns, int64_t width_ns, const Use& use) const;
  /// Of the lowest level, in one row.
  const std::vector<Piece>& lowest(uint32_t row) const { return rows_[row].front(); }

 private:
  using Levels = std::vector<std::vector<Piece>>;
  std::vector<Levels> rows_;
  size_t count_ = 0;
};

/// One piece for neighbours.
Piece merged(const Piece* begin, const Piece* end);

/// The time from `from_ns` on in which an event ran, of pieces that may overlap: where they do, the one that
/// starts first counts. Nanoseconds.
double covered_ns(std::vector<Piece> pieces, int64_t from_ns);

}  // namespace sextant::serve
