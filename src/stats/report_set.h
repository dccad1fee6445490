// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Several reports as one set: their clocks brought into line, their processes put into groups, and any report
// of `sextant stats` made for each group (`--by rank|host|gpu|process`).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/query.h"
#include "stats/registry.h"
#include "text/table.h"

namespace sextant::stats {

/// One report of a set. The source is borrowed.
struct SetMember {
  std::string path;
  query::Source* source = nullptr;
};

/// Shifts the times of all members, so that time 0 of all is the start of the earliest. Members of the same
/// boot of a machine are aligned by its monotonic clock, others by the time of day. Returns one sentence:
/// how, and how sure that is; "" for a single member.
std::string align_clocks(const std::vector<SetMember>& members);

enum class By { kRank, kHost, kGpu, kProcess };
/// "rank" ...
std::optional<By> parse_by(std::string_view word);

/// What of one member belongs to a group.
struct GroupPart {
  size_t member;
  query::Scope scope;
};
struct Group {
  std::string label;
  std::vector<GroupPart> parts;  // not empty
};
struct Grouping {
  By by = By::kProcess;
  std::vector<Group> groups;       // ranks by number, others in the order of the members
  std::vector<std::string> notes;  // sentences: where names come from, what belongs to no group
};

/// Errors: kNotFound (no member tells a rank, or a GPU).
Result<Grouping> group_set(const std::vector<SetMember>& members, By by);

/// The report's table with the group as its first column, one group behind the other, and, for summaries of
/// more than one group, a second one: how evenly each name's time is spread over the groups. Figures of a
/// group with parts in several members are put together; its medians are left out. Leaves the members without
/// a scope.
Result<std::vector<text::Table>> make_by_group(const Report& report, const ReportArguments& arguments,
                                               const std::vector<SetMember>& members,
                                               const Grouping& grouping);

}  // namespace sextant::stats
