/* SPDX-FileCopyrightText: The Sextant authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * SQLite can load extensions, which Sextant never asks of it. A static program has no use for the loader that
 * this would bring in (and the linker warns of): references to it end here, by the linker's --wrap.
 */
#include <stddef.h>

void* __wrap_dlopen(const char* name, int flags);

void* __wrap_dlopen(const char* name, int flags) {
  (void)name;
  (void)flags;
  return NULL;
}
