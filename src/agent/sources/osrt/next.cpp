// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The linker's list of libraries is walked from this library on. What is visited was loaded at the start of
// the program and is never unloaded; behind the C library, where libraries come and go, nothing is looked at.
#include "agent/sources/osrt/next.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstring>

namespace sextant::agent::osrt {

namespace {

constexpr uint16_t kHiddenVersion = 0x8000;

/// What a library's dynamic section says about its symbols.
struct Symbols {
  const ElfW(Sym) * symbols;
  const char* strings;
  const uint32_t* hash;
  const uint16_t* versions;
  const char* soname;
};

/// The list's head, out of the program's own dynamic section, which the linker has filled in.
const link_map* first_library() {
  const auto* header = reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR));
  const size_t count = getauxval(AT_PHNUM);
  const ElfW(Dyn)* dynamic = nullptr;
  uintptr_t bias = 0;
  for (size_t i = 0; header != nullptr && i < count; ++i)
    if (header[i].p_type == PT_PHDR) bias = reinterpret_cast<uintptr_t>(header) - header[i].p_vaddr;
  for (size_t i = 0; header != nullptr && i < count; ++i)
    if (header[i].p_type == PT_DYNAMIC)
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(bias + header[i].p_vaddr);
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag != DT_DEBUG) continue;
    const auto* debug = reinterpret_cast<const r_debug*>(dynamic->d_un.d_ptr);
    return debug != nullptr ? debug->r_map : nullptr;
  }
  return nullptr;
}

/// glibc turns the addresses of most libraries into absolute ones in place, musl and read-only sections keep
/// offsets.
const void* address_in(const link_map* library, uintptr_t value) {
  return reinterpret_cast<const void*>(value < library->l_addr ? library->l_addr + value : value);
}

bool symbols_of(const link_map* library, Symbols* out) {
  *out = {};
  uintptr_t soname = UINTPTR_MAX;
  for (const ElfW(Dyn)* d = library->l_ld; d != nullptr && d->d_tag != DT_NULL; ++d) {
    const void* at = address_in(library, d->d_un.d_ptr);
    if (d->d_tag == DT_SYMTAB) out->symbols = static_cast<const ElfW(Sym)*>(at);
    if (d->d_tag == DT_STRTAB) out->strings = static_cast<const char*>(at);
    if (d->d_tag == DT_GNU_HASH) out->hash = static_cast<const uint32_t*>(at);
    if (d->d_tag == DT_VERSYM) out->versions = static_cast<const uint16_t*>(at);
    if (d->d_tag == DT_SONAME) soname = d->d_un.d_val;
  }
  if (out->symbols == nullptr || out->strings == nullptr || out->hash == nullptr) return false;
  out->soname = soname != UINTPTR_MAX ? out->strings + soname : "";
  return true;
}

uint32_t gnu_hash(const char* name) {
  uint32_t hash = 5381;
  for (; *name != 0; ++name) hash = hash * 33 + static_cast<uint8_t>(*name);
  return hash;
}

bool is_default_function(const Symbols& in, uint32_t index, const char* name) {
  const ElfW(Sym)& symbol = in.symbols[index];
  const unsigned type = symbol.st_info & 0xf;
  return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 && type == STT_FUNC &&
         (in.versions == nullptr || (in.versions[index] & kHiddenVersion) == 0) &&
         std::strcmp(in.strings + symbol.st_name, name) == 0;
}

void* find(const link_map* library, const Symbols& in, const char* name, uint32_t hash) {
  const uint32_t buckets = in.hash[0], first = in.hash[1], words = in.hash[2], shift = in.hash[3];
  constexpr uint32_t kBits = sizeof(ElfW(Addr)) * 8;
  const auto* bloom = reinterpret_cast<const ElfW(Addr)*>(in.hash + 4);
  if (buckets == 0 || words == 0) return nullptr;
  const ElfW(Addr) word = bloom[hash / kBits % words];
  const ElfW(Addr) mask = ElfW(Addr){1} << hash % kBits | ElfW(Addr){1} << (hash >> shift) % kBits;
  if ((word & mask) != mask) return nullptr;
  const auto* bucket = reinterpret_cast<const uint32_t*>(bloom + words);
  const uint32_t* chain = bucket + buckets;
  uint32_t index = bucket[hash % buckets];
  if (index < first) return nullptr;
  for (;; ++index) {
    const uint32_t entry = chain[index - first];
    if ((entry | 1) == (hash | 1) && is_default_function(in, index, name))
      return reinterpret_cast<void*>(library->l_addr + in.symbols[index].st_value);
    if ((entry & 1) != 0) return nullptr;
  }
}

}  // namespace

void* next_definition(const char* name, const void** in) {
  const link_map* library = first_library();
  while (library != nullptr && library->l_ld != _DYNAMIC) library = library->l_next;
  const uint32_t hash = gnu_hash(name);
  for (library = library != nullptr ? library->l_next : nullptr; library != nullptr;
       library = library->l_next) {
    Symbols symbols;
    if (!symbols_of(library, &symbols)) continue;
    if (void* found = find(library, symbols, name, hash)) {
      if (in != nullptr) *in = library;
      return found;
    }
    if (std::strncmp(symbols.soname, "libc.so.", 8) == 0) return nullptr;
  }
  return nullptr;
}

}  // namespace sextant::agent::osrt
