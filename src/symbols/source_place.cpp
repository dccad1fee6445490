// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/source_place.h"

#include <fmt/format.h>

#ifdef SEXTANT_LIBDW
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/fd.h"
#endif

namespace sextant::symbols {

#ifndef SEXTANT_LIBDW

bool reads_debug_info() {
  return false;
}

Result<SourcePlace> find_source(int, const std::string&, std::span<const CodeAddress>, size_t,
                                const std::string&) {
  return fail(ErrorCode::kUnsupported,
              "this sextant was built without libdw (libdw-dev), which reads debug information");
}

#else

namespace {

constexpr uint64_t kPage = 4096;              // files are loaded at multiples of it
constexpr int64_t kMostBytes = 512 << 20;     // of a file; sections are read into memory
constexpr uint64_t kMostFunction = 16 << 20;  // larger ones tell nothing

using ElfHandle = std::unique_ptr<Elf, decltype(&elf_end)>;
using DwarfHandle = std::unique_ptr<Dwarf, decltype(&dwarf_end)>;

/// Not mapped: a file that is built anew meanwhile must not end the server.
Result<ElfHandle> read_elf(int fd, const std::string& name) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return fail_errno(errno, fmt::format("cannot read {}", name));
  if (status.st_size > kMostBytes)
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{} is larger than {} MiB; its debug information is not read", name, kMostBytes >> 20));
  static const bool known = elf_version(EV_CURRENT) != EV_NONE;
  ElfHandle elf(known ? elf_begin(fd, ELF_C_READ, nullptr) : nullptr, elf_end);
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF)
    return fail(ErrorCode::kNotFound, fmt::format("{} is no program or library (ELF)", name));
  return elf;
}

std::string build_id(Elf* elf) {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
  std::string id;
  for (ssize_t i = 0; i < size; ++i) id += fmt::format("{:02x}", static_cast<const uint8_t*>(bytes)[i]);
  return id;
}

DwarfHandle read_dwarf(Elf* elf) {
  DwarfHandle dwarf(dwarf_begin_elf(elf, DWARF_C_READ, nullptr), dwarf_end);
  Dwarf_Off next = 0;
  size_t header = 0;
  const bool has_unit = dwarf && dwarf_nextcu(dwarf.get(), 0, &next, &header, nullptr, nullptr, nullptr) == 0;
  return has_unit ? std::move(dwarf) : DwarfHandle(nullptr, dwarf_end);
}

/// A file's debug information: its own, or that of a file with the same build-id.
struct DebugFile {
  base::Fd fd;
  ElfHandle elf{nullptr, elf_end};
  DwarfHandle dwarf{nullptr, dwarf_end};
};

Result<DebugFile> find_debug_info(Elf* module, const std::string& name, const std::string& folder) {
  DebugFile out;
  out.dwarf = read_dwarf(module);
  if (out.dwarf) return out;
  const std::string id = build_id(module);
  if (id.size() < 4)
    return fail(ErrorCode::kNotFound,
                fmt::format("{} has no debug information and no build-id; compile with -g", name));
  const std::string path = fmt::format("{}/.build-id/{}/{}.debug", folder, id.substr(0, 2), id.substr(2));
  out.fd = base::Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (out.fd.valid()) {
    SEXTANT_ASSIGN(out.elf, read_elf(out.fd.get(), path));
    if (build_id(out.elf.get()) == id) out.dwarf = read_dwarf(out.elf.get());
  }
  if (!out.dwarf)
    return fail(ErrorCode::kNotFound,
                fmt::format("{} has no debug information (compile with -g, or install its debug package: {})",
                            name, path));
  return out;
}

std::string_view without_version(std::string_view name) {
  return name.substr(0, name.find('@'));
}

bool is_known(const CodeAddress& frame) {
  return !frame.function.empty() && !frame.function.starts_with("0x") && frame.function[0] != '[';
}

bool same_function(const char* symbol, const std::string& function) {
  if (without_version(symbol) == without_version(function)) return true;
  if (symbol[0] != '_' || symbol[1] != 'Z') return false;
  int failed = 0;
  const std::unique_ptr<char, decltype(&::free)> plain(abi::__cxa_demangle(symbol, nullptr, nullptr, &failed),
                                                       ::free);
  return plain && function == plain.get();
}

/// Where a file may have been loaded, from the functions that addresses are in.
class Loading {
 public:
  Loading(std::span<const CodeAddress> frames, bool fixed)
      : frames_(frames), fixed_(fixed), at_(frames.size()) {}

  /// All functions of a symbol table.
  void add(Elf* elf, GElf_Word type) {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type != type || header.sh_entsize == 0)
        continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      if (data == nullptr) continue;
      const uint64_t count = data->d_size / header.sh_entsize;
      for (uint64_t i = 0; i < count && i <= INT32_MAX; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
        const int kind = GELF_ST_TYPE(symbol.st_info);
        if ((kind != STT_FUNC && kind != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF) continue;
        const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name != nullptr) add_function(name, symbol.st_value, symbol.st_size);
      }
    }
  }

  /// Those that all frames with a known function allow; empty: none, or they contradict each other.
  std::set<uint64_t> places() const {
    std::map<uint64_t, size_t> votes;
    size_t voters = 0;
    for (const auto& of_frame : at_) {
      voters += !of_frame.empty();
      for (const auto& [place, function] : of_frame) ++votes[place];
    }
    std::set<uint64_t> out;
    if (voters == 0 && fixed_) out.insert(0);
    for (const auto& [place, count] : votes)
      if (count == voters) out.insert(place);
    return out;
  }
  /// Where a frame's function begins, in the file's own addresses, if the file was loaded at `place`.
  std::optional<uint64_t> function_at(size_t frame, uint64_t place) const {
    const auto found = at_[frame].find(place);
    return found == at_[frame].end() ? std::nullopt : std::optional(found->second);
  }

 private:
  /// Most functions are shorter than a page: few addresses are left to be compared by name.
  void add_function(const char* name, uint64_t value, uint64_t size) {
    if (size > kMostFunction) return;
    for (size_t f = 0; f < frames_.size(); ++f) {
      const uint64_t address = frames_[f].address - (frames_[f].is_return ? 1 : 0);
      if (!is_known(frames_[f]) || address < value) continue;
      const uint64_t behind = (address - value) % kPage;
      if (behind >= size || (fixed_ && address - value >= size) || !same_function(name, frames_[f].function))
        continue;
      if (fixed_) at_[f][0] = value;
      for (uint64_t into = behind; !fixed_ && into < size && into <= address - value; into += kPage)
        at_[f][address - value - into] = value;
    }
  }

  std::span<const CodeAddress> frames_;
  bool fixed_;  // a program that is loaded where it says
  std::vector<std::map<uint64_t, uint64_t> >
      at_;  // of each frame: place of the file -> begin of the function
};

std::optional<SourcePlace> line_at(Dwarf* dwarf, uint64_t address) {
  Dwarf_Die unit;
  bool found = dwarf_addrdie(dwarf, address, &unit) != nullptr;
  // some compilers write no table of addresses
  for (Dwarf_Off at = 0, next = 0; !found; at = next) {
    size_t header = 0;
    if (dwarf_nextcu(dwarf, at, &next, &header, nullptr, nullptr, nullptr) != 0) return std::nullopt;
    found = dwarf_offdie(dwarf, at + header, &unit) != nullptr && dwarf_haspc(&unit, address) > 0;
  }
  Dwarf_Line* line = dwarf_getsrc_die(&unit, address);
  int number = 0;
  const char* file = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
  if (file == nullptr || dwarf_lineno(line, &number) != 0 || number <= 0) return std::nullopt;
  std::filesystem::path path = file;
  Dwarf_Attribute attribute;
  // "../src/x.c" where a build tool compiles in another folder
  const char* folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
  if (path.is_relative() && folder != nullptr) path = (folder / path).lexically_normal();
  return SourcePlace{path.string(), static_cast<uint64_t>(number), true};
}

}  // namespace

bool reads_debug_info() {
  return true;
}

Result<SourcePlace> find_source(int module, const std::string& name, std::span<const CodeAddress> frames,
                                size_t which, const std::string& debug_folder) {
  SEXTANT_ASSIGN(const ElfHandle elf, read_elf(module, name));
  SEXTANT_ASSIGN(const DebugFile debug, find_debug_info(elf.get(), name, debug_folder));
  GElf_Ehdr header;
  if (gelf_getehdr(elf.get(), &header) == nullptr)
    return fail(ErrorCode::kCorrupt, fmt::format("{} is damaged", name));
  Loading loading(frames, header.e_type == ET_EXEC);
  loading.add(elf.get(), SHT_SYMTAB);
  loading.add(elf.get(), SHT_DYNSYM);
  if (debug.elf) loading.add(debug.elf.get(), SHT_SYMTAB);
  const std::set<uint64_t> places = loading.places();
  if (places.empty())
    return fail(
        ErrorCode::kCorrupt,
        fmt::format("in {} the functions of this call stack do not lie where the addresses say: it is "
                    "another version than the one that ran, or stripped of its symbols",
                    name));
  const CodeAddress& frame = frames[which];
  if (places.size() == 1) {
    const uint64_t address = frame.address - *places.begin() - (frame.is_return ? 1 : 0);
    if (auto place = line_at(debug.dwarf.get(), address)) return std::move(*place);
    return fail(ErrorCode::kNotFound,
                fmt::format("the debug information of {} has no line for this address", name));
  }
  // Several fit: the line is not known, the function may be.
  std::set<uint64_t> functions;
  for (const uint64_t place : places) functions.insert(loading.function_at(which, place).value_or(0));
  if (functions.size() == 1 && *functions.begin() != 0)
    if (auto place = line_at(debug.dwarf.get(), *functions.begin())) {
      place->exact = false;
      return std::move(*place);
    }
  return fail(
      ErrorCode::kNotFound,
      fmt::format("the report does not say where {} was loaded, and this call stack leaves {} possibilities",
                  name, places.size()));
}

#endif

}  // namespace sextant::symbols
