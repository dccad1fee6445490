// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/restore.h"

#include <algorithm>
#include <array>

#include "event/schema_nvtx.h"
#include "event/schema_opencl.h"
#include "event/schema_system.h"

namespace sextant::collector {

namespace nvtx = event::nvtx;

namespace {

using RingKey = std::pair<uint32_t, uint32_t>;

struct LastGroup {
  uint32_t group = 0;
  uint64_t next = 0;
};

/// The last group of each ring, and the sequence number behind it.
std::map<RingKey, LastGroup> last_groups(const report::Reader& reader) {
  std::map<RingKey, LastGroup> last;
  for (const report::ChunkRef& chunk : reader.chunks()) {
    if ((chunk.header.flags & report::kGroupEnd) == 0 &&
        chunk.header.kind != static_cast<uint16_t>(report::ChunkKind::kCheckpoint))
      continue;
    auto provenance = reader.provenance(chunk);
    if (!provenance) continue;
    for (const report::Provenance& p : *provenance) {
      LastGroup& entry = last[{p.instance, p.ring}];
      entry.group = chunk.header.group;
      entry.next = std::max(entry.next, p.first_sequence + p.count);
    }
  }
  return last;
}

void add_open(const report::Reader& reader, const report::ChunkRef& chunk,
              const std::map<RingKey, LastGroup>& last, Restored* out) {
  static constexpr std::array<uint16_t, 11> kColumns = {
      nvtx::kInstance, nvtx::kRing,  nvtx::kDomainId, nvtx::kLevel,       nvtx::kStart,  nvtx::kName,
      nvtx::kFlags,    nvtx::kColor, nvtx::kCategory, nvtx::kPayloadType, nvtx::kPayload};
  std::array<std::vector<uint64_t>, kColumns.size()> c;
  if (!reader.read_columns(chunk, kColumns, c)) return;
  for (size_t row = 0; row < chunk.header.rows; ++row) {
    const RingKey key{static_cast<uint32_t>(c[0][row]), static_cast<uint32_t>(c[1][row])};
    auto found = last.find(key);
    if (found == last.end() || found->second.group != chunk.header.group || c[2][row] > UINT16_MAX) continue;
    RestoredRing& ring = out->rings[key];
    if (ring.stacks.size() <= c[2][row]) ring.stacks.resize(c[2][row] + 1);
    DomainStack& stack = ring.stacks[c[2][row]];
    if (stack.ranges.size() != c[3][row]) continue;  // rows are written from the outermost inwards
    spool::Attributes attributes;
    attributes.has_color = (c[6][row] & nvtx::kHasColor) != 0;
    attributes.color = static_cast<uint32_t>(c[7][row]);
    attributes.category = static_cast<uint32_t>(c[8][row]);
    attributes.payload_type = static_cast<uint8_t>(c[9][row]);
    attributes.payload = c[10][row];
    uint8_t flags = (c[6][row] & nvtx::kRegistered) != 0 ? spool::kRegisteredName : 0;
    if (attributes.has_color != 0 || attributes.category != 0 || attributes.payload_type != 0) {
      flags |= spool::kHasAttributes;
      stack.attributes.push_back(attributes);
    }
    stack.ranges.push_back({c[4][row], static_cast<uint32_t>(c[5][row]), flags});
    ++ring.open_ranges;
  }
}

void add_domains(const report::Reader& reader, const report::ChunkRef& chunk, Restored* out) {
  static constexpr std::array<uint16_t, 3> kColumns = {
      event::nvtx_domain::kInstance, event::nvtx_domain::kDomainId, event::nvtx_domain::kName};
  std::array<std::vector<uint64_t>, 3> c;
  if (!reader.read_columns(chunk, kColumns, c)) return;
  for (size_t row = 0; row < chunk.header.rows; ++row)
    if (c[1][row] <= UINT16_MAX)
      out->domains[{static_cast<uint32_t>(c[0][row]), static_cast<uint16_t>(c[1][row])}] =
          reader.string(c[2][row]);
}

void add_registrations(const report::Reader& reader, const report::ChunkRef& chunk, Restored* out) {
  using namespace event::nvtx_registration;
  static constexpr std::array<uint16_t, 5> kColumns = {kInstance, kDomainId, kWhat, kId, kBytes};
  std::array<std::vector<uint64_t>, 5> c;
  if (!reader.read_columns(chunk, kColumns, c)) return;
  for (size_t row = 0; row < chunk.header.rows; ++row)
    if (c[1][row] <= UINT16_MAX)
      out->registrations[static_cast<uint32_t>(c[0][row])].push_back(
          {static_cast<uint16_t>(c[1][row]), c[2][row], c[3][row], std::string(reader.string(c[4][row]))});
}

void add_threads(const report::Reader& reader, const report::ChunkRef& chunk, Restored* out) {
  static constexpr std::array<uint16_t, 3> kColumns = {event::thread::kProcessId, event::thread::kTid,
                                                       event::thread::kName};
  std::array<std::vector<uint64_t>, 3> c;
  if (!reader.read_columns(chunk, kColumns, c)) return;
  for (size_t row = 0; row < chunk.header.rows; ++row)
    out->threads[{static_cast<uint32_t>(c[0][row]), static_cast<uint32_t>(c[1][row])}] =
        reader.string(c[2][row]);
}

void add_opencl_calls(const report::Reader& reader, const report::ChunkRef& chunk, Restored* out) {
  using namespace event::opencl_api;
  static constexpr std::array<uint16_t, 6> kColumns = {kProcess, kCorrelation, kStart, kTid, kQueue, kName};
  std::array<std::vector<uint64_t>, 6> c;
  if (!reader.read_columns(chunk, kColumns, c)) return;
  for (size_t row = 0; row < chunk.header.rows; ++row) {
    Restored::Opencl& opencl = out->opencl[static_cast<uint32_t>(c[0][row])];
    ++opencl.calls;
    if (c[1][row] == 0) continue;
    ++opencl.commands;
    if (opencl.early.erase(c[1][row]) == 0)
      opencl.enqueued[c[1][row]] = {c[2][row], c[3][row], static_cast<uint32_t>(c[4][row]),
                                    std::string(reader.string(c[5][row]))};
  }
}

void add_opencl_done(const report::Reader& reader, const report::ChunkRef& chunk, uint16_t process,
                     uint16_t correlation, Restored* out) {
  const std::array<uint16_t, 2> columns = {process, correlation};
  std::array<std::vector<uint64_t>, 2> c;
  if (!reader.read_columns(chunk, columns, c)) return;
  for (size_t row = 0; row < chunk.header.rows; ++row) {
    Restored::Opencl& opencl = out->opencl[static_cast<uint32_t>(c[0][row])];
    if (opencl.enqueued.erase(c[1][row]) == 0) opencl.early.insert(c[1][row]);
  }
}

void add_opencl_queues(const report::Reader& reader, const report::ChunkRef& chunk, Restored* out) {
  using namespace event::opencl_queue;
  static constexpr std::array<uint16_t, 4> kColumns = {kProcess, kQueue, kContext, kDevice};
  std::array<std::vector<uint64_t>, 4> c;
  if (!reader.read_columns(chunk, kColumns, c)) return;
  for (size_t row = 0; row < chunk.header.rows; ++row)
    out->opencl[static_cast<uint32_t>(c[0][row])].queues[static_cast<uint32_t>(c[1][row])] = {
        static_cast<uint32_t>(c[2][row]), static_cast<uint32_t>(c[3][row])};
}

void add_osrt_calls(const report::Reader& reader, const report::ChunkRef& chunk, Restored* out) {
  using namespace event::osrt_call;
  static constexpr std::array<uint16_t, 4> kColumns = {kProcess, kFlags, kStart, kTid};
  std::array<std::vector<uint64_t>, 4> c;
  if (!reader.read_columns(chunk, kColumns, c)) return;
  for (size_t row = 0; row < chunk.header.rows; ++row) {
    const auto process = static_cast<uint32_t>(c[0][row]);
    ++out->osrt_calls[process];
    if ((c[1][row] & kUnfinished) != 0)
      out->unreturned[process].push_back({c[2][row], static_cast<uint32_t>(c[3][row])});
  }
}

/// Adds the number of a chunk's rows of each process.
template <typename Count>
void count_rows(const report::Reader& reader, const report::ChunkRef& chunk, uint16_t process_column,
                const Count& add) {
  std::vector<uint64_t> process;
  if (!reader.read_column(chunk, process_column, &process)) return;
  for (size_t row = 0; row < process.size();) {  // long runs of equal numbers
    size_t end = row + 1;
    while (end < process.size() && process[end] == process[row]) ++end;
    add(static_cast<uint32_t>(process[row]), end - row);
    row = end;
  }
}

}  // namespace

Restored read_restored(const report::Reader& reader) {
  Restored out;
  const auto one_event = [&](uint32_t process, size_t rows) { out.events[process] += rows; };
  const auto one_start = [&](uint32_t process, size_t rows) {
    out.events[process] += rows;
    out.unended[process] += static_cast<int64_t>(rows);
  };
  const auto one_end = [&](uint32_t process, size_t rows) {
    out.unended[process] -= static_cast<int64_t>(rows);
  };
  const std::map<RingKey, LastGroup> last = last_groups(reader);
  for (const auto& [key, group] : last) out.rings[key].next = group.next;
  for (const report::ChunkRef& chunk : reader.chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(report::ChunkKind::kData)) continue;
    switch (chunk.header.table) {
      case event::kNvtxOpen:
        add_open(reader, chunk, last, &out);
        break;
      case event::kNvtxDomain:
        add_domains(reader, chunk, &out);
        break;
      case event::kNvtxRegistration:
        add_registrations(reader, chunk, &out);
        break;
      case event::kThread:
        add_threads(reader, chunk, &out);
        break;
      case event::kNvtxRange:
      case event::kNvtxMark:
        count_rows(reader, chunk, nvtx::kProcessId, one_event);
        break;
      case event::kNvtxStart:
        count_rows(reader, chunk, nvtx::kProcessId, one_start);
        break;
      case event::kNvtxEnd:
        count_rows(reader, chunk, nvtx::kProcessId, one_end);
        break;
      case event::kOsrtCall:
        add_osrt_calls(reader, chunk, &out);
        break;
      case event::kOpenclApi:
        add_opencl_calls(reader, chunk, &out);
        break;
      case event::kOpenclKernel:
      case event::kOpenclMemory:
      case event::kOpenclSync:
        add_opencl_done(reader, chunk, event::opencl_work::kProcess, event::opencl_work::kCorrelation, &out);
        break;
      case event::kOpenclUntimed:
        add_opencl_done(reader, chunk, event::opencl_untimed::kProcess, event::opencl_untimed::kCorrelation,
                        &out);
        break;
      case event::kOpenclQueue:
        add_opencl_queues(reader, chunk, &out);
        break;
      default:
        break;
    }
  }
  return out;
}

}  // namespace sextant::collector
