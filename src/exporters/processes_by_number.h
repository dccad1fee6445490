// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The processes of a report by their number, for rows that name one; a number without a process reads as pid
// 0.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "query/query.h"

namespace sextant::exporters {

class ProcessesByNumber {
 public:
  explicit ProcessesByNumber(const query::Source& source) {
    for (const query::Process& process : source.processes()) by_number_.emplace(process.number, &process);
  }

  const query::Process* find(uint64_t number) const {
    const auto found = by_number_.find(number);
    return found == by_number_.end() ? nullptr : found->second;
  }
  uint64_t pid(uint64_t number) const {
    const query::Process* process = find(number);
    return process == nullptr ? 0 : process->pid;
  }
  int64_t start_ns(uint64_t number) const {
    const query::Process* process = find(number);
    return process == nullptr ? 0 : process->start_ns;
  }

 private:
  std::unordered_map<uint64_t, const query::Process*> by_number_;
};

}  // namespace sextant::exporters
