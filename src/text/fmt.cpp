// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The one place where the formatting library's own code is compiled, so that nothing links its shared object.
#include <fmt/format-inl.h>

#include <fmt/format.h>
