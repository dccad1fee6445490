// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/time_spans.h"

#include <fmt/format.h>

namespace sextant::serve {

bool is_device_wait(std::string_view name) {
  return name.find("Synchronize") != std::string_view::npos || name.starts_with("clFinish") ||
         name.starts_with("clWaitForEvents");
}

void unite(std::vector<query::Span>* spans) {
  std::sort(spans->begin(), spans->end(),
            [](const query::Span& a, const query::Span& b) { return a.start < b.start; });
  size_t kept = 0;
  for (const query::Span& span : *spans) {
    if (kept > 0 && span.start <= (*spans)[kept - 1].end)
      (*spans)[kept - 1].end = std::max((*spans)[kept - 1].end, span.end);
    else
      (*spans)[kept++] = span;
  }
  spans->resize(kept);
}

Status Reading::read(const Track& track, const std::function<void(const Event&, const query::Span&)>& use) {
  SEXTANT_TRY(timeline_.visit(track, span_.from_ns, span_.to_ns, [&](const Event& event) {
    use(event, {std::max(event.start_ns, span_.from_ns), std::min(event.end_ns, span_.to_ns)});
    return ++read_ <= kMostBusyEvents;
  }));
  return read_ > kMostBusyEvents ? count() : Status();
}

Status Reading::count() {
  if (++read_ <= kMostBusyEvents) return {};
  return fail(ErrorCode::kUnsupported, fmt::format("more than {} events; choose less time", kMostBusyEvents));
}

}  // namespace sextant::serve
