// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a self-contained page holds of a report: answers of the API as they are, tiles from afar to near, the
// details of the longest events, who launched what.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "serve/api.h"

namespace sextant::serve {

struct PageTile {
  size_t track;
  int level;
  int64_t index;
  std::string bytes;
};

struct PageData {
  std::vector<std::pair<std::string, std::string>> answers;  // path and JSON
  std::vector<PageTile> tiles;                               // parents before children, from afar to near
  std::vector<std::pair<std::string, std::string>>
      events;         // "TRACK/EVENT" and JSON; the longest of each row first
  std::string links;  // JSON array
  uint64_t events_in_report = 0;
  bool all_tiles = true, all_links = true, all_answers = true;

  /// With the first `tiles` and `events` only: u32 length of the header, header, tiles.
  std::string container(size_t tiles_kept, size_t events_kept, const std::string& thinned) const;
};

/// `most_bytes`: of tiles, before they are compressed.
Result<PageData> gather_page(Collection& collection, const Item& item, uint64_t most_bytes);

}  // namespace sextant::serve
