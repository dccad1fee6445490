// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/capture_windows.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/fd.h"
#include "collector/collector_page.h"
#include "collector/group.h"

namespace sextant::collector {

using spool::CaptureState;
using spool::FilterPage;

namespace {

constexpr size_t kNamesTold = 10;

std::string text_of(const char* text, size_t room) {
  return std::string(text, ::strnlen(text, room));
}

std::string grouped(uint64_t n) {
  std::string text = std::to_string(n);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

void fill(FilterPage* page, const FilterRequest& request) {
  page->version = spool::kVersion;
  page->domain_filter = static_cast<uint32_t>(request.domains);
  page->default_is_listed = request.default_listed;
  for (const std::string& domain : request.listed) {
    std::memcpy(page->domains + page->domains_bytes, domain.c_str(), domain.size() + 1);
    page->domains_bytes += static_cast<uint32_t>(domain.size() + 1);
  }
  if (request.capture) {
    std::memcpy(page->range, request.range.c_str(), request.range.size() + 1);
    std::memcpy(page->domain, request.domain.c_str(), request.domain.size() + 1);
    page->capture_domain = static_cast<uint32_t>(request.capture_domain);
    page->windows_wanted = request.windows;
    page->to_the_end = request.to_the_end;
    page->repeats = request.repeats;
    page->wait_for_report = request.wait_for_report;
    page->state.store(static_cast<uint32_t>(request.delayed ? CaptureState::kWaiting : CaptureState::kArmed));
  }
  reinterpret_cast<spool::Shared<uint32_t>&>(page->magic)
      .store(spool::kFilterMagic, std::memory_order_release);
}

}  // namespace

Result<CaptureWindows> CaptureWindows::make(const spool::RunFolder& folder, const FilterRequest& request) {
  size_t list = 0;
  for (const std::string& domain : request.listed) list += domain.size() + 1;
  if (list > spool::kMaxDomainListBytes)
    return fail(ErrorCode::kUsage, "the list of NVTX domains is longer than 4,000 bytes");
  if (request.range.size() > spool::kMaxCaptureNameBytes ||
      request.domain.size() > spool::kMaxCaptureNameBytes)
    return fail(ErrorCode::kUsage, "the name of the capture range is longer than 1,000 bytes");
  const std::string path = folder.path() + "/filter";
  base::Fd fd(::openat(folder.fd(), "filter", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid()) return fail_errno(errno, path);
  SEXTANT_TRY(spool::allocate(fd.get(), 0, sizeof(FilterPage)));
  void* address = ::mmap(nullptr, sizeof(FilterPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (address == MAP_FAILED) return fail_errno(errno, path + ": cannot map");
  CaptureWindows out;
  out.mapping_ = base::Mapping(address, sizeof(FilterPage));
  spool::populate(out.mapping_.data(), sizeof(FilterPage));
  out.request_ = request;
  fill(&out.page(), request);
  return out;
}

bool CaptureWindows::over() const {
  return page().state.load(std::memory_order_acquire) == static_cast<uint32_t>(CaptureState::kOver);
}

void CaptureWindows::arm() {
  uint32_t waiting = static_cast<uint32_t>(CaptureState::kWaiting);
  page().state.compare_exchange_strong(waiting, static_cast<uint32_t>(CaptureState::kArmed));
}

void CaptureWindows::stop() {
  page().windows_wanted = 1;  // an agent that closes one just now does not arm again
  close_open();
  page().state.store(static_cast<uint32_t>(CaptureState::kOver));
}

void CaptureWindows::close_open() {
  uint32_t open = static_cast<uint32_t>(CaptureState::kOpen);
  if (page().state.load() != open) return;
  const uint32_t window = opened();
  const auto clock = base::best_clock_kind();
  page().closed_at[window % spool::kWindowStamps].store(base::stamp(clock), std::memory_order_relaxed);
  page().closed.store(window, std::memory_order_release);
  const bool last = page().windows_wanted != 0 && window >= page().windows_wanted;
  page().state.compare_exchange_strong(
      open, static_cast<uint32_t>(last ? CaptureState::kOver : CaptureState::kArmed));
}

uint64_t CaptureWindows::count_outside() const {
  uint64_t sum = 0;
  for (const auto& stripe : page().stripes) sum += stripe.outside.load(std::memory_order_relaxed);
  return sum;
}

uint64_t CaptureWindows::excluded() const {
  uint64_t sum = 0;
  for (const auto& stripe : page().stripes) sum += stripe.excluded.load(std::memory_order_relaxed);
  return sum;
}

std::string CaptureWindows::range_text() const {
  switch (request_.capture_domain) {
    case spool::CaptureDomain::kAny:
      return request_.range + "@*";
    case spool::CaptureDomain::kNamed:
      return request_.range + "@" + request_.domain;
    default:
      return request_.range;
  }
}

std::string CaptureWindows::verdict() const {
  std::string text;
  const uint64_t left_out = outside(), unwanted = excluded();
  if (request_.capture && opened() == 0) {
    text = fmt::format("; the capture range {} never opened", range_text());
    std::vector<std::pair<uint64_t, std::string>> names;
    for (const spool::SeenName& entry : page().seen) {
      if (entry.state.load(std::memory_order_acquire) != 2) continue;
      const std::string domain = text_of(entry.domain, sizeof entry.domain);
      names.emplace_back(entry.count.load(std::memory_order_relaxed),
                         text_of(entry.name, sizeof entry.name) + (domain.empty() ? "" : "@" + domain));
    }
    std::stable_sort(names.begin(), names.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    text += names.empty() ? ", nor any other range" : "; ranges that did: ";
    for (size_t i = 0; i < names.size() && i < kNamesTold; ++i)
      text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", names[i].second, grouped(names[i].first));
    const uint64_t elsewhere = page().seen_elsewhere.load(std::memory_order_relaxed);
    if (names.size() > kNamesTold || elsewhere != 0)
      text += fmt::format(" and {} other names",
                          grouped(std::max<uint64_t>(names.size(), kNamesTold) - kNamesTold + elsewhere));
  } else if (left_out != 0) {
    text = fmt::format("; {} outside of the capture range {} not recorded", grouped(left_out), range_text());
  }
  if (unwanted != 0)
    text += fmt::format("; {} of domains that were not wanted not recorded", grouped(unwanted));
  return text;
}

void CaptureWindows::add_row(report::Rows* rows, report::Writer& writer, uint32_t window) const {
  const bool ended = window <= closed();
  append_row(
      rows,
      {window, stamp(page().opened_at, window), ended ? stamp(page().closed_at, window) : 0,
       window == opened() ? opener_pid() : 0,
       window == opened() ? page().opener_tid.load(std::memory_order_relaxed) : 0,
       writer.string_id(request_.range),
       writer.string_id(request_.capture_domain == spool::CaptureDomain::kAny ? "*" : request_.domain)});
}

void CaptureWindows::add_rows(report::Rows* rows, report::Writer& writer) const {
  if (!request_.capture) return;
  if (request_.repeats) {
    if (current_ <= opened()) add_row(rows, writer, current_);
    return;
  }
  for (uint32_t window = 1; window <= std::min(opened(), spool::kWindowStamps); ++window)
    add_row(rows, writer, window);
}

}  // namespace sextant::collector
