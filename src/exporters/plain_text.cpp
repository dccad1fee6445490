// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/plain_text.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

#include "exporters/output_file.h"
#include "exporters/rows.h"
#include "text/json_writer.h"
#include "text/output.h"
#include "text/table.h"

namespace sextant::exporters {

namespace {

using Kind = PlainValue::Kind;

/// The number; nothing for one that is not finite.
void append_number(std::string* out, const PlainValue& value, std::string_view not_finite) {
  const auto end = std::back_inserter(*out);
  if (value.kind == Kind::kUnsigned) {
    fmt::format_to(end, "{}", value.bits);
  } else if (value.kind == Kind::kSigned) {
    fmt::format_to(end, "{}", static_cast<int64_t>(value.bits));
  } else if (const auto real = std::bit_cast<double>(value.bits); std::isfinite(real)) {
    fmt::format_to(end, "{}", real);
  } else {
    out->append(not_finite);
  }
}

class JsonLines : public RowSink {
 public:
  explicit JsonLines(text::Output& out) : out_(out) {}

  Status begin(const std::string& table, const std::vector<std::string>& columns) override {
    start_ = "{\"table\":";
    text::append_json_string(&start_, table);
    keys_.clear();
    for (const std::string& column : columns) {
      std::string& key = keys_.emplace_back(",");
      // a column of somebody's table must not hide the name of the table
      text::append_json_string(&key, column == "table" ? "table_" : column);
      key += ':';
    }
    return {};
  }

  void row(std::span<const PlainValue> values) override {
    line_ = start_;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].kind == Kind::kNone) continue;
      line_ += keys_[i];
      if (values[i].kind == Kind::kText) {
        text::append_json_string(&line_, values[i].text);
      } else {
        append_number(&line_, values[i], "null");
      }
    }
    line_ += "}\n";
    out_.write(line_);
  }

  Status end() override { return {}; }
  Status status() const override {
    return out_.failed() ? fail(ErrorCode::kIo, "the output cannot be written") : Status();
  }

 private:
  text::Output& out_;
  std::string start_, line_;
  std::vector<std::string> keys_;
};

class CsvFolder : public RowSink {
 public:
  CsvFolder(std::string folder, bool replace) : folder_(std::move(folder)), replace_(replace) {}

  Status begin(const std::string& table, const std::vector<std::string>& columns) override {
    path_ = folder_ + "/" + file_name(table);
    SEXTANT_ASSIGN(OutputFile file, OutputFile::create(path_, replace_));
    file_.emplace(std::move(file));
    out_.emplace(file_->fd(), path_);
    line_.clear();
    for (const std::string& column : columns) {
      if (&column != &columns.front()) line_ += ',';
      text::append_csv_field(&line_, column);
    }
    line_ += '\n';
    out_->write(line_);
    return {};
  }

  void row(std::span<const PlainValue> values) override {
    line_.clear();
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) line_ += ',';
      if (values[i].kind == Kind::kText) {
        text::append_csv_field(&line_, values[i].text);
      } else if (values[i].kind != Kind::kNone) {
        append_number(&line_, values[i], "");
      }
    }
    line_ += '\n';
    out_->write(line_);
  }

  Status end() override {
    SEXTANT_TRY(out_->finish());
    SEXTANT_TRY(file_->commit());
    out_.reset();
    file_.reset();
    return {};
  }
  Status status() const override {
    return out_->failed() ? fail(ErrorCode::kIo, path_ + " cannot be written") : Status();
  }

 private:
  /// Names of others' tables may hold anything, and differ by what is not kept here.
  std::string file_name(const std::string& table) {
    std::string name = table.substr(0, 100);
    for (char& c : name) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!plain && c != '_' && c != '-') c = '_';
    }
    std::string unique = name;
    for (int i = 2; !names_.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
    return unique + ".csv";
  }

  std::string folder_;
  bool replace_;
  std::string path_, line_;
  std::set<std::string> names_;
  std::optional<OutputFile> file_;
  std::optional<text::Output> out_;
};

}  // namespace

Status export_jsonlines(const query::Source& source, const std::string& output,
                        const ExportOptions& options) {
  const auto write = [&](int fd, const std::string& name) -> Status {
    text::Output out(fd, name);
    JsonLines lines(out);
    const Status written = for_each_table(source, lines, options.progress);
    const Status finished = out.finish();
    return finished ? written : finished;
  };
  if (output == "-") return write(STDOUT_FILENO, "standard output");
  SEXTANT_ASSIGN(OutputFile file, OutputFile::create(output, options.replace));
  SEXTANT_TRY(write(file.fd(), output));
  return file.commit();
}

Status export_csv(const query::Source& source, const std::string& output, const ExportOptions& options) {
  struct stat found;
  if (::mkdir(output.c_str(), 0777) != 0 && errno != EEXIST)
    return fail_errno(errno, "cannot make the folder " + output);
  if (::stat(output.c_str(), &found) == 0 && !S_ISDIR(found.st_mode))
    return fail(ErrorCode::kUsage, output + " is no folder; -o names another one for the CSV files");
  CsvFolder folder(output, options.replace);
  return for_each_table(source, folder, options.progress);
}

}  // namespace sextant::exporters
