// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the overview of a chunk: the first two are the chunk's rows less one, the rest the body, or,
// where the third is odd, what is packed in it. What can be read is the same when it is written and read
// again, and the timeline takes it in.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "query/query.h"
#include "report/overview.h"
#include "serve/layer_overview.h"

namespace {

using namespace sextant;

constexpr uint16_t kTable = 3;

void take_in(const report::Overview& overview) {
  const auto map = query::TimeMap::make({}, 0);
  serve::LayerOverview layer(1000);
  for (uint32_t chunk = 0; chunk < 2; ++chunk)
    layer.add(overview, {.chunk = chunk,
                         .block = chunk,
                         .to_ns = [&](uint64_t raw) { return map.to_ns(raw); },
                         .name = [](uint64_t name) { return static_cast<uint32_t>(name); },
                         .event = [](uint32_t row) { return uint64_t{row}; }});
  layer.finish();
  for (size_t lane = 0; lane < layer.lanes().size(); ++lane) {
    uint64_t events = 0;
    layer.pieces(lane).visit(INT64_MIN, INT64_MAX, 1,
                             [&](uint32_t, const serve::Piece& p) { events += p.events; });
    layer.pieces(lane).visit(0, 1000, 100, [&](uint32_t, const serve::Piece& p) { events += p.events; });
    if (layer.first_row(lane, 1) > layer.pieces(lane).rows()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const uint32_t rows = 1u + (data[0] | data[1] << 8);
  std::vector<uint8_t> body(data + 3, data + size);
  if (data[2] % 2 == 1) {  // unpacked: both lengths, then the bytes
    const uint32_t lengths[2] = {static_cast<uint32_t>(body.size()), static_cast<uint32_t>(body.size())};
    body.insert(body.begin(), reinterpret_cast<const uint8_t*>(lengths),
                reinterpret_cast<const uint8_t*>(lengths + 2));
  }
  const auto overview = report::decode_overview(body, kTable, rows);
  if (!overview) return 0;
  take_in(*overview);
  std::vector<uint8_t> written, again;
  report::encode_overview(*overview, 1, &written);
  const auto read = report::decode_overview(written, kTable, rows);
  if (!read) std::abort();
  report::encode_overview(*read, 1, &again);
  if (written != again) std::abort();
  return 0;
}
