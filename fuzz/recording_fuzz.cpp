// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a recording reads of others beside rings: the manifest of a run folder, and the program that is to be
// run. The first byte says as what the rest is read.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "recording/executable.h"
#include "recording/manifest.h"

namespace {

using namespace sextant;

/// What was read is read again of what is written of it.
void read_manifest(const std::string& bytes) {
  const auto manifest = recording::parse_manifest(bytes);
  if (!manifest) return;
  if (manifest->report.empty() || manifest->report.find('\0') != std::string::npos) std::abort();
  const auto again = recording::parse_manifest(recording::manifest_text(*manifest));
  if (!again) std::abort();
}

void look_at_program(const std::string& bytes) {
  static const std::string file =
      (::access("/dev/shm", W_OK) == 0 ? "/dev/shm/sextant-program-" : "/tmp/sextant-program-") +
      std::to_string(::getpid());
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  if (fd < 0 || ::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  ::close(fd);
  if (!recording::find_executable(file)) std::abort();
  ::unlink(file.c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] % 2 == 0)
    read_manifest(bytes);
  else
    look_at_program(bytes);
  return 0;
}
