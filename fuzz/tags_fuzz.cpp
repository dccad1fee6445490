// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a file of tags: it is read within its bounds, and what is set beside them is there afterwards.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "serve/tags.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using sextant::serve::Tags;
  static const std::string file =
      (::access("/dev/shm", W_OK) == 0 ? "/dev/shm/sextant-tags-" : "/tmp/sextant-tags-") +
      std::to_string(::getpid());
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto tags = Tags::load(file);
  if (!tags) std::abort();
  if ((*tags)->of("a").size() > Tags::kMostTags) std::abort();
  const std::vector<std::string> wanted = {"good", "b c"};
  if ((*tags)->set("/a report.sxt", wanted)) {
    const auto again = Tags::load(file);
    if (!again || (*again)->of("/a report.sxt") != wanted || (*again)->of("a") != (*tags)->of("a"))
      std::abort();
  }
  ::unlink(file.c_str());
  return 0;
}
