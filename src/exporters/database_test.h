// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// SQLite itself, to look at what the tests of this folder have written without it.
#pragma once

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "base/fd.h"

namespace sextant::exporters::test {

/// A folder of its own that goes away with the object.
class Folder {
 public:
  Folder() {
    const char* parent = ::getenv("TMPDIR");
    path_ = std::string(parent != nullptr ? parent : "/tmp") + "/sextant-exporters-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) ::abort();
  }
  ~Folder() { (void)!::system(("rm -rf '" + path_ + "'").c_str()); }
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// A file of its own that is gone with the object.
class TemporaryFile {
 public:
  TemporaryFile() {
    path_ = folder_.file("XXXXXX");
    fd_ = base::Fd(::mkstemp(path_.data()));
  }
  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }

 private:
  Folder folder_;
  std::string path_;
  base::Fd fd_;
};

/// SQLite's own view of a database.
class Database {
 public:
  explicit Database(const std::string& path) {
    sqlite3_open_v2(path.c_str(), &db_, SQLITE_OPEN_READONLY, nullptr);
  }
  ~Database() { sqlite3_close(db_); }

  /// The columns of every row with "|" between them, one row a line; NULL is "-"; an error's text instead if
  /// there is one.
  std::string text(const std::string& sql) {
    std::string out;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
      return sqlite3_errmsg(db_);
    int rc = sqlite3_step(statement);
    for (; rc == SQLITE_ROW; rc = sqlite3_step(statement)) {
      if (!out.empty()) out += '\n';
      for (int c = 0; c < sqlite3_column_count(statement); ++c) {
        if (c > 0) out += '|';
        const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(statement, c));
        out += value == nullptr ? "-"
                                : std::string(value, static_cast<size_t>(sqlite3_column_bytes(statement, c)));
      }
    }
    if (rc != SQLITE_DONE) out = sqlite3_errmsg(db_);
    sqlite3_finalize(statement);
    return out;
  }

 private:
  sqlite3* db_ = nullptr;
};

}  // namespace sextant::exporters::test
