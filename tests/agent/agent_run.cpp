// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// agent_run [-b BUDGET_MIB] [-a ARENAS] [-d] [-v] PROGRAM [ARGS]: runs a program under the agent alone and
// prints what it left, for trying things out and for measuring the target's side without a collector. -d:
// give drained segments back meanwhile.
#include <cstdio>
#include <cstdlib>

#include "run_folder_fixture.h"

using namespace sextant;

namespace {

void print(const tests::DecodedProcess& p, bool verbose) {
  std::printf(
      "pid %u ppid %u origin %u %s exit %u/%d untraced %u exec %u '%s' instances %u records %zu holes %llu "
      "voids %llu "
      "damaged %llu lost %llu reasons %x names dropped %llu init %llu ticks\n",
      p.page.pid, p.page.ppid, static_cast<unsigned>(p.page.origin), p.page.comm.c_str(),
      static_cast<unsigned>(p.page.exit_kind), p.page.exit_code, static_cast<unsigned>(p.page.untraced),
      static_cast<unsigned>(p.page.exec_untraced), p.page.exec_path.c_str(), p.page.nvtx_instances,
      p.records.size(), static_cast<unsigned long long>(p.holes), static_cast<unsigned long long>(p.voids),
      static_cast<unsigned long long>(p.damaged), static_cast<unsigned long long>(p.page.lost_records),
      p.page.loss_reasons, static_cast<unsigned long long>(p.page.names_dropped),
      static_cast<unsigned long long>(p.page.init_ticks));
  if (!verbose) return;
  for (const tests::DecodedRecord& r : p.records)
    std::printf("  %u ring %u seq %llu kind %u '%s' domain '%s' value %llu\n", r.tid, r.ring,
                static_cast<unsigned long long>(r.sequence), static_cast<unsigned>(r.kind), r.name.c_str(),
                r.domain.c_str(), static_cast<unsigned long long>(r.value));
}

}  // namespace

int main(int argc, char** argv) {
  tests::RunFolderFixture::Options options;
  bool drain = false, verbose = false;
  int option;
  while ((option = ::getopt(argc, argv, "+b:a:dv")) != -1) {
    if (option == 'b')
      options.budget_bytes = std::strtoull(optarg, nullptr, 10) << 20;
    else if (option == 'a')
      options.arenas = static_cast<uint32_t>(std::atoi(optarg));
    else if (option == 'd')
      drain = true;
    else if (option == 'v')
      verbose = true;
    else
      return 1;
  }
  if (optind >= argc) return 1;
  tests::RunFolderFixture fixture(options);
  int status = 0;
  uint64_t drained = 0;
  {
    std::optional<tests::RunFolderFixture::Drainer> drainer;
    if (drain) drainer.emplace(fixture);
    status = fixture.run({argv + optind, argv + argc});
    if (drainer) drained = drainer->records();
  }
  for (const tests::DecodedProcess& process : fixture.decode()) print(process, verbose);
  std::printf("status %x, %llu slots drained, budget used %llu KiB\n", static_cast<unsigned>(status),
              static_cast<unsigned long long>(drained),
              static_cast<unsigned long long>(fixture.control().budget_used.load() / 1024));
  return 0;
}
