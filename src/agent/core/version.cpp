// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which release this is: read from the file, never by the program.
#include "base/agent_version.h"

namespace sextant::agent {

[[gnu::used]] static constexpr char kVersionText[] = SEXTANT_AGENT_MARK SEXTANT_VERSION;

}  // namespace sextant::agent
