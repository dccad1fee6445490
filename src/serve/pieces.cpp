// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/pieces.h"

#include <algorithm>

namespace sextant::serve {

namespace {

constexpr size_t kFactor = 4;

bool before(const Piece& a, const Piece& b) {
  return a.start_ns < b.start_ns;
}

void sort_by_start(std::vector<Piece>* pieces) {
  if (!std::is_sorted(pieces->begin(), pieces->end(), before))
    std::sort(pieces->begin(), pieces->end(), before);
}

/// Groups of so many neighbours become one piece each.
std::vector<Piece> merge_neighbours(const std::vector<Piece>& pieces, size_t group) {
  std::vector<Piece> out;
  out.reserve((pieces.size() + group - 1) / group);
  for (size_t i = 0; i < pieces.size(); i += group)
    out.push_back(merged(pieces.data() + i, pieces.data() + std::min(i + group, pieces.size())));
  return out;
}

struct Visit {
  const std::vector<std::vector<Piece>>& levels;
  int64_t from_ns, to_ns, width_ns;
  uint32_t row;
  const Pieces::Use& use;

  void pieces(size_t level, size_t begin, size_t end) const {
    const std::vector<Piece>& all = levels[level];
    for (size_t i = begin; i < std::min(end, all.size()); ++i) {
      const Piece& piece = all[i];
      const bool instant = piece.end_ns == piece.start_ns && piece.start_ns >= from_ns;
      if (piece.start_ns >= to_ns || (piece.end_ns <= from_ns && !instant)) continue;
      if (level == 0 || piece.width_ns() <= width_ns)
        use(row, piece);
      else
        pieces(level - 1, i * kFactor, (i + 1) * kFactor);
    }
  }
};

}  // namespace

Piece merged(const Piece* begin, const Piece* end) {
  Piece out = *begin;
  float most = 0;
  for (const Piece* piece = begin; piece != end; ++piece) {
    if (piece != begin) out.events += piece->events, out.busy_ns += piece->busy_ns;
    out.start_ns = std::min(out.start_ns, piece->start_ns);
    out.end_ns = std::max(out.end_ns, piece->end_ns);
    float of_name = 0;
    for (const Piece* other = begin; other != end; ++other)
      if (other->name == piece->name) of_name += other->busy_ns;
    if (of_name > most) most = of_name, out.name = piece->name;
  }
  return out;
}

double covered_ns(std::vector<Piece> pieces, int64_t from_ns) {
  std::sort(pieces.begin(), pieces.end(), before);
  double covered = 0;
  int64_t to = from_ns;
  for (const Piece& piece : pieces) {
    const int64_t from = std::max(piece.start_ns, to);
    if (piece.end_ns <= from) continue;
    covered += static_cast<double>(piece.busy_ns) * static_cast<double>(piece.end_ns - from) /
               static_cast<double>(piece.width_ns());
    to = piece.end_ns;
  }
  return covered;
}

void Pieces::add(uint32_t row, const Piece& piece) {
  if (rows_.size() <= row) rows_.resize(row + size_t{1}, Levels(1));
  rows_[row].front().push_back(piece);
  ++count_;
}

void Pieces::append(Pieces&& below) {
  for (Levels& levels : below.rows_) rows_.push_back(std::move(levels));
  count_ += below.count_;
  below = Pieces();
}

void Pieces::thin() {
  count_ = 0;
  for (Levels& levels : rows_) {
    sort_by_start(&levels.front());  // pieces come in any order; only neighbours in time may become one
    levels.front() = merge_neighbours(levels.front(), 2);
    count_ += levels.front().size();
  }
}

void Pieces::finish() {
  for (Levels& levels : rows_) {
    std::vector<Piece>& base = levels.front();
    sort_by_start(&base);
    base.shrink_to_fit();
    while (levels.back().size() > kFactor) levels.push_back(merge_neighbours(levels.back(), kFactor));
  }
}

void Pieces::visit(int64_t from_ns, int64_t to_ns, int64_t width_ns, const Use& use) const {
  for (uint32_t row = 0; row < rows_.size(); ++row)
    Visit{rows_[row], from_ns, to_ns, width_ns, row, use}.pieces(rows_[row].size() - 1, 0, SIZE_MAX);
}

}  // namespace sextant::serve
