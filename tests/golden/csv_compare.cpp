// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "golden/csv_compare.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace golden {

namespace {

bool is_decimal(const std::string& cell) {
  const size_t first = cell.starts_with('-') ? 1 : 0, point = cell.find('.');
  if (point == std::string::npos || point == first || point + 1 == cell.size()) return false;
  for (size_t i = first; i < cell.size(); ++i)
    if (i != point && (cell[i] < '0' || cell[i] > '9')) return false;
  return true;
}

bool same_row(const std::vector<std::string>& wanted, const std::vector<std::string>& got) {
  return wanted.size() == got.size() && std::equal(wanted.begin(), wanted.end(), got.begin(), same_cell);
}

std::string first_difference(const std::vector<std::string>& header, const std::vector<std::string>& wanted,
                             const std::vector<std::string>& got) {
  for (size_t c = 0; c < wanted.size() && c < got.size(); ++c)
    if (!same_cell(wanted[c], got[c]))
      return header[std::min(c, header.size() - 1)] + " is '" + got[c] + "', not '" + wanted[c] + "'";
  return "it has " + std::to_string(got.size()) + " cells, not " + std::to_string(wanted.size());
}

}  // namespace

Rows parse_csv(std::string_view text) {
  Rows rows;
  std::vector<std::string> row;
  std::string cell;
  bool quoted = false, any = false;
  const auto end_row = [&] {
    if (any || !cell.empty()) {
      row.push_back(std::move(cell));
      rows.push_back(std::move(row));
    }
    row.clear(), cell.clear(), any = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"')
        cell += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        cell += '"', ++i;
      else
        quoted = false;
    } else if (c == '"') {
      quoted = any = true;
    } else if (c == ',') {
      row.push_back(std::move(cell));
      cell.clear(), any = true;
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      cell += c;
    }
  }
  end_row();
  return rows;
}

bool same_cell(const std::string& wanted, const std::string& got) {
  if (wanted == got) return true;
  if (!is_decimal(wanted) || !is_decimal(got)) return false;
  const double unit = std::pow(10.0, -static_cast<double>(wanted.size() - wanted.find('.') - 1));
  return std::abs(std::strtod(wanted.c_str(), nullptr) - std::strtod(got.c_str(), nullptr)) <=
         1.0000001 * unit;
}

int sort_column(const Rows& rows) {
  const auto find = [&](std::string_view header) {
    const auto at = std::find(rows[0].begin(), rows[0].end(), header);
    return at == rows[0].end() ? -1 : static_cast<int>(at - rows[0].begin());
  };
  for (const std::string_view header : {"API Start (ns)", "Orig Start (ns)", "In-Use (%)", "TAvg (ns)",
                                        "Total Proj Time (ns)", "Total Time (ns)", "Total (MB)"})
    if (const int at = find(header); at >= 0) return at;
  return find("Duration (ns)") == 0 ? 0 : find("Start (ns)");
}

std::string difference(const Rows& wanted, const Rows& got, int sort_column) {
  if (got.empty()) return "nothing was printed";
  if (wanted.empty()) return "there is nothing to compare with";
  if (wanted[0] != got[0])
    return "the header is another one: " + first_difference(wanted[0], wanted[0], got[0]);
  if (wanted.size() != got.size())
    return std::to_string(got.size() - 1) + " rows, not " + std::to_string(wanted.size() - 1);
  std::vector<bool> used(got.size());
  size_t first_unused = 1;
  for (size_t w = 1; w < wanted.size(); ++w) {
    while (used[first_unused]) ++first_unused;
    size_t g = first_unused;
    const auto ties = [&](size_t row) {
      return sort_column >= 0 && static_cast<size_t>(sort_column) < got[row].size() &&
             same_cell(wanted[w][static_cast<size_t>(sort_column)],
                       got[row][static_cast<size_t>(sort_column)]);
    };
    while (g < got.size() && (used[g] || !same_row(wanted[w], got[g]))) {
      if (!used[g] && !ties(g))
        return "row " + std::to_string(w) + ": " + first_difference(wanted[0], wanted[w], got[first_unused]);
      ++g;
    }
    if (g == got.size())
      return "row " + std::to_string(w) + ": " + first_difference(wanted[0], wanted[w], got[first_unused]);
    used[g] = true;
  }
  return "";
}

}  // namespace golden
