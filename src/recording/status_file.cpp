// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/status_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/fd.h"
#include "text/json_writer.h"
#include "text/log.h"
#include "text/output.h"

namespace sextant::recording {

namespace {

bool is_same_file(const std::string& one, const std::string& other) {
  struct stat first {
  }, second{};
  return ::stat(one.c_str(), &first) == 0 && ::stat(other.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

}  // namespace

void write_status_file(const std::string& path, const std::string& report, const WaitOutcome& outcome,
                       bool report_in_place, const std::string& verdict) {
  const collector::Totals& totals = outcome.last.totals;
  std::string text;
  text::JsonWriter json(&text);
  json.begin_object();
  json.key("report").string(report);
  json.key("complete").boolean(outcome.report_finished && report_in_place);
  json.key("program_exit_code");
  if (outcome.program_ended)
    json.number(outcome.exit_code);
  else
    json.null();
  json.key("processes").number(totals.processes);
  json.key("untraced_processes").number(totals.untraced);
  json.key("dropped_processes").number(totals.dropped_processes);
  json.key("ranges_and_marks").number(totals.events);
  json.key("osrt_calls").number(totals.osrt_calls);
  json.key("opencl_calls").number(totals.opencl_calls);
  json.key("opencl_commands").number(totals.opencl_commands);
  json.key("opencl_unfinished").number(totals.opencl_unfinished);
  json.key("open_ranges").number(totals.open_ranges);
  json.key("lost_records").number(totals.lost);
  json.key("names_dropped").number(totals.names_dropped);
  json.key("damaged").number(totals.damaged);
  json.key("run_folder_gone").boolean(totals.run_folder_gone);
  json.key("verdict").string(verdict);
  json.end_object();
  text += '\n';
  const bool in_place = text::is_no_plain_file(path);
  const std::string written = in_place ? path : path + ".new";
  Status status;
  base::Fd fd(::open(written.c_str(),
                     O_WRONLY | O_CLOEXEC | (in_place ? O_APPEND | O_NONBLOCK : O_CREAT | O_TRUNC),
                     0666));  // a pipe that nobody reads is not waited for
  if (!fd.valid()) {
    status = fail_errno(errno, path);
  } else if (is_same_file(report, path)) {
    status = fail(ErrorCode::kUsage, path + " is the report; name another file");
  } else {
    text::Output output(fd.get(), path);
    output.write(text);
    status = output.finish();
  }
  if (status && !in_place && std::rename(written.c_str(), path.c_str()) != 0)
    status = fail_errno(errno, path);
  if (!status && !in_place && fd.valid()) ::unlink(written.c_str());
  if (!status) text::error("--status-file: {}", status.error().message);
}

}  // namespace sextant::recording
