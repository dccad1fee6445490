// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Three things make a scan cheap: only columns that the statement uses are decoded; chunks outside of the
// span of time that it asks for are passed over; and a column that is compared for equality again and again
// (the inner side of a join) gets an index, sorted numbers with the positions of their rows. SQLite checks
// every constraint again: what comes from here may be too much, never too little.
#include "sql/module.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace sextant::sql {

namespace {

constexpr double kCostOfLookUp = 30;
enum Operator : char {
  kEqual = '=',
  kAtLeast = '>',
  kAtMost = '<'
};  // > and < with equality: SQLite looks again

struct Entry {
  int64_t key;
  uint32_t part, row;
};
using Index = std::vector<Entry>;

struct VirtualTable {
  sqlite3_vtab base{};
  Tables* all = nullptr;
  Table* table = nullptr;
  int start = -1, end = -1;  // columns that the chunks' spans of time are about
  std::map<int, int> asked;  // how often a column was looked up
  std::map<int, std::unique_ptr<Index>> indexes;
};

struct Cursor {
  sqlite3_vtab_cursor base{};
  Columns columns = 0;
  int64_t from = INT64_MIN, to = INT64_MAX;  // a row must end at or after `from` and begin at or before `to`
  const Entry* entry = nullptr;              // of the index, up to last_entry; nullptr: a scan
  const Entry* last_entry = nullptr;
  size_t part = 0, row = 0;
  const Part* read_part = nullptr;  // whose columns `block` holds
  Columns read_columns = 0;
  std::shared_ptr<const Block> block;
};

VirtualTable& table_of(sqlite3_vtab_cursor* cursor) {
  return *reinterpret_cast<VirtualTable*>(cursor->pVtab);
}
Cursor& of(sqlite3_vtab_cursor* cursor) {
  return *reinterpret_cast<Cursor*>(cursor);
}

int connect(sqlite3* connection, void* context, int argc, const char* const* argv, sqlite3_vtab** out,
            char** error) {
  auto* tables = static_cast<Tables*>(context);
  const std::string_view name = argc > 2 ? argv[2] : "";
  const auto found = std::find_if(tables->catalogue->begin(), tables->catalogue->end(),
                                  [&](const Table& t) { return t.name == name; });
  if (found == tables->catalogue->end()) {
    *error = sqlite3_mprintf("the report has no table %s", argc > 2 ? argv[2] : "");
    return SQLITE_ERROR;
  }
  if (const int code = declare(connection, tables, found->declaration()); code != SQLITE_OK) return code;
  auto made = std::make_unique<VirtualTable>();
  made->all = tables;
  made->table = &*found;
  const Layout* layout = found->layouts.empty() ? nullptr : &found->layouts.front();
  for (size_t c = 0; layout != nullptr && c < layout->size(); ++c) {
    if ((*layout)[c].value == Value::kEnd) made->end = static_cast<int>(c);
    if ((*layout)[c].value == Value::kTime && made->start < 0) made->start = static_cast<int>(c);
  }
  *out = &made.release()->base;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete reinterpret_cast<VirtualTable*>(table);
  return SQLITE_OK;
}

bool can_be_looked_up(const Table& table, int column) {
  return std::all_of(table.layouts.begin(), table.layouts.end(), [&](const Layout& layout) {
    const Value value = layout[static_cast<size_t>(column)].value;
    return value != Value::kReal && value != Value::kFloat && value != Value::kText && value != Value::kKept;
  });
}

/// How good a column is to find few rows by.
int selectivity(const Table& table, int column) {
  const std::string& name = table.columns[static_cast<size_t>(column)].name;
  if (name == "id" || name == "correlationId" || name == "start" || name == "end") return 3;
  return name == "nameId" || name == "textId" || name == "shortName" || name == "demangledName" ? 2 : 1;
}

int best_index(sqlite3_vtab* base, sqlite3_index_info* info) {
  const auto& table = *reinterpret_cast<VirtualTable*>(base);
  int equal = -1, best = 0, arguments = 0;
  std::string plan = std::to_string(static_cast<unsigned long long>(info->colUsed));
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (!constraint.usable || constraint.iColumn < 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ ||
        !can_be_looked_up(*table.table, constraint.iColumn))
      continue;
    const int now = selectivity(*table.table, constraint.iColumn);
    if (now > best) best = now, equal = i;
  }
  bool bounded = false;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (!constraint.usable || constraint.iColumn < 0) continue;
    char op = 0;
    const bool is_start = constraint.iColumn == table.start, is_end = constraint.iColumn == table.end;
    const bool more =
        constraint.op == SQLITE_INDEX_CONSTRAINT_GT || constraint.op == SQLITE_INDEX_CONSTRAINT_GE;
    const bool less =
        constraint.op == SQLITE_INDEX_CONSTRAINT_LT || constraint.op == SQLITE_INDEX_CONSTRAINT_LE;
    if (i == equal)
      op = kEqual;
    else if (more && (is_start || is_end))
      op = kAtLeast;
    else if (less && is_start)
      op = kAtMost;
    if (op == 0) continue;
    bounded = bounded || op != kEqual;
    info->aConstraintUsage[i].argvIndex = ++arguments;
    plan += std::string(" ") + op + std::to_string(constraint.iColumn);
  }
  const auto rows = static_cast<double>(table.table->rows());
  const double scanned = std::max(1.0, bounded ? rows / 4 : rows);
  info->estimatedCost = equal < 0 ? scanned * 2 + 10
                                  : kCostOfLookUp + (best == 1   ? rows / 10
                                                     : best == 2 ? rows / 100
                                                                 : 0);
  info->estimatedRows = static_cast<sqlite3_int64>(equal < 0 ? scanned
                                                             : std::max(1.0, best == 1   ? rows / 10
                                                                             : best == 2 ? rows / 100
                                                                                         : 2));
  info->idxStr = sqlite3_mprintf("%s", plan.c_str());
  info->needToFreeIdxStr = 1;
  return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = &(new Cursor)->base;
  return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
  delete &of(cursor);
  return SQLITE_OK;
}

bool load(VirtualTable& table, Cursor& cursor, const Part& part) {
  if (cursor.read_part == &part && cursor.read_columns == cursor.columns) return cursor.block != nullptr;
  cursor.block = table.all->values->read(*table.table, part, cursor.columns);
  cursor.read_part = &part;
  cursor.read_columns = cursor.columns;
  return cursor.block != nullptr;
}

/// Goes on to the next row that is there, the cursor's own included.
void settle(VirtualTable& table, Cursor& cursor) {
  const std::vector<Part>& parts = table.table->parts;
  if (cursor.entry != nullptr) {
    for (; cursor.entry != cursor.last_entry; ++cursor.entry) {
      cursor.part = cursor.entry->part;
      cursor.row = cursor.entry->row;
      if (load(table, cursor, parts[cursor.part])) return;
    }
    cursor.part = parts.size();
    return;
  }
  while (cursor.part < parts.size()) {
    const Part& part = parts[cursor.part];
    if (cursor.row < part.rows && table.all->values->may_touch(part, cursor.from, cursor.to) &&
        load(table, cursor, part))
      return;
    ++cursor.part;
    cursor.row = 0;
  }
}

/// nullptr: there is no memory for it.
const Index* index_of(VirtualTable& table, int column) {
  std::unique_ptr<Index>& index = table.indexes[column];
  if (index) return index.get();
  const uint64_t bytes = table.table->rows() * sizeof(Entry);
  if (bytes > table.all->index_bytes_left) return nullptr;
  table.all->index_bytes_left -= bytes;
  index = std::make_unique<Index>();
  index->reserve(table.table->rows());
  const auto at = static_cast<size_t>(column);
  const Columns columns = Columns{1} << std::min(at, kLastColumnBit);
  const std::vector<Part>& parts = table.table->parts;
  for (uint32_t p = 0; p < parts.size(); ++p) {
    const auto block = table.all->values->read(*table.table, parts[p], columns);
    for (uint32_t row = 0; block && row < parts[p].rows; ++row) {
      int64_t key = 0;
      if (table.all->values->integer((*parts[p].layout)[at], *block, row, &key))
        index->push_back({key, p, row});
    }
  }
  std::stable_sort(index->begin(), index->end(),
                   [](const Entry& a, const Entry& b) { return a.key < b.key; });
  return index.get();
}

/// Turns the scan into a look-up, from the second time on that the column is asked for.
void look_up(VirtualTable& table, Cursor& cursor, int column, sqlite3_value* value) {
  if (sqlite3_value_type(value) != SQLITE_INTEGER || ++table.asked[column] < 2) return;
  const Index* index = index_of(table, column);
  if (index == nullptr) return;
  const int64_t key = sqlite3_value_int64(value);
  const auto first = std::lower_bound(index->begin(), index->end(), key,
                                      [](const Entry& e, int64_t k) { return e.key < k; });
  cursor.entry = index->data() + (first - index->begin());
  cursor.last_entry = cursor.entry;
  while (cursor.last_entry != index->data() + index->size() && cursor.last_entry->key == key)
    ++cursor.last_entry;
}

int filter(sqlite3_vtab_cursor* base, int, const char* plan, int argc, sqlite3_value** argv) {
  VirtualTable& table = table_of(base);
  Cursor& cursor = of(base);
  cursor.from = INT64_MIN, cursor.to = INT64_MAX;
  cursor.entry = cursor.last_entry = nullptr;
  cursor.part = cursor.row = 0;
  const char* const end = plan + std::char_traits<char>::length(plan);
  const char* at = std::from_chars(plan, end, cursor.columns).ptr;
  for (int i = 0; i < argc && at + 1 < end; ++i) {
    const char op = at[1];
    int column = 0;
    at = std::from_chars(at + 2, end, column).ptr;
    if (op == kEqual) {
      look_up(table, cursor, column, argv[i]);
    } else if (sqlite3_value_type(argv[i]) == SQLITE_INTEGER) {
      const int64_t bound = sqlite3_value_int64(argv[i]);
      if (op == kAtLeast) cursor.from = std::max(cursor.from, bound);
      if (op == kAtMost) cursor.to = std::min(cursor.to, bound);
    }
  }
  settle(table, cursor);
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* base) {
  Cursor& cursor = of(base);
  if (cursor.entry != nullptr)
    ++cursor.entry;
  else
    ++cursor.row;
  VirtualTable& table = table_of(base);
  if (cursor.entry == nullptr && cursor.row < table.table->parts[cursor.part].rows) return SQLITE_OK;
  settle(table, cursor);
  return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor* base) {
  return of(base).part >= table_of(base).table->parts.size() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* out, int at) {
  VirtualTable& table = table_of(base);
  const Cursor& cursor = of(base);
  table.all->values->put(out, (*table.table->parts[cursor.part].layout)[static_cast<size_t>(at)],
                         *cursor.block, cursor.row);
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  VirtualTable& table = table_of(base);
  const Cursor& cursor = of(base);
  int64_t number = 0;
  const bool known = table.table->row_number.value != Value::kNothing &&
                     table.all->values->integer(table.table->row_number, *cursor.block, cursor.row, &number);
  *out = known ? number : table.table->parts[cursor.part].first_row + static_cast<int64_t>(cursor.row);
  return SQLITE_OK;
}

constexpr sqlite3_module kModule = {
    .iVersion = 0,
    .xCreate = connect,
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = open,
    .xClose = close,
    .xFilter = filter,
    .xNext = next,
    .xEof = eof,
    .xColumn = column,
    .xRowid = row_id,
    .xUpdate = nullptr,
    .xBegin = nullptr,
    .xSync = nullptr,
    .xCommit = nullptr,
    .xRollback = nullptr,
    .xFindFunction = nullptr,
    .xRename = nullptr,
    .xSavepoint = nullptr,
    .xRelease = nullptr,
    .xRollbackTo = nullptr,
    .xShadowName = nullptr,
};

}  // namespace

int declare(sqlite3* connection, Tables* tables, const std::string& columns) {
  tables->declaring = true;
  const int code = sqlite3_declare_vtab(connection, columns.c_str());
  tables->declaring = false;
  return code;
}

void add_table_module(sqlite3* connection, Tables* tables) {
  sqlite3_create_module(connection, "sextant", &kModule, tables);
}

}  // namespace sextant::sql
