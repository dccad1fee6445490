// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Streams. What the C library does for them below is not seen otherwise: it calls read and write past the
// symbols that are hooked. A call that the stream's buffer serves is no event: whether it does is read off
// the stream, as another thread may be changing it; the answer only decides about the record.
#include <cstdio>
#include <cstring>

#include "agent/sources/osrt/record.h"

namespace sextant::agent::osrt {

namespace {

constexpr int kUnbuffered = 0x2, kLineBuffered = 0x200;  // flags of a stream, as in the C library's ABI

template <typename T>
T look(const T& at) {
  return __atomic_load_n(&at, __ATOMIC_RELAXED);
}

size_t buffered(const FILE* file) {
  const char *from = look(file->_IO_read_ptr), *to = look(file->_IO_read_end);
  return from < to ? static_cast<size_t>(to - from) : 0;
}
size_t room(const FILE* file) {
  const char *from = look(file->_IO_write_ptr), *to = look(file->_IO_buf_end);
  const bool whole = (look(file->_flags) & (kUnbuffered | kLineBuffered)) == 0;
  return whole && from != nullptr && from < to ? static_cast<size_t>(to - from) : 0;
}
/// The buffer has a whole line, or as much as is asked for.
bool has_line(const FILE* file, size_t most, int delimiter) {
  const size_t there = buffered(file);
  return there != 0 && (there >= most || std::memchr(look(file->_IO_read_ptr), delimiter, there) != nullptr);
}

int fd_of(const FILE* file) {
  return file != nullptr ? look(file->_fileno) : -1;
}

template <Function kFunction, typename Real>
[[gnu::always_inline]] inline auto on_stream(Real call_real, FILE* file) {
  return through<kFunction>(call_real, static_cast<uint64_t>(static_cast<int64_t>(fd_of(file))), nullptr);
}

/// fread and fwrite: the record has the bytes, too.
template <Function kFunction, typename Real>
[[gnu::always_inline]] inline size_t moved(Real call_real, FILE* file, size_t size) {
  const Wanted how = wanted(kFunction);
  if (how != kCallAndFile) return on_stream<kFunction>(call_real, file);
  const int fd = fd_of(file);
  const auto about = static_cast<uint64_t>(static_cast<int64_t>(fd));
  const uint64_t begin = now();
  begin_call<kFunction>(begin, about);
  const size_t items = call_real();
  const Words words = describe<kFunction>(about, items);
  finish_with_file(begin, words.head, words.value, words.error, file_of(fd), nullptr, items * size);
  return items;
}

}  // namespace

extern "C" {

SEXTANT_HOOK int hook_fclose(FILE* file) __asm__("fclose");
SEXTANT_HOOK int hook_fclose(FILE* file) {
  auto* next = real<int(FILE*)>(Function::fclose);
  return on_stream<Function::fclose>([=] { return next(file); }, file);
}

SEXTANT_HOOK int hook_fflush(FILE* file) __asm__("fflush");
SEXTANT_HOOK int hook_fflush(FILE* file) {
  auto* next = real<int(FILE*)>(Function::fflush);
  if (file != nullptr && look(file->_IO_write_ptr) == look(file->_IO_write_base) && buffered(file) == 0)
    return next(file);
  return on_stream<Function::fflush>([=] { return next(file); }, file);
}

SEXTANT_HOOK size_t hook_fread(void* to, size_t size, size_t count, FILE* file) __asm__("fread");
SEXTANT_HOOK size_t hook_fread(void* to, size_t size, size_t count, FILE* file) {
  auto* next = real<size_t(void*, size_t, size_t, FILE*)>(Function::fread);
  if (size * count <= buffered(file)) return next(to, size, count, file);
  return moved<Function::fread>([=] { return next(to, size, count, file); }, file, size);
}

SEXTANT_HOOK size_t hook_fwrite(const void* from, size_t size, size_t count, FILE* file) __asm__("fwrite");
SEXTANT_HOOK size_t hook_fwrite(const void* from, size_t size, size_t count, FILE* file) {
  auto* next = real<size_t(const void*, size_t, size_t, FILE*)>(Function::fwrite);
  if (size * count <= room(file)) return next(from, size, count, file);
  return moved<Function::fwrite>([=] { return next(from, size, count, file); }, file, size);
}

SEXTANT_HOOK char* hook_fgets(char* to, int most, FILE* file) __asm__("fgets");
SEXTANT_HOOK char* hook_fgets(char* to, int most, FILE* file) {
  auto* next = real<char*(char*, int, FILE*)>(Function::fgets);
  if (most <= 1 || has_line(file, static_cast<size_t>(most) - 1, '\n')) return next(to, most, file);
  return on_stream<Function::fgets>([=] { return next(to, most, file); }, file);
}

SEXTANT_HOOK ssize_t hook_getline(char** line, size_t* bytes, FILE* file) __asm__("getline");
SEXTANT_HOOK ssize_t hook_getline(char** line, size_t* bytes, FILE* file) {
  auto* next = real<ssize_t(char**, size_t*, FILE*)>(Function::getline);
  if (has_line(file, SIZE_MAX, '\n')) return next(line, bytes, file);
  return on_stream<Function::getline>([=] { return next(line, bytes, file); }, file);
}

SEXTANT_HOOK ssize_t hook_getdelim(char** line, size_t* bytes, int delimiter, FILE* file) __asm__("getdelim");
SEXTANT_HOOK ssize_t hook_getdelim(char** line, size_t* bytes, int delimiter, FILE* file) {
  auto* next = real<ssize_t(char**, size_t*, int, FILE*)>(Function::getdelim);
  if (has_line(file, SIZE_MAX, delimiter)) return next(line, bytes, delimiter, file);
  return on_stream<Function::getdelim>([=] { return next(line, bytes, delimiter, file); }, file);
}

}  // extern "C"

}  // namespace sextant::agent::osrt
