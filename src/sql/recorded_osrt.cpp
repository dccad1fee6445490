// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables about OS runtime calls of a recording of our own, as an export has them
// (exporters/osrt_tables.h): behind nsys's columns those that nsys does not have, and 0 where it has no value
// either.
#include "event/schema_system.h"
#include "sql/catalogue.h"

namespace sextant::sql {

namespace {

class Completion {
 public:
  explicit Completion(Table& table) : table_(table) {}

  /// Of every row.
  Completion& always(std::string_view name, int64_t value) {
    const int at = table_.find(name);
    if (at >= 0) table_.layouts[0][static_cast<size_t>(at)] = {.value = Value::kConstant, .constant = value};
    return *this;
  }
  /// Also where it is marked as missing: of a call that never returned the end is that of its process, as an
  /// export has it.
  Completion& whole(std::string_view name) {
    const int at = table_.find(name);
    if (at >= 0) table_.layouts[0][static_cast<size_t>(at)].test = Test::kAlways;
    return *this;
  }
  Completion& add(const char* name, uint16_t column, Value value = Value::kInteger) {
    return add(name, {.value = value, .column = column});
  }
  Completion& unless_zero(const char* name, uint16_t column, uint16_t tested, Value value = Value::kInteger) {
    return add(name, {.value = value, .column = column, .test = Test::kNotZero, .test_column = tested});
  }

 private:
  Completion& add(const char* name, Cell cell) {
    table_.columns.push_back({name, "INTEGER"});
    table_.layouts[0].push_back(cell);
    return *this;
  }

  Table& table_;
};

}  // namespace

void complete_recorded_osrt(Catalogue* catalogue) {
  for (Table& table : *catalogue) {
    if (table.name == "OSRT_API") {
      using namespace event::osrt_call;
      Completion(table)
          .whole("end")
          .whole("returnValue")
          .always("callchainId", 0)
          .always("argumentsId", 0)
          .add("errno", kErrno)
          .add("objectKind", kObjectKind)
          .unless_zero("object", kObject, kObjectKind)
          .unless_zero("fileAccessId", kFile, kFile)
          .add("family", kFamily)
          .add("flags", kFlags)
          .unless_zero("textId", kText, kText, Value::kString)
          .add("detailKind", kDetailKind)
          .unless_zero("detail", kDetail, kDetailKind);
    } else if (table.name == "OSRT_FILE_ACCESS_EVENTS") {
      using namespace event::osrt_file_access;
      Completion(table).add("globalPid", kProcess, Value::kProcess).add("errno", kErrno);
    } else if (table.name == "OSRT_FILE_ACCESS_DESCRIPTORS") {
      using namespace event::osrt_file;
      Completion(table)
          .always("closedAt", 0)
          .add("globalPid", kProcess, Value::kProcess)
          .add("descriptor", kDescriptor);
    }
  }
}

}  // namespace sextant::sql
