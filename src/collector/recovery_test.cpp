// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A collector that is dropped at any moment, then recovery: every record exactly once, open ranges included.
#include <random>
#include <set>

#include "collector/fake_agent_test.h"

namespace sextant::collector {
namespace {

/// Two threads that nest ranges at random in two domains; every range has a name of its own, so that doubles
/// and gaps show.
struct RandomProgram {
  explicit RandomProgram(FakeAgent& agent_, uint32_t seed) : agent(agent_), random(seed) {
    for (uint32_t tid : {5u, 6u}) threads.push_back(std::make_unique<FakeThread>(agent, tid));
    threads[0]->write({spool::Kind::kDomain, {}, agent.name("lib"), 3});
  }

  bool step(Collector& collector) {
    const uint32_t which = random() % threads.size();
    const uint16_t domain = random() % 3 == 0 ? 3 : 0;
    std::vector<std::string>& stack = stacks[{which, domain}];
    if (stack.size() < 6 && random() % 5 < 3) {
      std::string name = "range " + std::to_string(serial++ % 5000);
      spool::Kind kind = spool::Kind::kPush;
      uint32_t id;
      while ((id = agent.name(name)) == spool::kNameDropped) collector.pass();
      FakeRecord record{kind, {}, id, domain};
      if (random() % 4 == 0) {
        record.flags = spool::kHasAttributes;
        record.more = {{serial, 1}, {0, 0}};
      }
      while (!threads[which]->write(record)) collector.pass();
      stack.push_back(name);
    } else if (!stack.empty()) {
      while (!threads[which]->pop(domain)) collector.pass();
      closed.insert(stack.back());
      stack.pop_back();
    }
    return true;
  }

  FakeAgent& agent;
  std::mt19937 random;
  std::vector<std::unique_ptr<FakeThread>> threads;
  std::map<std::pair<uint32_t, uint16_t>, std::vector<std::string>> stacks;
  std::multiset<std::string> closed;
  uint32_t serial = 0;
};

void expect_exactly(const TestPlace& place, const RandomProgram& program, const std::string& where) {
  TestReport report(place.report());
  EXPECT_TRUE(report.reader.complete()) << where;
  std::multiset<std::string> seen;
  for (const FakeRow& row : report.rows(event::kNvtxRange)) seen.insert(report.text(row.at("name")));
  EXPECT_TRUE(seen == program.closed) << where << ": " << seen.size() << " closed ranges in the report, "
                                      << program.closed.size() << " in the program";
  Restored state = read_restored(report.reader);
  std::multiset<std::string> open, expected;
  for (const auto& [key, ring] : state.rings)
    for (const DomainStack& stack : ring.stacks)
      for (const OpenRange& range : stack.ranges) open.insert(report.text(range.name));
  for (const auto& [key, stack] : program.stacks) expected.insert(stack.begin(), stack.end());
  EXPECT_TRUE(open == expected) << where << ": " << open.size() << " open, not " << expected.size();
  uint64_t unknown = report.diagnostics("damaged_record") + report.diagnostics("unknown_domain") +
                     report.diagnostics("pop_without_push");
  EXPECT_EQ(unknown, 0u) << where;
}

TEST(Recovery, EveryRecordOnceWhereverTheCollectorWasDropped) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    TestPlace place;
    auto collector = start_collector(place);
    FakeAgent agent(place.folder(), true);
    ASSERT_TRUE(agent.start(0));
    RandomProgram program(agent, seed);
    const uint32_t steps = 2000 + program.random() % 20'000;
    const uint32_t every = 50 + program.random() % 5'000;
    for (uint32_t i = 0; i < steps; ++i) {
      program.step(*collector);
      if (i % every == 0) collector->pass();
    }
    collector.reset();  // SIGKILL
    auto second = recover_collector(place);
    ASSERT_TRUE(second);
    if (seed % 2 == 0) {  // recovery is killed as well
      second->pass();
      second.reset();
      second = recover_collector(place);
    }
    ASSERT_TRUE(second->finish(false));
    expect_exactly(place, program, "seed " + std::to_string(seed));
    EXPECT_EQ(second->totals().events, program.closed.size());
  }
}

}  // namespace
}  // namespace sextant::collector
