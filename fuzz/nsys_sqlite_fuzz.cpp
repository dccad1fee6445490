// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an export of nsys: an answer within bounds, and where there is a report it is a sound one.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "importers/nsys_sqlite.h"
#include "report/reader.h"

namespace {

/// A folder in memory where there is one, for the life of the process.
const std::string& folder() {
  static const std::string path = [] {
    std::string name =
        ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/sextant-fuzz-XXXXXX" : "/tmp/sextant-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    static std::string made;
    made = name;
    std::atexit([] { ::rmdir(made.c_str()); });
    return name;
  }();
  return path;
}

void write_file(const std::string& path, const uint8_t* data, size_t size) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || ::write(fd, data, size) != static_cast<ssize_t>(size)) std::abort();
  ::close(fd);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string database = folder() + "/database";
  const std::string report = folder() + "/report";
  write_file(database, data, size);
  uint64_t questions = 0;
  sextant::importers::NsysImportOptions options;
  options.go_on = [&] { return ++questions < 200; };
  if (sextant::importers::import_nsys_sqlite(database, report, options)) {
    const auto reader = sextant::report::Reader::open(report);
    if (!reader || !reader->complete() || !reader->verify().empty()) {
      std::fprintf(stderr, "an import that is no sound report\n");
      std::abort();
    }
    ::unlink(report.c_str());
  } else if (::access(report.c_str(), F_OK) == 0) {
    std::fprintf(stderr, "a failed import left its report\n");
    std::abort();
  }
  ::unlink(database.c_str());
  return 0;
}
