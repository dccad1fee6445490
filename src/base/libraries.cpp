// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "base/libraries.h"

namespace sextant::base {

std::vector<std::string> paths_in_cache(std::string_view cache, std::string_view name) {
  std::vector<std::string> found;
  const std::string wanted = "/" + std::string(name);
  // texts that end with a zero byte each, paths among them
  for (size_t at = cache.find(wanted); at != std::string_view::npos; at = cache.find(wanted, at + 1)) {
    const size_t start = cache.rfind('\0', at);
    const size_t end = cache.find('\0', at);
    if (start == std::string_view::npos || end == std::string_view::npos) continue;
    const std::string_view rest = cache.substr(at + wanted.size(), end - at - wanted.size());
    if ((rest.empty() || rest[0] == '.') && rest.find('/') == std::string_view::npos)
      found.emplace_back(cache.substr(start + 1, end - start - 1));
  }
  return found;
}

}  // namespace sextant::base
