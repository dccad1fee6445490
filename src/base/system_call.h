// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine's system_call() and thread functions.
#pragma once

#if defined(__x86_64__)
#include "base/arch/x86_64/syscall.h"
#include "base/arch/x86_64/thread.h"
#else
#include "base/arch/generic/syscall.h"
#include "base/arch/generic/thread.h"
#endif
