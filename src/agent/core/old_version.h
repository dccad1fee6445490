// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that moved from libdl into libc with glibc 2.34: their old versions are in both, so what asks for
// those is loaded by every glibc.
#pragma once

#if defined(__x86_64__)
#define SEXTANT_OLD_VERSION(name) asm(".symver " #name "," #name "@GLIBC_2.2.5")
#elif defined(__aarch64__)
#define SEXTANT_OLD_VERSION(name) asm(".symver " #name "," #name "@GLIBC_2.17")
#endif
