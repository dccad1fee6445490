// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/event.h"
#include "serve/layer_overview.h"

namespace sextant::serve {

/// An event that is no row of one table but is found out from several, with its lane.
struct DerivedEvent {
  LaneKey lane;
  Event event;
};

}  // namespace sextant::serve
