// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "open/nsys_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "base/fd.h"

extern char** environ;

namespace sextant::open {

namespace {

constexpr size_t kMostOutput = 4096;

/// The line of a failed program's output that says why: the first one about an error, else the last one.
std::string reason_in(std::string_view output) {
  std::string_view last;
  while (!output.empty()) {
    const size_t end = std::min(output.find_first_of("\r\n"), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    last = line;
    if (line.find("rror") != std::string_view::npos || line.find("nknown") != std::string_view::npos) break;
  }
  return std::string(last);
}

/// Runs a program in `folder` and waits. Its output, both streams, up to kMostOutput bytes, is left in
/// `output`.
Status run(const std::vector<std::string>& words, const std::string& folder, std::string* output) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail_errno(errno, "cannot make a pipe");
  base::Fd from(ends[0]);
  base::Fd to(ends[1]);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, to.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, to.get(), 2);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return fail_errno(error, "cannot run " + words[0]);
  to.reset();

  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(from.get(), buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    output->append(buffer, static_cast<size_t>(got));
    if (output->size() > kMostOutput)
      output->erase(0, output->size() - kMostOutput);  // the end says why it failed
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string reason = reason_in(*output);
  return fail(ErrorCode::kUnsupported,
              words[0] + " " + words[1] + " failed" + (reason.empty() ? "" : ": " + reason));
}

std::string version_of(const std::string& program) {
  std::string output;
  if (!run({program, "--version"}, "/", &output)) return "";
  constexpr std::string_view kMarker = "version ";
  const size_t at = output.find(kMarker);
  if (at == std::string::npos) return "";
  const size_t begin = at + kMarker.size();
  return output.substr(begin, output.find_first_not_of("0123456789.", begin) - begin);
}

std::string absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  char* folder = ::getcwd(nullptr, 0);
  std::string out = folder == nullptr ? path : std::string(folder) + "/" + path;
  std::free(folder);
  return out;
}

}  // namespace

std::vector<unsigned> version_numbers(const std::string& version) {
  std::vector<unsigned> numbers;
  bool in_number = false;
  for (const char c : version) {
    if (c >= '0' && c <= '9') {
      if (!in_number) numbers.push_back(0);
      in_number = true;
      if (numbers.back() < 100000000) numbers.back() = numbers.back() * 10 + static_cast<unsigned>(c - '0');
    } else if (c == '.' && in_number) {
      in_number = false;
    } else {
      break;
    }
  }
  return numbers;
}

Result<NsysProgram> find_nsys(const std::string& search_path, const std::string& version) {
  std::string seen;
  size_t begin = 0;
  while (begin <= search_path.size()) {
    const size_t end = std::min(search_path.find(':', begin), search_path.size());
    const std::string folder = search_path.substr(begin, end - begin);
    begin = end + 1;
    if (!folder.starts_with('/')) continue;  // the current folder, or one below it
    const std::string program = folder + "/nsys";
    struct stat status {};
    if (::stat(program.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
        ::access(program.c_str(), X_OK) != 0)
      continue;
    const std::string found = version_of(program);
    if (!found.empty() && version_numbers(found) >= version_numbers(version))
      return NsysProgram{program, found};
    seen += (seen.empty() ? "" : ", ") + program + (found.empty() ? " (does not run)" : " (" + found + ")");
  }
  if (seen.empty()) return fail(ErrorCode::kNotFound, "no nsys on PATH");
  return fail(ErrorCode::kNotFound, "no nsys of version " + version + " or later on PATH, only " + seen);
}

Status export_with_nsys(const NsysProgram& nsys, const std::string& file, bool is_stream,
                        const std::string& sqlite_path, const std::string& scratch) {
  std::string report = absolute(file);
  std::string output;
  if (is_stream) {
    const std::string made = scratch + "/stream.nsys-rep";
    SEXTANT_TRY(run(
        {nsys.path, "import", "--force-overwrite=true", "--input-file=" + report, "--output-file=" + made},
        scratch, &output));
    report = made;
  }
  output.clear();
  SEXTANT_TRY(
      run({nsys.path, "export", "--type=sqlite", "--force-overwrite=true", "--output=" + sqlite_path, report},
          scratch, &output));
  if (::access(sqlite_path.c_str(), R_OK) != 0)
    return fail(ErrorCode::kUnsupported, nsys.path + " export wrote nothing for " + file);
  return {};
}

}  // namespace sextant::open
