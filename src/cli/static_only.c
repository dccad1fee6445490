/* SPDX-FileCopyrightText: The Sextant authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * SQLite can load extensions, and OpenSSL can look names of machines up, which Sextant never asks of them. A
 * static program has no use for the loader that this would bring in (and the linker warns of): references to
 * it end here, by the linker's --wrap.
 */
#include <netdb.h>
#include <stddef.h>

void* __wrap_dlopen(const char* name, int flags);

void* __wrap_dlopen(const char* name, int flags) {
  (void)name;
  (void)flags;
  return NULL;
}

int __wrap_getaddrinfo(const char* node, const char* service, const struct addrinfo* hints,
                       struct addrinfo** result);

int __wrap_getaddrinfo(const char* node, const char* service, const struct addrinfo* hints,
                       struct addrinfo** result) {
  (void)node;
  (void)service;
  (void)hints;
  (void)result;
  return EAI_FAIL;
}

struct hostent* __wrap_gethostbyname(const char* name);

struct hostent* __wrap_gethostbyname(const char* name) {
  (void)name;
  return NULL;
}
