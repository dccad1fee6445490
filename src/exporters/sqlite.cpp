// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/sqlite.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"
#include "event/schema_nvtx.h"
#include "exporters/imported_tables.h"
#include "exporters/nsys_metadata.h"
#include "exporters/nsys_schema.h"
#include "exporters/nvtx_events.h"
#include "exporters/nvtx_extra_tables.h"
#include "exporters/nvtx_payload_tables.h"
#include "exporters/osrt_tables.h"
#include "exporters/output_file.h"
#include "exporters/recorded_tables.h"
#include "exporters/sqlite_file.h"
#include "exporters/string_ids.h"

namespace sextant::exporters {

namespace {

uint64_t nvtx_rows(const report::Reader& reader) {
  uint64_t rows = 0;
  for (const report::ChunkRef& chunk : reader.chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(report::ChunkKind::kData)) continue;
    const uint16_t table = chunk.header.table;
    if (table == event::kNvtxRange || table == event::kNvtxStart || table == event::kNvtxMark)
      rows += chunk.header.rows;
  }
  return rows;
}

/// Of a database that was here before: SQLite would take them for the new one's.
void remove_journals(const std::string& database) {
  for (const char* ending : {"-journal", "-wal", "-shm"}) ::unlink((database + ending).c_str());
}

/// What Sextant itself recorded, in nsys's tables.
Status write_recording(const query::Source& source, const std::string& output, const SqliteOptions& options,
                       SqliteFile& file) {
  const uint64_t of_nvtx = nvtx_rows(source.reader()), total = of_nvtx + osrt_rows(source);
  NsysTables tables(file, source.rows(event::kNvtxPayload) != 0);
  write_enum_tables(file);
  StringIds strings(source.reader());
  const ProcessesByNumber processes(source);

  NvtxEvents events(source, processes, tables.nvtx_events, strings);
  SEXTANT_TRY(events.write([&](uint64_t rows) -> Status {
    if (options.progress) options.progress(std::min(rows, of_nvtx), total);
    return file.status();
  }));
  SEXTANT_TRY(write_osrt_tables(source, processes, strings, file, [&](uint64_t rows) -> Status {
    if (options.progress) options.progress(of_nvtx + rows, total);
    return file.status();
  }));
  SEXTANT_TRY(NvtxPayloadTables(source, processes, events, file).write());
  write_nvtx_extras(source, processes, events, file);
  SEXTANT_TRY(write_recorded_tables(source, processes, nsys::opencl_tables(), strings, file));
  write_opencl_enum(source, file);
  write_processes(source, processes, tables, strings);
  write_session(source, tables);
  write_system(source, tables);
  write_overhead(source, processes, tables, strings);
  write_diagnostics(source, processes, events.unfinished(), tables);
  write_export_info({source.reader().path(), output, options.replace, base::clock_ns(CLOCK_REALTIME)},
                    tables);
  strings.write(tables.string_ids);
  return {};
}

}  // namespace

Status export_sqlite(const query::Source& source, const std::string& output, const SqliteOptions& options) {
  SEXTANT_TRY(refuse_the_report_itself(source.reader().path(), output));
  SEXTANT_ASSIGN(OutputFile target, OutputFile::create(output, options.replace));

  SqliteFile file(target.fd(), {});
  SEXTANT_TRY(is_imported(source.reader()) ? write_imported_tables(source.reader(), file, options.progress)
                                           : write_recording(source, output, options, file));
  if (Status finished = file.finish(); !finished)
    return tl::unexpected(std::move(finished).error().with(output));
  if (options.replace) remove_journals(output);
  return target.commit();
}

}  // namespace sextant::exporters
