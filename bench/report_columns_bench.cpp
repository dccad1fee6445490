// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Report columns: rows a second encoded and decoded on one core, and bytes a row, for a uniform loop and for
// a program with three levels, 40 names and log-normal work. Stamps are those of a 2.5 GHz time stamp
// counter.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "report/reader.h"
#include "report/writer.h"

namespace {

using sextant::report::ChunkKind;
using sextant::report::ChunkRef;
using sextant::report::Provenance;
using sextant::report::Reader;
using sextant::report::Rows;
using sextant::report::Writer;
namespace event = sextant::event;

constexpr size_t kChunks = 16;
constexpr size_t kRows = kChunks * sextant::report::kChunkRows;
const std::string kPath = "/tmp/sextant-report-bench-" + std::to_string(::getpid()) + ".sxt";

/// Produces the rows of one thread in the order in which ranges close.
class Program {
 public:
  enum Kind { kUniform, kVaried };
  explicit Program(Kind kind) : kind_(kind) {}

  Rows chunk(Writer* writer) {
    Rows rows(*event::find_table(event::kNvtxRange));
    for (auto& column : rows.columns) column.reserve(sextant::report::kChunkRows + 64);
    while (rows.count() < sextant::report::kChunkRows) {
      if (kind_ == kUniform) {
        const uint64_t start = tick();
        close(&rows, writer, 0, start, "step");
      } else {
        step(&rows, writer);
      }
    }
    for (auto& column : rows.columns)
      if (!column.empty()) column.resize(sextant::report::kChunkRows);
    return rows;
  }

 private:
  uint64_t tick() { return now_ += 68 + 2 * (random_() % 4) + (random_() % 500 == 0 ? random_() % 2000 : 0); }
  void work() { now_ += static_cast<uint64_t>(std::exp(9.0 + normal_(random_))); }

  void close(Rows* rows, Writer* writer, uint64_t level, uint64_t start, const std::string& name) {
    const uint64_t end = tick();
    rows->column(event::nvtx::kProcessId).push_back(1);
    rows->column(event::nvtx::kTid).push_back(4711);
    rows->column(event::nvtx::kStart).push_back(start);
    rows->column(event::nvtx::kDuration).push_back(end - start);
    rows->column(event::nvtx::kName).push_back(writer->string_id(name));
    rows->column(event::nvtx::kDomain).push_back(0);
    rows->column(event::nvtx::kLevel).push_back(level);
    for (uint16_t c : {event::nvtx::kFlags, event::nvtx::kColor, event::nvtx::kCategory,
                       event::nvtx::kPayloadType, event::nvtx::kPayload})
      rows->column(c).push_back(0);
  }

  void step(Rows* rows, Writer* writer) {  // 1 step, 6 layers, 3 operators each
    const uint64_t outer = tick();
    for (uint64_t layer = 0; layer < 6; ++layer) {
      const uint64_t middle = tick();
      for (uint64_t k = 0; k < 3; ++k) {
        const uint64_t inner = tick();
        work();
        close(rows, writer, 2, inner, "op" + std::to_string(random_() % 32));
      }
      close(rows, writer, 1, middle, "layer" + std::to_string(layer));
    }
    close(rows, writer, 0, outer, random_() % 8 == 0 ? "evaluate" : "train");
  }

  Kind kind_;
  std::mt19937_64 random_{1};
  std::normal_distribution<double> normal_{0.0, 1.0};
  uint64_t now_ = 123'456'789'012'345;
};

/// Writes kChunks chunks of the program to kPath.
uint64_t write_report(const std::vector<Rows>& chunks, Writer* writer) {
  for (const Rows& rows : chunks) {
    const Rows* parts[] = {&rows};
    const Provenance from[] = {{1, 1, 0, rows.count() * 2}};
    if (!writer->write_group(parts, from)) std::abort();
  }
  return writer->bytes_written();
}

std::vector<Rows> program(Program::Kind kind, Writer* writer) {
  Program source(kind);
  std::vector<Rows> chunks;
  for (size_t i = 0; i < kChunks; ++i) chunks.push_back(source.chunk(writer));
  return chunks;
}

void encode(benchmark::State& state, Program::Kind kind) {
  auto writer = Writer::create(kPath, {.replace = true});
  const std::vector<Rows> chunks = program(kind, &*writer);
  uint64_t bytes = 0;
  for (auto _ : state) {
    const uint64_t before = writer->bytes_written();
    bytes = write_report(chunks, &*writer) - before;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kRows));
  state.counters["bytes/row"] = static_cast<double>(bytes) / kRows;
  ::unlink(kPath.c_str());
}

void decode(benchmark::State& state, Program::Kind kind, std::vector<uint16_t> columns) {
  auto writer = Writer::create(kPath, {.replace = true});
  write_report(program(kind, &*writer), &*writer);
  auto reader = Reader::open(kPath);
  std::vector<std::vector<uint64_t>> values(columns.size());
  for (auto _ : state) {
    for (const ChunkRef& chunk : reader->chunks()) {
      if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
      if (!reader->read_columns(chunk, columns, values)) std::abort();
      benchmark::DoNotOptimize(values[0].data());
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kRows));
  ::unlink(kPath.c_str());
}

using event::nvtx::kDuration;
using event::nvtx::kName;
using event::nvtx::kStart;

BENCHMARK_CAPTURE(encode, uniform, Program::kUniform)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, varied, Program::kVaried)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, uniform_name_duration, Program::kUniform, {kName, kDuration})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, varied_name_duration, Program::kVaried, {kName, kDuration})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, varied_start, Program::kVaried, {kStart, kDuration})->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
