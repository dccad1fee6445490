// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Reasons for people.
#pragma once

#include <cstdint>
#include <string>

#include "spool/format.h"

namespace sextant::collector {

/// Why something is not traced, and what would help. "" for Untraced::kNo.
const char* untraced_text(spool::Untraced reason);

/// Why records were lost: the sentences of all bits of spool::LossReason.
std::string loss_text(uint32_t reasons);

}  // namespace sextant::collector
