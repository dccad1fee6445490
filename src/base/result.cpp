// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <cerrno>
#include <cstring>

namespace sextant {

tl::unexpected<Error> fail_errno(int error_number, std::string_view what) {
  ErrorCode code = ErrorCode::kIo;
  if (error_number == ENOENT || error_number == ENOTDIR) code = ErrorCode::kNotFound;
  if (error_number == EACCES || error_number == EPERM || error_number == EROFS) code = ErrorCode::kDenied;
  return fail(code, std::string(what) + ": " + std::strerror(error_number));
}

}  // namespace sextant
