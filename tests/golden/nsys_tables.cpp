// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Every table in $SEXTANT_CORPUS/nsys-sqlite/reference, which the real nsys made of the databases beside it,
// is made again:
//   NAME_REPORT.csv        `nsys stats -r REPORT`       NAME.rules_RULE.csv     `nsys analyze -r RULE`
// With the argument `exported`, of databases that `sextant export` made of them.
// Exit 77 (skipped) where the corpus is not there.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "analysis/rule.h"
#include "exporters/sqlite.h"
#include "golden/csv_compare.h"
#include "importers/nsys_sqlite.h"
#include "stats/registry.h"

namespace fs = std::filesystem;
using namespace sextant;

namespace {

constexpr int kSkipped = 77;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

std::string as_csv(const text::Table& table) {
  const int fd = ::memfd_create("table", MFD_CLOEXEC);
  text::Output out(fd);
  text::print_table(&out, table, text::TableFormat::kCsv);
  std::string text;
  if (out.finish()) {
    std::array<char, 65536> buffer{};
    for (ssize_t n = 0; (n = ::pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(text.size()))) > 0;)
      text.append(buffer.data(), static_cast<size_t>(n));
  }
  ::close(fd);
  return text;
}

Result<text::Table> make_table(const query::Source& source, bool is_rule, std::string_view name) {
  if (is_rule) {
    const analysis::Rule* rule = analysis::find_rule(name);
    if (rule == nullptr) return fail(ErrorCode::kNotFound, "there is no such rule");
    SEXTANT_ASSIGN(analysis::Outcome outcome, rule->run(source, {}));
    return std::move(outcome.table);
  }
  const stats::Report* report = stats::find_report(name);
  if (report == nullptr) return fail(ErrorCode::kNotFound, "there is no such report");
  stats::ReportArguments arguments;
  arguments.for_people = false;
  return report->make(source, arguments);
}

/// "" if the table is that of nsys.
std::string compare(const query::Source& source, const fs::path& reference, bool is_rule,
                    std::string_view name) {
  const auto table = make_table(source, is_rule, name);
  if (!table) return table.error().message;
  const golden::Rows wanted = golden::parse_csv(read_file(reference));
  return golden::difference(wanted, golden::parse_csv(as_csv(*table)),
                            wanted.empty() ? -1 : golden::sort_column(wanted));
}

/// Imports each database once, into a folder that goes away.
class Sources {
 public:
  explicit Sources(bool exported) : exported_(exported) {
    std::string name = (fs::temp_directory_path() / "sextant-golden-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~Sources() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Sources(const Sources&) = delete;
  Sources& operator=(const Sources&) = delete;

  /// nullptr: it cannot be imported, and that was said.
  const query::Source* open(const fs::path& database) {
    const auto [at, is_new] = sources_.try_emplace(database.string());
    if (!is_new) return at->second.get();
    const std::string report = folder_ + "/" + database.stem().string() + ".sxt";
    auto imported = importers::import_nsys_sqlite(database, report, {});
    auto source = imported ? query::Source::open(report) : tl::unexpected(imported.error());
    if (source && exported_) source = through_export(*source, report);
    if (source) {
      at->second = std::make_unique<query::Source>(std::move(*source));
    } else {
      printf("%s: %s\n", database.c_str(), source.error().message.c_str());
    }
    return at->second.get();
  }

 private:
  static Result<query::Source> through_export(const query::Source& source, const std::string& report) {
    const std::string database = report + ".sqlite", again = report + ".again.sxt";
    SEXTANT_TRY(exporters::export_sqlite(source, database, {}));
    SEXTANT_TRY(importers::import_nsys_sqlite(database, again, {}));
    return query::Source::open(again);
  }

  bool exported_;
  std::string folder_;
  std::map<std::string, std::unique_ptr<query::Source>> sources_;
};

}  // namespace

int main(int argc, char** argv) {
  const char* corpus = ::getenv("SEXTANT_CORPUS");
  const fs::path folder = corpus == nullptr ? fs::path() : fs::path(corpus) / "nsys-sqlite";
  if (corpus == nullptr || !fs::is_directory(folder / "reference")) {
    printf("skipped: SEXTANT_CORPUS does not name a folder with nsys-sqlite/reference\n");
    return kSkipped;
  }
  std::vector<std::string> names;  // of databases, long ones first: one may begin like another
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".sqlite") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  Sources sources(argc > 1 && std::string_view(argv[1]) == "exported");
  int total = 0, alike = 0;
  for (const auto& entry : fs::directory_iterator(folder / "reference")) {
    const std::string file = entry.path().stem().string();
    constexpr std::string_view kRules = ".rules_";
    const auto name = std::find_if(names.begin(), names.end(), [&](const std::string& n) {
      return file.starts_with(n + "_") || file.starts_with(n + std::string(kRules));
    });
    if (entry.path().extension() != ".csv" || name == names.end()) continue;
    const std::string_view rest = std::string_view(file).substr(name->size());
    const bool is_rule = rest.starts_with(kRules);
    ++total;
    const query::Source* source = sources.open(folder / (*name + ".sqlite"));
    const std::string why =
        source == nullptr ? "the database cannot be imported"
                          : compare(*source, entry.path(), is_rule, rest.substr(is_rule ? kRules.size() : 1));
    alike += why.empty() ? 1 : 0;
    if (!why.empty()) printf("%s: %s\n", file.c_str(), why.c_str());
  }
  printf("%d of %d tables are those of nsys\n", alike, total);
  return total > 0 && alike == total ? 0 : 1;
}
