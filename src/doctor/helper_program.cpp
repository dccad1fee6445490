// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/helper_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>

#include "doctor/libraries.h"

extern char** environ;

namespace sextant::doctor {

namespace {

constexpr const char* kProgram = "sextant-probe";
constexpr size_t kMostAnswer = 256 << 10;

/// Where the agent is looked for, too.
std::string find_program() {
  char self[PATH_MAX];
  const ssize_t n = ::readlink("/proc/self/exe", self, sizeof self);
  std::string folder(self, n > 0 ? static_cast<size_t>(n) : 0);
  folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/'));
  for (const char* place : {"/../lib/sextant/", "/../lib/", "/"})
    if (std::string path = folder + place + kProgram; ::access(path.c_str(), X_OK) == 0) return path;
  return "";
}

/// The caller's environment, in which the loader does not look into the current folder.
std::vector<std::string> safe_environment() {
  constexpr std::string_view kPath = "LD_LIBRARY_PATH=";
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    variables.emplace_back(!variable.starts_with(kPath)
                               ? std::string(variable)
                               : std::string(kPath) + absolute_only(variable.substr(kPath.size())));
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>* words) {
  std::vector<char*> out;
  for (std::string& word : *words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

HelperProgram::~HelperProgram() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void HelperProgram::start(std::vector<std::string> arguments) {
  const std::string path = find_program();
  if (path.empty()) {
    problem_ = "sextant-probe is not beside the program, and NVIDIA's libraries cannot be opened without it";
    return;
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    problem_ = std::string("no pipe: ") + std::strerror(errno);
    return;
  }
  output_ = base::Fd(ends[0]);
  const base::Fd writing(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, writing.get(), 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  arguments.insert(arguments.begin(), kProgram);
  std::vector<std::string> variables = safe_environment();
  const int error = ::posix_spawn(&pid_, path.c_str(), &actions, nullptr, pointers(&arguments).data(),
                                  pointers(&variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return;
  pid_ = -1;  // musl systems lack the loader that the program asks for
  problem_ = std::string("sextant-probe cannot be run here: ") + std::strerror(error);
}

std::string HelperProgram::answer(int most_ms) {
  if (!problem_.empty()) return "problem " + problem_ + "\n";
  if (pid_ < 0) return "";
  std::string text;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(most_ms);
  while (text.size() < kMostAnswer) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd wait{output_.get(), POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&wait, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return fmt::format("problem no answer within {} s\n", most_ms / 1000);
    char buffer[4096];
    const ssize_t n = ::read(output_.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(buffer, static_cast<size_t>(n));
  }
  return text.empty() ? "problem sextant-probe ended without an answer\n" : text;
}

}  // namespace sextant::doctor
