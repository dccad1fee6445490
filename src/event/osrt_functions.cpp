// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/osrt_functions.h"

namespace sextant::event {

namespace {

#define SEXTANT_OWN(symbol, shown, family, waits, object, access, failure, detail) \
  OsrtFunction{#symbol,                                                            \
               #shown,                                                             \
               OsrtFamily::family,                                                 \
               OsrtWaits::waits,                                                   \
               OsrtObject::object,                                                 \
               OsrtAccess::access,                                                 \
               OsrtFailure::failure,                                               \
               OsrtDetail::detail},
#define SEXTANT_CALL(symbol, shown, family, waits, object, access, failure, detail, ...) \
  SEXTANT_OWN(symbol, shown, family, waits, object, access, failure, detail)
#define SEXTANT_PATH SEXTANT_CALL
constexpr OsrtFunction kFunctions[] = {
#include "event/osrt_functions.def"
};
#undef SEXTANT_PATH
#undef SEXTANT_CALL
#undef SEXTANT_OWN

}  // namespace

std::span<const OsrtFunction> osrt_functions() {
  return kFunctions;
}

std::string_view family_name(OsrtFamily family) {
  switch (family) {
    case OsrtFamily::kFile:
      return "file";
    case OsrtFamily::kStdio:
      return "stream";
    case OsrtFamily::kSocket:
      return "socket";
    case OsrtFamily::kPoll:
      return "poll";
    case OsrtFamily::kSleep:
      return "sleep";
    case OsrtFamily::kLock:
      return "lock";
    case OsrtFamily::kWait:
      return "wait";
    case OsrtFamily::kThread:
      return "thread";
    case OsrtFamily::kProcess:
      return "process";
    case OsrtFamily::kMemory:
      return "memory";
    case OsrtFamily::kIpc:
      return "ipc";
    case OsrtFamily::kLoader:
      return "loader";
  }
  return "";
}

}  // namespace sextant::event
