// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/osrt_tables.h"

#include "event/schema_system.h"
#include "exporters/nsys_ids.h"

namespace sextant::exporters {

namespace {

constexpr std::string_view kCalls =
    "CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, "
    "globalTid INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, nestingLevel INTEGER, "
    "callchainId INTEGER NOT NULL, argumentsId INTEGER NOT NULL, errno INTEGER, objectKind INTEGER, object "
    "INTEGER, fileAccessId INTEGER, family INTEGER, flags INTEGER, textId INTEGER, detailKind INTEGER, "
    "detail INTEGER)";
constexpr std::string_view kAccesses =
    "CREATE TABLE OSRT_FILE_ACCESS_EVENTS (fileAccessId INTEGER NOT NULL, threadId INTEGER NOT NULL, "
    "startedAt INTEGER NOT NULL, endedAt INTEGER NOT NULL, eventType INTEGER NOT NULL, apiCallId INTEGER NOT "
    "NULL, bytesProcessed INTEGER NOT NULL, context TEXT NOT NULL, globalPid INTEGER, errno INTEGER)";
constexpr std::string_view kFiles =
    "CREATE TABLE OSRT_FILE_ACCESS_DESCRIPTORS (fileAccessId INTEGER NOT NULL, processId INTEGER NOT NULL, "
    "openedAt INTEGER NOT NULL, closedAt INTEGER NOT NULL, filePath TEXT NOT NULL, globalPid INTEGER, "
    "descriptor INTEGER)";

class OsrtTables {
 public:
  OsrtTables(const query::Source& source, const ProcessesByNumber& processes, StringIds& strings,
             SqliteFile& file, const std::function<Status(uint64_t)>& progress)
      : source_(source), processes_(processes), strings_(strings), file_(file), progress_(progress) {}

  Status calls() {
    using namespace event::osrt_call;
    const uint16_t columns[] = {kStart,       kDuration, kClass, kProcess,    kTid,    kName,
                                kReturnValue, kNesting,  kErrno, kObjectKind, kObject, kFile,
                                kFamily,      kFlags,    kText,  kDetailKind, kDetail};
    return each(event::kOsrtCall, "OSRT_API", kCalls, columns, [&](const auto& c, size_t i) {
      integer(c[0][i]).integer(c[0][i] + c[1][i]).integer(c[2][i]).thread(c[3][i], c[4][i]);
      integer(static_cast<uint64_t>(strings_.use(c[5][i]))).integer(c[6][i]).integer(c[7][i]);
      integer(0).integer(0).integer(c[8][i]).integer(c[9][i]);
      unless_zero(c[9][i], c[10][i]).unless_zero(c[11][i], c[11][i]).integer(c[12][i]).integer(c[13][i]);
      unless_zero(c[14][i], c[14][i] == 0 ? 0 : static_cast<uint64_t>(strings_.use(c[14][i])));
      integer(c[15][i]).unless_zero(c[15][i], c[16][i]);
    });
  }

  Status accesses() {
    using namespace event::osrt_file_access;
    const uint16_t columns[] = {kFile,  kTid,     kStart,   kDuration, kType, kCall,
                                kBytes, kContext, kProcess, kErrno,    kNulls};
    return each(event::kOsrtFileAccess, "OSRT_FILE_ACCESS_EVENTS", kAccesses, columns,
                [&](const auto& c, size_t i) {
                  integer(c[0][i]).integer(c[1][i]).integer(c[2][i]).integer(c[2][i] + c[3][i]);
                  const bool named = !event::is_null(c[10][i], kCall) && c[5][i] != 0;
                  integer(c[4][i]).integer(named ? static_cast<uint64_t>(strings_.use(c[5][i])) : 0);
                  integer(c[6][i]).text(c[7][i]).process(c[8][i]).integer(c[9][i]);
                });
  }

  Status files() {
    using namespace event::osrt_file;
    const uint16_t columns[] = {kFile, kPid, kOpened, kClosed, kPath, kProcess, kDescriptor, kNulls};
    return each(event::kOsrtFile, "OSRT_FILE_ACCESS_DESCRIPTORS", kFiles, columns,
                [&](const auto& c, size_t i) {
                  integer(c[0][i]).integer(c[1][i]).integer(c[2][i]);
                  integer(event::is_null(c[7][i], kClosed) ? 0 : c[3][i]);  // as nsys has it
                  text(c[4][i]).process(c[5][i]).integer(c[6][i]);
                });
  }

 private:
  template <typename Row>
  Status each(uint16_t table, const char* name, std::string_view sql, std::span<const uint16_t> columns,
              const Row& row) {
    SqliteTable& to = file_.add_table(name, std::string(sql), SqliteFile::Empty::kLeftOut);
    Status stopped;
    SEXTANT_TRY(source_.scan_table(table, columns, 1, [&](size_t, query::TableBatch& batch) {
      if (!stopped) return;
      for (size_t i = 0; i < batch.rows; ++i) {
        record_.clear();
        row(batch.columns, i);
        to.append(record_);
      }
      rows_ += batch.rows;
      stopped = progress_(rows_);
    }));
    return stopped;
  }

  OsrtTables& integer(uint64_t value) {
    record_.integer(static_cast<int64_t>(value));
    return *this;
  }
  OsrtTables& unless_zero(uint64_t there, uint64_t value) {
    there != 0 ? record_.integer(static_cast<int64_t>(value)) : record_.null();
    return *this;
  }
  OsrtTables& thread(uint64_t process, uint64_t tid) {
    record_.integer(global_tid(processes_.pid(process), tid));
    return *this;
  }
  OsrtTables& process(uint64_t number) {
    record_.integer(global_pid(processes_.pid(number)));
    return *this;
  }
  OsrtTables& text(uint64_t string) {
    record_.text(valid_text(source_.reader().string(string), &fixed_));
    return *this;
  }

  const query::Source& source_;
  const ProcessesByNumber& processes_;
  StringIds& strings_;
  SqliteFile& file_;
  const std::function<Status(uint64_t)>& progress_;
  SqliteRecord record_;
  std::string fixed_;
  uint64_t rows_ = 0;
};

}  // namespace

uint64_t osrt_rows(const query::Source& source) {
  return source.rows(event::kOsrtCall) + source.rows(event::kOsrtFileAccess) + source.rows(event::kOsrtFile);
}

Status write_osrt_tables(const query::Source& source, const ProcessesByNumber& processes, StringIds& strings,
                         SqliteFile& file, const std::function<Status(uint64_t)>& progress) {
  OsrtTables tables(source, processes, strings, file, progress);
  SEXTANT_TRY(tables.calls());
  SEXTANT_TRY(tables.accesses());
  return tables.files();
}

}  // namespace sextant::exporters
