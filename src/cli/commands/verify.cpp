// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/open_report.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

int verify(const OpenedReport& report) {
  const report::Reader& reader = report.source.reader();
  const std::string name = text::printable(report.path);
  const std::vector<report::Damage> damage = reader.verify();
  std::string out;
  for (const report::Damage& d : damage)
    out += fmt::format("{}: damaged at byte {}: {} ({} unreadable)\n", name, d.offset,
                       text::printable(d.what), text::bytes(d.bytes));
  if (damage.empty())
    out +=
        fmt::format("{}: {} in {}, every checksum and bound is right\n", name,
                    text::bytes(reader.file_bytes()), text::counted(reader.chunks().size(), "part", "parts"));
  const int printed = print_result(out);
  const int lacks = report.conclude();
  return !damage.empty() || lacks != kExitOk ? kExitFailed : printed;
}

}  // namespace

int run_verify(const Arguments& arguments) {
  return for_each_report(arguments, arguments.words(), false, verify);
}

}  // namespace sextant::cli
