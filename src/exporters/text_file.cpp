// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/text_file.h"

#include <unistd.h>

#include "exporters/output_file.h"

namespace sextant::exporters {

namespace {

Status write_all(int fd, const std::string& name, const std::function<Status(text::Output&)>& write) {
  text::Output out(fd, name);
  const Status written = write(out);
  const Status finished = out.finish();
  return finished ? written : finished;
}

}  // namespace

Status write_text_file(const std::string& output, bool replace,
                       const std::function<Status(text::Output&)>& write) {
  if (output == "-") return write_all(STDOUT_FILENO, "standard output", write);
  SEXTANT_ASSIGN(OutputFile file, OutputFile::create(output, replace));
  SEXTANT_TRY(write_all(file.fd(), output, write));
  return file.commit();
}

}  // namespace sextant::exporters
