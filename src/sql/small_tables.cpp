// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "exporters/nsys_metadata.h"
#include "exporters/nsys_schema.h"
#include "exporters/recorded_tables.h"
#include "sql/catalogue.h"

namespace sextant::sql {

namespace {

Result<std::vector<uint8_t>> content(int fd) {
  const off_t bytes = ::lseek(fd, 0, SEEK_END);
  if (bytes < 0) return fail_errno(errno, "cannot read back the small tables");
  std::vector<uint8_t> all(static_cast<size_t>(bytes));
  for (size_t at = 0; at < all.size();) {
    const ssize_t got = ::pread(fd, all.data() + at, all.size() - at, static_cast<off_t>(at));
    if (got <= 0) return fail_errno(got == 0 ? EIO : errno, "cannot read back the small tables");
    at += static_cast<size_t>(got);
  }
  return all;
}

}  // namespace

Result<std::vector<uint8_t>> small_tables(const query::Source& source,
                                          const exporters::Unfinished& unfinished) {
  const base::Fd fd(::memfd_create("sextant-sql", MFD_CLOEXEC));
  if (!fd.valid()) return fail_errno(errno, "cannot make memory for the small tables");
  exporters::SqliteFile file(fd.get(), {});
  exporters::NsysTables tables(file);
  exporters::write_enum_tables(file);
  exporters::write_opencl_enum(source, file);
  exporters::StringIds strings(source.reader());
  const exporters::ProcessesByNumber processes(source);
  exporters::write_processes(source, processes, tables, strings);
  exporters::write_session(source, tables);
  exporters::write_system(source, tables);
  exporters::write_overhead(source, processes, tables, strings);
  exporters::write_diagnostics(source, processes, unfinished, tables);
  exporters::write_export_info({source.reader().path(), "", false, base::clock_ns(CLOCK_REALTIME)}, tables);
  SEXTANT_TRY(exporters::write_recorded_tables(source, processes, keyed_tables(), strings, file));
  for (uint64_t id = 0; id <= source.reader().string_count(); ++id) strings.use(id);
  strings.write(tables.string_ids);
  SEXTANT_TRY(file.finish());
  return content(fd.get());
}

}  // namespace sextant::sql
