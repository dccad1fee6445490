// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "text/utf8.h"

namespace sextant::importers {

namespace {

using Kind = Value::Kind;

/// The value as an integer. False: it is none.
bool to_integer(const Value& value, uint64_t* out) {
  if (value.kind == Kind::kInt) {
    *out = static_cast<uint64_t>(value.integer);
    return true;
  }
  const bool whole =
      value.kind == Kind::kReal && value.real == std::floor(value.real) && std::abs(value.real) < 9e18;
  if (whole) *out = static_cast<uint64_t>(static_cast<int64_t>(value.real));
  return whole;
}

/// Tables that list processes and threads without saying that anything happened there.
bool is_list(uint16_t table) {
  return table == event::kListedProcess || table == event::kThreadName || table == event::kProcessOutput ||
         table == event::kAttachedFile;
}

}  // namespace

NsysRows::NsysRows(NsysImportState& state, const SourceTable& source, const nsys::Target& target)
    : state_(state), source_(source), target_(target), batch_(*event::find_table(target.table->to)) {
  plan();
  counts_events_ = !is_list(target.table->to);
}

void NsysRows::plan() {
  nulls_ = &batch_.column(event::kNullsColumn);
  std::vector<bool> used(source_.columns.size());
  for (const nsys::Column& column : target_.table->columns) {
    const uint64_t bit = uint64_t{1} << column.to;
    Step step{column.from, wanted_.size(), &batch_.column(column.to), bit, column.to};
    if (column.from == nsys::From::kConstant || column.from == nsys::From::kTableName)
      continue;  // see flush()
    if (column.from == nsys::From::kRowid) {
      if (!source_.has_rowid) {
        always_null_ |= bit;
        continue;
      }
      wanted_.push_back(SqliteDatabase::kRowid);
    } else {
      const int at = source_.find(column.source);
      if (at < 0) {
        always_null_ |= bit;
        continue;
      }
      used[static_cast<size_t>(at)] = true;
      const auto known = std::find(wanted_.begin(), wanted_.end(), at);  // a globalTid has two places
      step.value = static_cast<size_t>(known - wanted_.begin());
      if (known == wanted_.end()) wanted_.push_back(at);
    }
    steps_.push_back(step);
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i]) continue;
    if (!left_out_.empty()) left_out_ += ", ";
    left_out_ += source_.columns[i].name;
  }
}

bool NsysRows::convert_text(const Value& value, Step& step, uint64_t* out) {
  if (step.from == nsys::From::kStringId) {
    uint64_t id = 0;
    if (!to_integer(value, &id)) return ++step.wrong_type, false;
    const auto string = state_.strings.find(static_cast<int64_t>(id));
    if (!string) return ++step.unknown_string, false;
    *out = *string;
    return true;
  }
  switch (value.kind) {
    case Kind::kInt:
      *out = state_.strings.intern(*state_.writer, std::to_string(value.integer));
      break;
    case Kind::kReal:
      *out = state_.strings.intern(*state_.writer, fmt::format("{}", value.real));
      break;
    default:
      *out = state_.strings.intern(*state_.writer, value.bytes);
  }
  return true;
}

/// False: there is no value, or one of a wrong kind.
bool NsysRows::convert(Step& step, std::span<const Value> row, uint64_t* out) {
  const Value& value = row[step.value];
  if (value.kind == Kind::kNull) return false;
  if (step.from == nsys::From::kStringId || step.from == nsys::From::kText)
    return convert_text(value, step, out);
  if (step.from == nsys::From::kReal && value.kind == Kind::kReal) {
    *out = std::bit_cast<uint64_t>(value.real);
    return true;
  }
  uint64_t integer = 0;
  if (!to_integer(value, &integer)) return ++step.wrong_type, false;
  switch (step.from) {
    case nsys::From::kReal:
      *out = std::bit_cast<uint64_t>(static_cast<double>(static_cast<int64_t>(integer)));
      break;
    case nsys::From::kTime:
      *out = start_ = integer + kSessionStartRaw;
      break;
    case nsys::From::kEnd:
      *out = integer + kSessionStartRaw - start_;
      break;
    case nsys::From::kTid:
      *out = integer & nsys::kTidBits;
      break;
    case nsys::From::kProcess:
      *out = state_.processes.number(integer);
      break;
    case nsys::From::kProcessOfThread:
      *out = state_.processes.number(integer & ~nsys::kTidBits);
      break;
    default:
      *out = integer;
  }
  return true;
}

void NsysRows::add(std::span<const Value> row) {
  uint64_t nulls = always_null_;
  start_ = kSessionStartRaw;
  for (Step& step : steps_) {
    uint64_t out = 0;
    if (!convert(step, row, &out)) nulls |= step.null_bit;
    step.out->push_back(out);
  }
  nulls_->push_back(nulls);
  ++rows_read_;
}

Status NsysRows::flush(const Seen& seen) {
  const size_t rows = nulls_->size();
  if (rows == 0) return {};
  for (const nsys::Column& column : target_.table->columns) {
    if (column.from == nsys::From::kConstant && target_.source->constant != 0)
      batch_.column(column.to).assign(rows, target_.source->constant);
    if (column.from == nsys::From::kTableName)
      batch_.column(column.to).assign(rows, state_.writer->string_id(source_.name));
    if ((column.from == nsys::From::kProcess || column.from == nsys::From::kProcessOfThread) &&
        counts_events_)
      for (const uint64_t number : batch_.column(column.to))
        if (number != 0) state_.processes.count_event(number);
  }
  if (seen) seen(batch_);
  const report::Rows* parts[] = {&batch_};
  SEXTANT_TRY(state_.writer->write_group(parts, {}));
  batch_.clear();
  return {};
}

void NsysRows::tell_losses() {
  for (const Step& step : steps_) {
    const std::string name = wanted_[step.value] < 0
                                 ? "row number"
                                 : source_.columns[static_cast<size_t>(wanted_[step.value])].name;
    if (step.wrong_type > 0) state_.losses.wrong_type[source_.name + "." + name] = step.wrong_type;
    if (step.unknown_string > 0)
      state_.losses.unknown_string[source_.name + "." + name] = step.unknown_string;
  }
}

Status NsysRows::import(const Seen& seen) {
  Status written;
  SEXTANT_TRY(state_.database->scan(source_, wanted_, [&](std::span<const Value> row) {
    add(row);
    if (nulls_->size() == report::kChunkRows) written = flush(seen);
    return written.has_value();
  }));
  SEXTANT_TRY(written);
  tell_losses();
  return flush(seen);
}

}  // namespace sextant::importers
