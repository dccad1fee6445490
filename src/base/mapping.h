// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Mapping owns a memory mapping of (a part of) a file. Reading a mapping beyond the end of a file that shrank
// raises SIGBUS: readers of hostile or growing files use pread instead, or check the size of files only they
// can shrink.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace sextant::base {

class Mapping {
 public:
  Mapping() = default;
  Mapping(void* address, size_t bytes) : address_(address), bytes_(bytes) {}
  Mapping(Mapping&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    if (this != &other) {
      reset();
      address_ = std::exchange(other.address_, nullptr);
      bytes_ = std::exchange(other.bytes_, 0);
    }
    return *this;
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { reset(); }

  bool valid() const { return address_ != nullptr; }
  uint8_t* data() const { return static_cast<uint8_t*>(address_); }
  size_t size() const { return bytes_; }
  std::span<const uint8_t> bytes() const { return {data(), bytes_}; }
  void reset() {
    if (address_ != nullptr) ::munmap(address_, bytes_);
    address_ = nullptr;
    bytes_ = 0;
  }

 private:
  void* address_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace sextant::base
