// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands in an agent's file before the version of the release that it belongs to: whoever loads one
// looks first. A macro, since the version is put behind it when it is compiled.
#pragma once

#define SEXTANT_AGENT_MARK "sextant agent of version "
