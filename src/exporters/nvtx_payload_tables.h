// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Structured payloads of a recording in nsys's tables: NVTX_PAYLOAD_SCHEMAS and their like, and for each
// schema of each process DYNAMIC_NVTXPAYLOAD_DATATYPE_<globalPid>_<domainId>_<schemaId> with a row a payload
// (what `nsys export --dynamic-tables=all` makes): a column a field; structures in the table of their own
// schema; arrays in
// ..._<field> with a row an element. All are joined by eventId. Memory: 40 bytes a payload.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "exporters/nvtx_events.h"
#include "exporters/processes_by_number.h"
#include "exporters/sqlite_file.h"
#include "query/query.h"

namespace sextant::exporters {

class NvtxPayloadTables {
 public:
  /// Everything passed must outlive the object.
  NvtxPayloadTables(const query::Source& source, const ProcessesByNumber& processes, NvtxEvents& events,
                    SqliteFile& file);

  /// Everything. Nothing where the recording has no payloads and no schemas.
  Status write();

 private:
  struct Field {
    uint64_t type = 0, flags = 0;
    std::string name;
  };
  struct Schema {
    std::vector<Field> fields;
  };
  using SchemaKey = std::tuple<uint64_t, uint64_t, uint64_t>;  // process, domain, schema

  struct Dynamic {  // a table
    SqliteTable* table = nullptr;
    std::vector<std::string> columns;  // sanitised, behind eventId (and idx)
    bool has_index = false;
  };
  struct Place {  // where a field's values go
    Dynamic* table = nullptr;
    size_t column = 0;
    std::string row;  // what tells rows of one table and payload apart
  };
  struct Row {
    Dynamic* table = nullptr;
    uint64_t index = 0;
    std::vector<int> kinds;  // by column; -1: none
    std::vector<uint64_t> numbers, texts;
  };
  struct Payload {
    uint64_t process, event, index, schema, domain;
  };

  void read_schemas();
  void write_schemas();
  void write_enums();
  void write_scopes();
  Status write_values();
  void write_links(const std::vector<Payload>& payloads);
  Status read_payloads(std::vector<Payload>* out) const;
  const Place* place_of(const Payload& payload, uint64_t field, bool element);
  Place find_place(const Payload& payload, const std::string& path, bool element);
  Dynamic* table_of(uint64_t process, uint64_t domain, uint64_t schema, const std::string& array_field,
                    const std::vector<Field>& fields);
  void add_value(const Payload& payload, uint64_t item, uint64_t field, uint64_t element, uint64_t kind,
                 uint64_t number, uint64_t real, uint64_t text);
  void flush_rows(uint64_t event);
  std::string sanitized(const std::string& name);
  SqliteTable& add_table(const std::string& name, const std::string& columns);
  bool is_schema(const SchemaKey& key) const { return schemas_.contains(key); }

  const query::Source& source_;
  const ProcessesByNumber& processes_;
  NvtxEvents& events_;
  SqliteFile& file_;
  std::map<SchemaKey, Schema> schemas_;
  std::map<std::string, Dynamic> dynamic_;
  std::map<std::tuple<uint64_t, uint64_t, uint64_t, uint64_t, bool>, Place> places_;
  std::map<std::string, Row> rows_;  // of the payload being read
  std::map<std::string, std::string> translations_;
  std::deque<std::string> fixed_;
};

}  // namespace sextant::exporters
