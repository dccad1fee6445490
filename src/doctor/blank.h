// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Blanker makes text fit for a ticket: without the host's, the user's and the home folder's name, without
// addresses of the network and without long hexadecimal words (container ids, UUIDs, tokens).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "doctor/surroundings.h"

namespace sextant::doctor {

class Blanker {
 public:
  /// `keep`: changes nothing.
  Blanker(const Surroundings& seen, bool keep);

  std::string operator()(std::string_view text) const;

 private:
  bool keep_;
  std::string home_;
  std::vector<std::string> names_;
};

}  // namespace sextant::doctor
