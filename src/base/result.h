// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value or an Error. Used everywhere outside the agent's event path; no exceptions cross a
// function of ours. Status = Result<void>. Errors carry a code, one sentence for the user, and the sentences
// of what led there.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace sextant {

enum class ErrorCode {
  kUsage,        // the command line is wrong
  kNotFound,     // a file, table or report that was named does not exist
  kDenied,       // the system refuses: rights, limits
  kIo,           // the system failed: disk full, read error
  kCorrupt,      // bytes that are not what they claim to be
  kUnsupported,  // valid, but this release cannot do it (newer format, other clock, ...)
  kInternal,     // a bug of ours
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // what, where, what to do next; no trailing full stop, no newline

  /// The same error with "context: " put before the message.
  Error with(std::string_view context) && {
    message = std::string(context) + ": " + message;
    return std::move(*this);
  }
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// kIo, kDenied or kNotFound by errno, with strerror's text behind the message. Defined in result.cpp.
tl::unexpected<Error> fail_errno(int error_number, std::string_view what);

}  // namespace sextant

#define SEXTANT_CONCAT_(a, b) a##b
#define SEXTANT_CONCAT(a, b) SEXTANT_CONCAT_(a, b)

/// Returns the error of a Status or Result from the enclosing function.
#define SEXTANT_TRY(expr)                                                                              \
  do {                                                                                                 \
    auto&& sextant_status_ = (expr);                                                                   \
    if (!sextant_status_) return tl::unexpected<::sextant::Error>(std::move(sextant_status_).error()); \
  } while (false)

/// SEXTANT_ASSIGN(auto x, f()): the value of a Result, or returns its error.
#define SEXTANT_ASSIGN(lhs, expr)                                                                          \
  auto SEXTANT_CONCAT(sextant_result_, __LINE__) = (expr);                                                 \
  if (!SEXTANT_CONCAT(sextant_result_, __LINE__))                                                          \
    return tl::unexpected<::sextant::Error>(std::move(SEXTANT_CONCAT(sextant_result_, __LINE__)).error()); \
  lhs = std::move(*SEXTANT_CONCAT(sextant_result_, __LINE__))
