// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/probe_answer.h"

#include <array>
#include <charconv>

namespace sextant::doctor {

namespace {

uint64_t number(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// NVML counts generations from Kepler = 2 on.
Generation generation_of_number(uint64_t n) {
  if (n == 0xffffffffu || n < 2) return Generation::kUnknown;
  return n > 10 ? Generation::kLater : static_cast<Generation>(n - 1);
}

bool geforce_brand(uint64_t n) {
  return n == 5 || n == 6 || n == 15 || n == 16;  // GeForce, Titan, GeForce RTX, Titan RTX
}

Virtualization virtualization_of_number(uint64_t n) {
  if (n == 0) return Virtualization::kNone;
  if (n == 1) return Virtualization::kPassThrough;
  return n == 2 ? Virtualization::kVgpu : Virtualization::kHost;
}

void add_line(ProbeAnswer* answer, std::string_view key, std::string_view value) {
  if (key == "driver") answer->driver = value;
  if (key == "problem" && answer->gpus.empty()) answer->problem = value;
  if (key == "gpu") {
    Gpu& gpu = answer->gpus.emplace_back();
    gpu.name = value;
    gpu.generation = generation_of_product(value);
    gpu.geforce = value.find("GeForce") != std::string_view::npos;
  }
  if (answer->gpus.empty()) return;
  Gpu& gpu = answer->gpus.back();
  if (key == "architecture" && generation_of_number(number(value)) != Generation::kUnknown)
    gpu.generation = generation_of_number(number(value));
  if (key == "brand") gpu.geforce = gpu.geforce || geforce_brand(number(value));
  if (key == "mig") gpu.mig = number(value) == 1;
  if (key == "virtualization") gpu.virtualization = virtualization_of_number(number(value));
  if (key == "process") {
    const size_t space = std::min(value.find(' '), value.size());
    gpu.processes.push_back(
        {number(value.substr(std::min(space + 1, value.size()))), std::string(value.substr(0, space))});
  }
}

}  // namespace

std::string_view generation_name(Generation generation) {
  constexpr std::array<std::string_view, 11> kNames = {"unknown generation",
                                                       "Kepler",
                                                       "Maxwell",
                                                       "Pascal",
                                                       "Volta",
                                                       "Turing",
                                                       "Ampere",
                                                       "Ada",
                                                       "Hopper",
                                                       "Blackwell",
                                                       "later than Blackwell"};
  return kNames[static_cast<size_t>(generation)];
}

Generation generation_of_product(std::string_view name) {
  struct Product {
    std::string_view part;
    Generation generation;
  };
  using enum Generation;
  // the first that matches: longer names stand before those that they contain
  constexpr std::array kProducts = {
      Product{"GB200", kBlackwell},  Product{"GB300", kBlackwell}, Product{"B200", kBlackwell},
      Product{"B300", kBlackwell},   Product{"B100", kBlackwell},  Product{"RTX PRO", kBlackwell},
      Product{"RTX 50", kBlackwell}, Product{"GH200", kHopper},    Product{"H200", kHopper},
      Product{"H100", kHopper},      Product{"H800", kHopper},     Product{"H20", kHopper},
      Product{"L40", kAda},          Product{"L20", kAda},         Product{"L4", kAda},
      Product{"RTX 40", kAda},       Product{" Ada", kAda},        Product{"A100", kAmpere},
      Product{"A800", kAmpere},      Product{"A30", kAmpere},      Product{"A40", kAmpere},
      Product{"A10", kAmpere},       Product{"A16", kAmpere},      Product{"A2", kAmpere},
      Product{"RTX A", kAmpere},     Product{"RTX 30", kAmpere},   Product{"T4", kTuring},
      Product{"RTX 20", kTuring},    Product{"GTX 16", kTuring},   Product{"Quadro RTX", kTuring},
      Product{"TITAN RTX", kTuring}, Product{"V100", kVolta},      Product{"TITAN V", kVolta},
      Product{"P100", kPascal},      Product{"P40", kPascal},      Product{"P4", kPascal},
      Product{"GTX 10", kPascal},    Product{"M60", kMaxwell},     Product{"K80", kKepler},
  };
  for (const Product& product : kProducts)
    if (name.find(product.part) != std::string_view::npos) return product.generation;
  return kUnknown;
}

ProbeAnswer parse_probe_answer(std::string_view text) {
  ProbeAnswer answer;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const size_t space = std::min(line.find(' '), line.size());
    add_line(&answer, line.substr(0, space), line.substr(std::min(space + 1, line.size())));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return answer;
}

}  // namespace sextant::doctor
