// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/core/environment.h"

#include <unistd.h>

#include <cstring>

#include "agent/core/sys.h"
#include "spool/launcher.h"
#include "spool/opencl.h"

namespace sextant::agent {

namespace {

constexpr const char* kPreload = "LD_PRELOAD";
constexpr const char* kNvtxTool = "NVTX_INJECTION64_PATH";
constexpr const char* kOpenclLayers = "OPENCL_LAYERS";

const char* value_of(const char* entry, const char* name) {
  size_t n = std::strlen(name);
  return std::strncmp(entry, name, n) == 0 && entry[n] == '=' ? entry + n + 1 : nullptr;
}

/// The linker takes blanks and colons between the names in LD_PRELOAD.
bool separates(char c) {
  return c == ':' || c == ' ';
}

/// The agent, or what goes with it.
bool is_ours(const char* path, size_t bytes, const char* agent) {
  if (bytes == std::strlen(agent) && std::memcmp(path, agent, bytes) == 0) return true;
  const char* slash = std::strrchr(agent, '/');
  const size_t folder = slash != nullptr ? static_cast<size_t>(slash + 1 - agent) : 0;
  return bytes == folder + sizeof spool::kOpenclExports - 1 && std::memcmp(path, agent, folder) == 0 &&
         std::memcmp(path + folder, spool::kOpenclExports, bytes - folder) == 0;
}

/// Copies a preload list without `agent`. Returns whether anything is left.
bool strip_list(const char* list, const char* agent, char* to) {
  bool any = false;
  while (*list != 0) {
    while (separates(*list)) ++list;
    size_t n = 0;
    while (list[n] != 0 && !separates(list[n])) ++n;
    if (n != 0 && !is_ours(list, n, agent)) {
      if (any) *to++ = ':';
      std::memcpy(to, list, n);
      to += n;
      any = true;
    }
    list += n;
  }
  *to = 0;
  return any;
}

bool lists(const char* list, const char* agent) {
  size_t agent_bytes = std::strlen(agent);
  for (const char* found = list; (found = std::strstr(found, agent)) != nullptr; ++found) {
    bool begins = found == list || separates(found[-1]);
    if (begins && (found[agent_bytes] == 0 || separates(found[agent_bytes]))) return true;
  }
  return false;
}

}  // namespace

const char* environment_value(char* const* environment, const char* name) {
  if (environment == nullptr) return nullptr;
  for (; *environment != nullptr; ++environment)
    if (const char* value = value_of(*environment, name)) return value;
  return nullptr;
}

bool environment_has_agent(char* const* environment, const char* agent) {
  const char* list = environment_value(environment, kPreload);
  return list != nullptr && lists(list, agent) && environment_value(environment, "SEXTANT_RUN") != nullptr;
}

size_t stripped_room(char* const* environment) {
  size_t count = 1;
  size_t text = 0;
  for (; environment != nullptr && *environment != nullptr; ++environment, ++count)
    if (value_of(*environment, kPreload) != nullptr || value_of(*environment, kOpenclLayers) != nullptr)
      text += std::strlen(*environment) + 1;
  return count * sizeof(char*) + text;
}

char** strip_environment(char* const* environment, const char* agent, bool preload_too, void* room) {
  size_t count = 1;
  for (char* const* e = environment; e != nullptr && *e != nullptr; ++e) ++count;
  char** copy = static_cast<char**>(room);
  char* text = reinterpret_cast<char*>(copy + count);
  char** to = copy;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const char* list = preload_too ? value_of(*environment, kPreload) : nullptr;
    if (list == nullptr) list = value_of(*environment, kOpenclLayers);
    const char* tool = value_of(*environment, kNvtxTool);
    if (tool != nullptr && std::strcmp(tool, agent) == 0) continue;
    if (list != nullptr && lists(list, agent)) {
      size_t head = static_cast<size_t>(list - *environment);
      std::memcpy(text, *environment, head);
      if (!strip_list(list, agent, text + head)) continue;
      *to++ = text;
      text += std::strlen(text) + 1;
      continue;
    }
    *to++ = *environment;
  }
  *to = nullptr;
  return copy;
}

void copy_launcher_variables(char* const* environment, char* to, size_t room) {
  for (const char* name : spool::kLauncherVariables) {
    const char* value = environment_value(environment, name);
    if (value == nullptr || !spool::is_launcher_value(value)) continue;
    const size_t name_bytes = std::strlen(name), value_bytes = std::strlen(value) + 1;
    if (name_bytes + 1 + value_bytes >= room) continue;  // one NUL must be left
    std::memcpy(to, name, name_bytes);  // NOLINT(bugprone-not-null-terminated-result): '=' follows
    to[name_bytes] = '=';
    std::memcpy(to + name_bytes + 1, value, value_bytes);
    to += name_bytes + 1 + value_bytes;
    room -= name_bytes + 1 + value_bytes;
  }
}

void add_to_environment(const char* name, char* entry) {
  if (environment_value(environ, name) != nullptr) return;
  size_t count = 0;
  while (environ != nullptr && environ[count] != nullptr) ++count;
  auto** fresh = static_cast<char**>(sys::map_private((count + 2) * sizeof(char*)));
  if (fresh == nullptr) return;
  for (size_t i = 0; i < count; ++i) fresh[i] = environ[i];
  fresh[count] = entry;
  environ = fresh;
}

}  // namespace sextant::agent
