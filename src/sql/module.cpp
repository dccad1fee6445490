// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Three things make a scan cheap: only columns that the statement uses are decoded; chunks outside of the
// span of time that it asks for are passed over; and a column that is compared for equality again and again
// (the inner side of a join) gets an index, sorted numbers with the positions of their rows; where it has few
// values, its rows are brought together instead (grouped.h), which also serves GROUP BY and DISTINCT. SQLite
// checks every constraint again: what comes from here may be too much, never too little.
#include "sql/module.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "sql/grouped.h"

namespace sextant::sql {

namespace {

constexpr double kCostOfLookUp = 30;
enum Operator : char {
  kEqual = '=',
  kAtLeast = '>',
  kAtMost = '<',  // > and < with equality: SQLite looks again
  // no argument: rows that are equal in these columns come one behind the other, in ascending or descending
  // order
  kGroup = 'g',
  kGroupDown = 'G'
};

struct Entry {
  int64_t key;
  uint32_t part, row;
};
using Index = std::vector<Entry>;

struct VirtualTable {
  sqlite3_vtab base{};
  std::shared_ptr<Tables> all;
  Table* table = nullptr;
  int start = -1, end = -1;  // columns that the chunks' spans of time are about
  std::map<int, int> asked;  // how often a column was looked up
  std::map<int, std::unique_ptr<Index>> indexes;
  std::vector<std::shared_ptr<Grouped>> grouped;
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
  std::vector<Access> access;        // by column, of `block`
  std::shared_ptr<Grouped> grouped;  // rows `row` to `group_end` of it; nullptr: a scan, or an index
  size_t group_end = 0;

  /// The columns of a block from now on.
  void use(const Values& values, const Layout& layout, std::shared_ptr<const Block> now) {
    block = std::move(now);
    access.assign(layout.size(), {});
    for (size_t c = 0; block && c < layout.size(); ++c)
      if (has(columns, c)) access[c] = values.access(layout[c], *block);
  }
};

VirtualTable& table_of(sqlite3_vtab_cursor* cursor) {
  return *reinterpret_cast<VirtualTable*>(cursor->pVtab);
}
Cursor& of(sqlite3_vtab_cursor* cursor) {
  return *reinterpret_cast<Cursor*>(cursor);
}

int connect(sqlite3* connection, void* context, int argc, const char* const* argv, sqlite3_vtab** out,
            char** error) {
  std::string name = argc > 2 ? argv[2] : "", why;
  const std::vector<std::string> arguments(argv + std::min(argc, 3), argv + argc);
  auto tables = (*static_cast<FindTables*>(context))(arguments, &name, &why);
  if (!tables) {
    *error = sqlite3_mprintf("%s", why.c_str());
    return SQLITE_ERROR;
  }
  const auto found = std::find_if(tables->catalogue->begin(), tables->catalogue->end(),
                                  [&](const Table& t) { return t.name == name; });
  if (found == tables->catalogue->end()) {
    *error = sqlite3_mprintf("the report has no table %s", name.c_str());
    return SQLITE_ERROR;
  }
  if (const int code = declare(connection, tables.get(), found->declaration()); code != SQLITE_OK)
    return code;
  auto made = std::make_unique<VirtualTable>();
  made->all = std::move(tables);
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

/// What grouped rows take that no cursor stands on.
uint64_t unused_bytes(const VirtualTable& table) {
  uint64_t bytes = 0;
  for (const auto& grouped : table.grouped)
    if (grouped.use_count() == 1)
      bytes += Grouped::bytes(*table.table, grouped->keys().size(), grouped->used());
  return bytes;
}

/// nullptr: there is no memory for it.
std::shared_ptr<Grouped> grouped_by(VirtualTable& table, const std::vector<Key>& keys, Columns used) {
  for (const auto& grouped : table.grouped)
    if (grouped->keys() == keys && (grouped->used() & used) == used) return grouped;
  const uint64_t bytes = Grouped::bytes(*table.table, keys.size(), used);
  for (auto old = table.grouped.begin(); old != table.grouped.end() && bytes > table.all->index_bytes_left;) {
    if (old->use_count() > 1) {
      ++old;
      continue;
    }
    table.all->index_bytes_left += Grouped::bytes(*table.table, (*old)->keys().size(), (*old)->used());
    old = table.grouped.erase(old);
  }
  if (bytes > table.all->index_bytes_left) return nullptr;
  table.all->index_bytes_left -= bytes;
  return table.grouped.emplace_back(std::make_shared<Grouped>(*table.table, *table.all->values, keys, used));
}

/// How good a column is to find few rows by.
constexpr int kSelective = 3;
int selectivity(const Table& table, int column) {
  const std::string& name = table.columns[static_cast<size_t>(column)].name;
  if (name == "id" || name == "correlationId" || name == "start" || name == "end") return kSelective;
  return name == "nameId" || name == "textId" || name == "shortName" || name == "demangledName" ? 2 : 1;
}

/// GROUP BY and DISTINCT want equal values next to each other: the plan's part that says so. In order, since
/// SQLite does not sort again for an ORDER BY by the same columns.
std::string group_order(const VirtualTable& table, sqlite3_index_info* info) {
  constexpr int kDistinctSince = 3'038'000, kOrderBy = 0, kMostColumns = 8;
  if (info->nOrderBy == 0 || info->nOrderBy > kMostColumns || sqlite3_libversion_number() < kDistinctSince)
    return {};
  if (sqlite3_vtab_distinct(info) == kOrderBy) return {};  // with LIMIT, SQLite needs to keep few rows
  std::string plan;
  for (int i = 0; i < info->nOrderBy; ++i) {
    const auto& by = info->aOrderBy[i];
    // where nearly every row is a group of its own, SQLite's way takes less memory
    if (!Grouped::possible(*table.table, by.iColumn) || selectivity(*table.table, by.iColumn) >= kSelective)
      return {};
    plan +=
        std::string(" ") + static_cast<char>(by.desc != 0 ? kGroupDown : kGroup) + std::to_string(by.iColumn);
  }
  const uint64_t bytes = Grouped::bytes(*table.table, static_cast<size_t>(info->nOrderBy), info->colUsed);
  if (bytes > table.all->index_bytes_left + unused_bytes(table)) return {};
  info->orderByConsumed = 1;
  return plan;
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
  if (equal < 0 && !bounded) plan += group_order(table, info);
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
  cursor.use(*table.all->values, *part.layout, table.all->values->read(*table.table, part, cursor.columns));
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

void stand_on(VirtualTable& table, Cursor& cursor, std::shared_ptr<Grouped> grouped, const Group& rows) {
  if (cursor.block != grouped->block() || cursor.read_columns != cursor.columns)
    cursor.use(*table.all->values, table.table->layouts[0], grouped->block());
  cursor.read_part = nullptr;
  cursor.read_columns = cursor.columns;
  cursor.grouped = std::move(grouped);
  cursor.row = rows.begin;
  cursor.group_end = rows.end;
}

/// Turns the scan into a look-up, from the second time on that the column is asked for.
void look_up(VirtualTable& table, Cursor& cursor, int column, sqlite3_value* value) {
  if (sqlite3_value_type(value) != SQLITE_INTEGER || ++table.asked[column] < 2) return;
  if (selectivity(*table.table, column) < kSelective && Grouped::possible(*table.table, column)) {
    if (auto grouped = grouped_by(table, {{column, false}}, cursor.columns)) {
      const Group rows = grouped->find(sqlite3_value_int64(value));
      return stand_on(table, cursor, std::move(grouped), rows);
    }
  }
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
  cursor.grouped = nullptr;
  std::vector<Key> group_keys;
  const char* const end = plan + std::char_traits<char>::length(plan);
  const char* at = std::from_chars(plan, end, cursor.columns).ptr;
  for (int argument = 0; at + 1 < end;) {
    const char op = at[1];
    int column = 0;
    at = std::from_chars(at + 2, end, column).ptr;
    if (op == kGroup || op == kGroupDown) {
      group_keys.push_back({column, op == kGroupDown});
      continue;
    }
    if (argument == argc) break;
    sqlite3_value* const value = argv[argument++];
    if (op == kEqual) {
      look_up(table, cursor, column, value);
    } else if (sqlite3_value_type(value) == SQLITE_INTEGER) {
      const int64_t bound = sqlite3_value_int64(value);
      if (op == kAtLeast) cursor.from = std::max(cursor.from, bound);
      if (op == kAtMost) cursor.to = std::min(cursor.to, bound);
    }
  }
  if (!group_keys.empty()) {
    auto grouped = grouped_by(table, group_keys, cursor.columns);
    if (!grouped) return SQLITE_NOMEM;
    const Group all{.key = {}, .begin = 0, .end = grouped->rows()};
    stand_on(table, cursor, std::move(grouped), all);
  }
  if (!cursor.grouped) settle(table, cursor);
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* base) {
  Cursor& cursor = of(base);
  if (cursor.grouped) {
    ++cursor.row;
    return SQLITE_OK;
  }
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
  const Cursor& cursor = of(base);
  if (cursor.grouped) return cursor.row >= cursor.group_end ? 1 : 0;
  return cursor.part >= table_of(base).table->parts.size() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* out, int at) {
  const Cursor& cursor = of(base);
  const Access& access = cursor.access[static_cast<size_t>(at)];
  if (access.plain) {
    if (access.nulls != nullptr && (access.nulls[cursor.row] & access.null_bit) != 0)
      return SQLITE_OK;  // NULL
    const uint64_t value = access.values[cursor.row];
    const bool translated = access.numbers != nullptr && value < access.numbers->size();
    sqlite3_result_int64(out, translated ? (*access.numbers)[value] : static_cast<int64_t>(value));
    return SQLITE_OK;
  }
  VirtualTable& table = table_of(base);
  const Layout& layout = cursor.grouped ? table.table->layouts[0] : *table.table->parts[cursor.part].layout;
  table.all->values->put(out, layout[static_cast<size_t>(at)], *cursor.block, cursor.row);
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  VirtualTable& table = table_of(base);
  const Cursor& cursor = of(base);
  int64_t number = 0;
  const bool known = table.table->row_number.value != Value::kNothing &&
                     table.all->values->integer(table.table->row_number, *cursor.block, cursor.row, &number);
  *out = known            ? number
         : cursor.grouped ? static_cast<int64_t>(cursor.grouped->row_number(cursor.row)) + 1
                          : table.table->parts[cursor.part].first_row + static_cast<int64_t>(cursor.row);
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
};

}  // namespace

int declare(sqlite3* connection, Tables* tables, const std::string& columns) {
  tables->declaring = true;
  const int code = sqlite3_declare_vtab(connection, columns.c_str());
  tables->declaring = false;
  return code;
}

void add_table_module(sqlite3* connection, FindTables find) {
  sqlite3_create_module_v2(connection, "sextant", &kModule, new FindTables(std::move(find)),
                           [](void* context) { delete static_cast<FindTables*>(context); });
}

}  // namespace sextant::sql
