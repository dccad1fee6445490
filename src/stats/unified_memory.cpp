// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// um_sum, um_total_sum, um_cpu_page_faults_sum: migrations of unified memory between host and device, and the
// page faults behind them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "event/schema_cuda.h"
#include "stats/cuda_names.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

constexpr uint64_t kUnifiedToDevice = 11, kUnifiedToHost = 12;
constexpr double kMegabyte = 1e6;

struct Page {
  std::optional<uint64_t> address;
  std::optional<uint64_t> to_device, to_host;  // bytes
  uint64_t duration_ns = 0;                    // of the migrations
  std::optional<uint64_t> cpu_faults, gpu_faults;

  bool migrated() const { return to_device || to_host; }
  /// Bytes a second; negative where nothing migrated.
  double throughput() const {
    if (!migrated() || duration_ns == 0) return -1;
    return static_cast<double>(to_device.value_or(0) + to_host.value_or(0)) * 1e9 /
           static_cast<double>(duration_ns);
  }
};

void add(std::optional<uint64_t>* to, uint64_t n) {
  *to = to->value_or(0) + n;
}

/// By address; migrations whose address was not recorded have none.
Result<std::map<std::optional<uint64_t>, Page>> load_pages(const query::Source& source) {
  std::map<std::optional<uint64_t>, Page> pages;
  const auto page = [&](std::optional<uint64_t> address) -> Page& {
    Page& at = pages[address];
    at.address = address;
    return at;
  };
  {
    using namespace event::cuda_memcpy;
    const uint16_t columns[] = {kKind, kBytes, kDuration, kVirtualAddress, kNulls};
    SEXTANT_TRY(source.scan_table(event::kCudaMemcpy, columns, 1, [&](size_t, query::TableBatch& b) {
      const auto& c = b.columns;
      for (size_t i = 0; i < b.rows; ++i) {
        if (c[0][i] != kUnifiedToDevice && c[0][i] != kUnifiedToHost) continue;
        Page& at = page(event::is_null(c[4][i], kVirtualAddress) ? std::nullopt : std::optional(c[3][i]));
        add(c[0][i] == kUnifiedToDevice ? &at.to_device : &at.to_host, c[1][i]);
        at.duration_ns += c[2][i];
      }
    }));
  }
  {
    using namespace event::um_cpu_page_fault;
    const uint16_t columns[] = {kAddress};
    SEXTANT_TRY(source.scan_table(event::kUmCpuPageFault, columns, 1, [&](size_t, query::TableBatch& b) {
      for (const uint64_t address : b.columns[0]) add(&page(address).cpu_faults, 1);
    }));
  }
  {
    using namespace event::um_gpu_page_fault;
    const uint16_t columns[] = {kAddress, kFaults};
    SEXTANT_TRY(source.scan_table(event::kUmGpuPageFault, columns, 1, [&](size_t, query::TableBatch& b) {
      for (size_t i = 0; i < b.rows; ++i) add(&page(b.columns[0][i]).gpu_faults, b.columns[1][i]);
    }));
  }
  return pages;
}

std::string address_text(uint64_t address) {
  return fmt::format("0x{:X}", address);
}
constexpr std::string_view kNothing = "migrations or page faults of unified memory";

void set_bytes(text::Cell& cell, const std::optional<uint64_t>& bytes) {
  if (bytes) cell.set(static_cast<double>(*bytes) / kMegabyte);
}
void set_count(text::Cell& cell, const std::optional<uint64_t>& count) {
  if (count) cell.set(static_cast<int64_t>(*count));
}

}  // namespace

Result<text::Table> make_um_sum(const query::Source& source, const ReportArguments& arguments) {
  SEXTANT_ASSIGN(const auto pages, load_pages(source));
  struct Lines {
    std::vector<Page> pages;
    std::string address;  // of the row at hand
  };
  auto lines = std::make_shared<Lines>();
  for (const auto& [address, page] : pages) lines->pages.push_back(page);
  std::stable_sort(lines->pages.begin(), lines->pages.end(),
                   [](const Page& a, const Page& b) { return a.throughput() > b.throughput(); });
  text::Table table;
  table.columns = {{"Virtual Address", "", kText},          {"HtoD Migration size", "MB", kReal, 3},
                   {"DtoH Migration size", "MB", kReal, 3}, {"CPU Page Faults", "", kInteger},
                   {"GPU Page Faults", "", kInteger},       {"Migration Throughput", "MB/s", kReal, 3}};
  table.rows = lines->pages.size();
  if (arguments.rows >= 0) table.rows = std::min(table.rows, static_cast<uint64_t>(arguments.rows));
  if (table.rows == 0) table.why_empty = why_nothing(source, kNothing, "unified memory");
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) {
    const Page& page = lines->pages[row];
    if (page.address) {
      lines->address = address_text(*page.address);
      cells[0].set(std::string_view(lines->address));
    }
    set_bytes(cells[1], page.to_device);
    set_bytes(cells[2], page.to_host);
    set_count(cells[3], page.cpu_faults);
    set_count(cells[4], page.gpu_faults);
    if (page.throughput() >= 0) cells[5].set(page.throughput() / kMegabyte);
  };
  return table;
}

Result<text::Table> make_um_total_sum(const query::Source& source, const ReportArguments&) {
  SEXTANT_ASSIGN(const auto pages, load_pages(source));
  Page total;
  std::string lowest, highest;
  for (const auto& [address, page] : pages) {
    if (page.to_device) add(&total.to_device, *page.to_device);
    if (page.to_host) add(&total.to_host, *page.to_host);
    if (page.cpu_faults) add(&total.cpu_faults, *page.cpu_faults);
    if (page.gpu_faults) add(&total.gpu_faults, *page.gpu_faults);
    if (!address) continue;
    if (lowest.empty()) lowest = address_text(*address);
    highest = address_text(*address);
  }
  text::Table table;
  table.columns = {
      {"Total HtoD Migration Size", "MB", kReal, 3}, {"Total DtoH Migration Size", "MB", kReal, 3},
      {"Total CPU Page Faults", "", kInteger},       {"Total GPU PageFaults", "", kInteger},
      {"Minimum Virtual Address", "", kText},        {"Maximum Virtual Address", "", kText}};
  table.rows = pages.empty() ? 0 : 1;
  if (table.rows == 0) table.why_empty = why_nothing(source, kNothing, "unified memory");
  table.fill = [total, lowest, highest](uint64_t, std::span<text::Cell> cells) {
    set_bytes(cells[0], total.to_device);
    set_bytes(cells[1], total.to_host);
    set_count(cells[2], total.cpu_faults);
    set_count(cells[3], total.gpu_faults);
    cells[4].set(std::string_view(lowest));
    cells[5].set(std::string_view(highest));
  };
  return table;
}

Result<text::Table> make_um_cpu_page_faults_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::um_cpu_page_fault;
  std::map<std::string, int64_t> faults;
  const uint16_t columns[] = {kInstruction};
  SEXTANT_TRY(source.scan_table(event::kUmCpuPageFault, columns, 1, [&](size_t, query::TableBatch& b) {
    for (const uint64_t instruction : b.columns[0]) ++faults[display(source, instruction)];
  }));
  auto lines = std::make_shared<std::vector<std::pair<std::string, int64_t>>>(faults.begin(), faults.end());
  std::stable_sort(lines->begin(), lines->end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  text::Table table;
  table.columns = {{"CPU Page Faults", "", kInteger}, {"CPU Instruction Address", "", kText}};
  table.rows = lines->size();
  if (table.rows == 0) table.why_empty = why_nothing(source, "CPU page faults of unified memory", "them");
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) {
    cells[0].set((*lines)[row].second);
    cells[1].set(std::string_view((*lines)[row].first));
  };
  return table;
}

}  // namespace sextant::stats
