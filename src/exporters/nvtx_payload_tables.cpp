// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/nvtx_payload_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <set>

#include "event/schema_nvtx.h"
#include "exporters/nsys_ids.h"
#include "exporters/report_rows.h"

namespace sextant::exporters {

namespace {

constexpr uint64_t kArray = 7 << 4;
constexpr size_t kMostColumns = 900;
constexpr uint64_t kCharacters[] = {1, 25};  // arrays of these are texts

bool is_real(uint64_t type) {
  return type == 19 || type == 20 || type == 21 || (type >= 42 && type <= 44) || type == 50 || type == 52;
}
bool is_text(uint64_t type) {
  return (type >= 75 && type <= 80) || type == 33 || type == 34 || type == 45;
}
bool is_array(uint64_t flags, uint64_t type) {
  return (flags & kArray) != 0 && type != kCharacters[0] && type != kCharacters[1];
}
const char* column_type(uint64_t flags, uint64_t type) {
  if (is_text(type) || ((flags & kArray) != 0 && !is_array(flags, type))) return "TEXT";
  return is_real(type) ? "REAL" : "INTEGER";
}

}  // namespace

NvtxPayloadTables::NvtxPayloadTables(const query::Source& source, const ProcessesByNumber& processes,
                                     NvtxEvents& events, SqliteFile& file)
    : source_(source), processes_(processes), events_(events), file_(file) {}

Status NvtxPayloadTables::write() {
  if (source_.rows(event::kNvtxPayload) == 0 && source_.rows(event::kNvtxRegistration) == 0) return {};
  read_schemas();
  write_schemas();
  write_enums();
  write_scopes();
  SEXTANT_TRY(write_values());
  if (translations_.empty()) return {};
  SqliteTable& table =
      add_table("NVTX_EXPORT_TRANSLATION", "originalName TEXT NOT NULL, sanitizedName TEXT NOT NULL");
  SqliteRecord record;
  std::string fixed;
  for (const auto& [original, sanitized] : translations_) {
    record.clear();
    record.text(valid_text(original, &fixed)).text(sanitized);
    table.append(record);
  }
  return {};
}

SqliteTable& NvtxPayloadTables::add_table(const std::string& name, const std::string& columns) {
  return file_.add_table(name, fmt::format("CREATE TABLE {} ({})", name, columns),
                         SqliteFile::Empty::kLeftOut);
}

/// A name that SQL takes as it is.
std::string NvtxPayloadTables::sanitized(const std::string& name) {
  std::string out;
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out.insert(0, "_");
  if (out != name) translations_.emplace(name, out);
  return out;
}

// What was registered

void NvtxPayloadTables::read_schemas() {
  using namespace event::nvtx_schema_field;
  const std::array<uint16_t, 7> columns = {kProcessId, kDomain, kSchema, kIndex, kType, kFlags, kName};
  for_each_row(source_.reader(), event::kNvtxSchemaField, columns, [&](const std::array<uint64_t, 7>& r) {
    Schema& schema = schemas_[{r[0], r[1], r[2]}];
    if (r[3] > kMostColumns) return;
    if (schema.fields.size() <= r[3]) schema.fields.resize(r[3] + 1);
    schema.fields[r[3]] = {r[4], r[5], std::string(source_.reader().string(r[6]))};
    if (schema.fields[r[3]].name.empty()) schema.fields[r[3]].name = "field" + std::to_string(r[3]);
  });
}

void NvtxPayloadTables::write_schemas() {
  using namespace event::nvtx_schema_field;
  SqliteTable& schemas =
      add_table("NVTX_PAYLOAD_SCHEMAS",
                "domainId INTEGER, schemaId INTEGER, name TEXT, type INTEGER, flags INTEGER, "
                "numEntries INTEGER, payloadSize INTEGER, alignTo INTEGER");
  SqliteTable& entries = add_table(
      "NVTX_PAYLOAD_SCHEMA_ENTRIES",
      "domainId INTEGER NOT NULL, schemaId INTEGER NOT NULL, idx INTEGER NOT NULL, flags INTEGER, type "
      "INTEGER, name TEXT, description TEXT, arrayOrUnionDetail INTEGER, offset INTEGER");
  const std::array<uint16_t, 15> columns = {kProcessId,   kDomain,      kSchema,    kSchemaName,  kSchemaType,
                                            kSchemaFlags, kSchemaBytes, kAlignment, kFields,      kIndex,
                                            kFlags,       kType,        kName,      kDescription, kDetail};
  SqliteRecord record;
  std::string fixed;
  const auto number = [&](uint64_t value) { record.integer(static_cast<int64_t>(value)); };
  const auto unless_zero = [&](uint64_t value) { value != 0 ? number(value) : (void)record.null(); };
  const auto text = [&](uint64_t id) {
    id != 0 ? (void)record.text(valid_text(source_.reader().string(id), &fixed)) : (void)record.null();
  };
  for_each_row(source_.reader(), event::kNvtxSchemaField, columns, [&](const std::array<uint64_t, 15>& r) {
    const int64_t domain = events_.domain_number(r[1]);
    if (r[9] == 0) {
      record.clear();
      record.integer(domain);
      number(r[2]), text(r[3]), number(r[4]), unless_zero(r[5]), number(r[8]), unless_zero(r[6]),
          unless_zero(r[7]);
      schemas.append(record);
    }
    if (r[8] == 0) return;
    record.clear();
    record.integer(domain);
    number(r[2]), number(r[9]), unless_zero(r[10]), number(r[11]), text(r[12]), text(r[13]),
        unless_zero(r[14]);
    entries.append(record);
  });
}

void NvtxPayloadTables::write_enums() {
  using namespace event::nvtx_enum_value;
  SqliteTable& enums =
      add_table("NVTX_PAYLOAD_ENUMS",
                "domainId INTEGER, schemaId INTEGER, name TEXT, numEntries INTEGER, size INTEGER");
  SqliteTable& entries =
      add_table("NVTX_PAYLOAD_ENUM_ENTRIES",
                "domainId INTEGER NOT NULL, schemaId INTEGER NOT NULL, idx INTEGER NOT NULL, name "
                "TEXT, value INTEGER, isFlag INTEGER");
  const std::array<uint16_t, 9> columns = {kDomain, kSchema, kEnumName, kBytes, kValues,
                                           kIndex,  kName,   kValue,    kIsFlag};
  SqliteRecord record;
  std::string fixed;
  const auto number = [&](uint64_t value) { record.integer(static_cast<int64_t>(value)); };
  const auto text = [&](uint64_t id) { record.text(valid_text(source_.reader().string(id), &fixed)); };
  for_each_row(source_.reader(), event::kNvtxEnumValue, columns, [&](const std::array<uint64_t, 9>& r) {
    const int64_t domain = events_.domain_number(r[0]);
    if (r[5] == 0) {
      record.clear();
      record.integer(domain);
      number(r[1]), text(r[2]), number(r[4]), number(r[3]);
      enums.append(record);
    }
    record.clear();
    record.integer(domain);
    number(r[1]), number(r[5]), text(r[6]), number(r[7]), number(r[8]);
    entries.append(record);
  });
}

void NvtxPayloadTables::write_scopes() {
  using namespace event::nvtx_own_scope;
  SqliteTable& table =
      add_table("NVTX_SCOPES", "domainId INTEGER, scopeId INTEGER, parentScopeId INTEGER, path TEXT");
  SqliteRecord record;
  std::string fixed;
  for_each_row(
      source_.reader(), event::kNvtxOwnScope, std::array<uint16_t, 4>{kDomain, kScope, kParentScope, kPath},
      [&](const auto& r) {
        record.clear();
        record.integer(events_.domain_number(r[0])).integer(static_cast<int64_t>(r[1]));
        record.integer(static_cast<int64_t>(r[2])).text(valid_text(source_.reader().string(r[3]), &fixed));
        table.append(record);
      });
}

// Values

Status NvtxPayloadTables::read_payloads(std::vector<Payload>* out) const {
  using namespace event::nvtx_payload;
  const std::array<uint16_t, 5> columns = {kProcessId, kEvent, kIndex, kSchema, kDomain};
  for_each_row(source_.reader(), event::kNvtxPayload, columns, [&](const std::array<uint64_t, 5>& r) {
    out->push_back({r[0], r[1], r[2], r[3], r[4]});
  });
  return {};
}

void NvtxPayloadTables::write_links(const std::vector<Payload>& payloads) {
  SqliteTable& links =
      add_table("NVTX_EVENTS_PAYLOAD_SCHEMAS",
                "eventId INTEGER NOT NULL, globalPid INTEGER NOT NULL, domainId INTEGER NOT NULL, "
                "payloadSchemaID INTEGER NOT NULL");
  SqliteRecord record;
  for (const Payload& p : payloads) {
    record.clear();
    record.integer(static_cast<int64_t>(p.event)).integer(global_pid(processes_.pid(p.process)));
    record.integer(events_.domain_number(p.domain)).integer(static_cast<int64_t>(p.schema));
    links.append(record);
  }
}

/// Values stand in the order of their payloads, so one look at each row of both tables is enough.
Status NvtxPayloadTables::write_values() {
  std::vector<Payload> payloads;
  SEXTANT_TRY(read_payloads(&payloads));
  if (payloads.empty()) return {};
  write_links(payloads);
  using namespace event::nvtx_payload_value;
  const std::array<uint16_t, 9> columns = {kProcessId, kEvent, kIndex,  kItem, kField,
                                           kElement,   kKind,  kNumber, kReal};
  std::array<uint16_t, 10> wanted;
  std::copy(columns.begin(), columns.end(), wanted.begin());
  wanted[9] = kText;
  size_t at = 0;
  uint64_t item = 0;
  for_each_row(source_.reader(), event::kNvtxPayloadValue, wanted, [&](const std::array<uint64_t, 10>& r) {
    const auto is_of = [&](const Payload& p) {
      return p.process == r[0] && p.event == r[1] && p.index == r[2];
    };
    if (at >= payloads.size() || !is_of(payloads[at]) || item != r[3]) {
      if (at < payloads.size()) flush_rows(payloads[at].event);
      size_t next = at;
      while (next < payloads.size() && !is_of(payloads[next])) ++next;
      if (next == payloads.size()) return;  // its own row is damaged
      at = next;
      item = r[3];
    }
    add_value(payloads[at], r[3], r[4], r[5], r[6], r[7], r[8], r[9]);
  });
  if (at < payloads.size()) flush_rows(payloads[at].event);
  return file_.status();
}

void NvtxPayloadTables::add_value(const Payload& payload, uint64_t, uint64_t field, uint64_t element,
                                  uint64_t kind, uint64_t number, uint64_t real, uint64_t text) {
  const Place* place = place_of(payload, field, element != 0);
  if (place == nullptr || place->table == nullptr) return;
  const uint64_t index = place->table->has_index ? element : 0;
  Row& row = rows_[place->row + (index != 0 ? fmt::format("#{:08}", index) : "")];
  if (row.table == nullptr) {
    row.table = place->table;
    row.index = index;
    row.kinds.assign(place->table->columns.size(), -1);
    row.numbers.resize(row.kinds.size());
    row.texts.resize(row.kinds.size());
  }
  const bool is_real_value = kind == static_cast<uint64_t>(event::nvtx_payload_value::Kind::kReal);
  row.kinds[place->column] = static_cast<int>(kind);
  row.numbers[place->column] = is_real_value ? real : number;
  row.texts[place->column] = text;
}

void NvtxPayloadTables::flush_rows(uint64_t event) {
  using event::nvtx_payload_value::Kind;
  SqliteRecord record;
  std::string fixed;
  for (const auto& [key, row] : rows_) {
    record.clear();
    record.integer(static_cast<int64_t>(event));
    if (row.table->has_index) record.integer(static_cast<int64_t>(row.index) - 1);
    for (size_t c = 0; c < row.kinds.size(); ++c) {
      if (row.kinds[c] < 0) {
        record.null();
        continue;
      }
      switch (static_cast<Kind>(row.kinds[c])) {
        case Kind::kReal:
          record.real(std::bit_cast<double>(row.numbers[c]));
          break;
        case Kind::kText:
        case Kind::kBytes:
          record.text(valid_text(source_.reader().string(row.texts[c]), &fixed));
          break;
        default:
          record.integer(static_cast<int64_t>(row.numbers[c]));
      }
    }
    row.table->table->append(record);
  }
  rows_.clear();
}

const NvtxPayloadTables::Place* NvtxPayloadTables::place_of(const Payload& payload, uint64_t field,
                                                            bool element) {
  const auto key = std::tuple(payload.process, payload.domain, payload.schema, field, element);
  auto found = places_.find(key);
  if (found == places_.end())
    found =
        places_.emplace(key, find_place(payload, std::string(source_.reader().string(field)), element)).first;
  return &found->second;
}

/// Goes along the path through the schemas.
NvtxPayloadTables::Place NvtxPayloadTables::find_place(const Payload& payload, const std::string& path,
                                                       bool element) {
  uint64_t schema = payload.schema;
  std::string rest = path, walked;
  Place place;
  Dynamic* inside = nullptr;  // the table of an array of structures
  std::string prefix;         // of columns there
  for (int depth = 0; depth < 32; ++depth) {
    const auto known = schemas_.find({payload.process, payload.domain, schema});
    if (known == schemas_.end()) {  // a predefined type, or unknown: one column
      place.table =
          table_of(payload.process, payload.domain, schema, "", {{schema, element ? kArray : 0, "value"}});
      place.row = place.table->table != nullptr ? std::to_string(schema) : "";
      return place;
    }
    const Field* field = nullptr;
    for (const Field& f : known->second.fields)
      if (rest == f.name ||
          (rest.starts_with(f.name + ".") && is_schema({payload.process, payload.domain, f.type}))) {
        field = &f;
        break;
      }
    if (field == nullptr) return {};
    walked += "/" + field->name;
    const bool nested = is_schema({payload.process, payload.domain, field->type});
    const bool array = is_array(field->flags, field->type);
    if (array && inside == nullptr) {
      std::vector<Field> columns = {{field->type, 0, "value"}};
      if (nested) columns = schemas_[{payload.process, payload.domain, field->type}].fields;
      inside = table_of(payload.process, payload.domain, schema, field->name, columns);
      place.row = walked;
      if (!nested) {
        place.table = inside;
        return place;
      }
    } else if (!nested) {
      place.table = inside != nullptr
                        ? inside
                        : table_of(payload.process, payload.domain, schema, "", known->second.fields);
      if (inside == nullptr) place.row = std::to_string(schema) + prefix;
      const std::string column = sanitized(field->name);
      const auto at = std::find(place.table->columns.begin(), place.table->columns.end(), column);
      if (at == place.table->columns.end()) return {};
      place.column = static_cast<size_t>(at - place.table->columns.begin());
      return place;
    }
    prefix = walked;
    schema = field->type;
    rest = rest.size() > field->name.size() ? rest.substr(field->name.size() + 1) : "";
  }
  return {};
}

NvtxPayloadTables::Dynamic* NvtxPayloadTables::table_of(uint64_t process, uint64_t domain, uint64_t schema,
                                                        const std::string& array_field,
                                                        const std::vector<Field>& fields) {
  std::string name = fmt::format("DYNAMIC_NVTXPAYLOAD_DATATYPE_{}_{}_{}", global_pid(processes_.pid(process)),
                                 events_.domain_number(domain), schema);
  if (!array_field.empty()) name += "_" + sanitized(array_field);
  const auto [found, is_new] = dynamic_.try_emplace(name);
  Dynamic& dynamic = found->second;
  if (!is_new) return &dynamic;
  dynamic.has_index = !array_field.empty() ||
                      (fields.size() == 1 && (fields[0].flags & kArray) != 0 && fields[0].name == "value");
  std::string columns = "eventId INTEGER NOT NULL";
  if (dynamic.has_index) columns += ", idx INTEGER NOT NULL";
  std::set<std::string> taken = {"eventid", "idx"};
  for (const Field& f : fields) {
    const bool nested = is_schema({process, domain, f.type});
    if (dynamic.columns.size() >= kMostColumns || nested ||
        (array_field.empty() && !dynamic.has_index && is_array(f.flags, f.type)))
      continue;
    std::string column = sanitized(f.name), lower;
    for (const char c : column) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!taken.insert(lower).second) continue;  // the first one of the name has it
    dynamic.columns.push_back(column);
    columns += fmt::format(", \"{}\" {}", column, column_type(dynamic.has_index ? 0 : f.flags, f.type));
  }
  dynamic.table = &add_table(name, columns);
  return &dynamic;
}

}  // namespace sextant::exporters
