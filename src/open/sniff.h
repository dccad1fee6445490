// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a file is, by its first bytes and never by its name.
#pragma once

#include <string>

#include "base/result.h"

namespace sextant::open {

enum class FileKind {
  kReport,      // of Sextant
  kSqlite,      // perhaps an export of nsys
  kNsysReport,  // .nsys-rep, or .qdrep before 2021.4
  kNsysStream,  // .qdstrm: what nsys leaves when it could not make a report
  kNcuReport,   // .ncu-rep
  kFolder,
  kUnknown,
};

struct Sniffed {
  FileKind kind = FileKind::kUnknown;
  std::string
      made_by;  // kNsysReport, kNsysStream: version of nsys, "2023.4.4.54"; empty if the file does not tell
};

/// Errors: kNotFound, kDenied, kIo.
Result<Sniffed> sniff(const std::string& path);

}  // namespace sextant::open
