// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// docs/permissions.md, made from the checks.
#pragma once

#include <string>

namespace sextant::doctor {

std::string permissions_page();

}  // namespace sextant::doctor
