// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// domains RANGES [THREADS [MILLISECONDS]]: push/pop ranges in 8 domains, registered and plain names in turn,
// nested three deep; then, in each domain, a range that sleeps that long. Prints how many of the former there
// were.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "nvtx_client.h"
#include "slept.h"

namespace {

constexpr int kDomains = 8, kDepth = 3;

struct Domain {
  nvtxDomainHandle_t handle;
  nvtxEventAttributes_t plain[kDepth], registered[kDepth];
};

nvtxEventAttributes_t attributes() {
  nvtxEventAttributes_t a;
  std::memset(&a, 0, sizeof a);
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  return a;
}

void work(const std::vector<Domain>& domains, long ranges) {
  for (long done = 0; done < ranges;) {
    for (const Domain& d : domains) {
      const bool plain = done % 2 == 0;
      for (int level = 0; level < kDepth; ++level)
        nvtxDomainRangePushEx(d.handle, plain ? &d.plain[level] : &d.registered[level]);
      for (int level = 0; level < kDepth; ++level) nvtxDomainRangePop(d.handle);
      done += kDepth;
    }
  }
}

void sleep_in(nvtxDomainHandle_t domain, long milliseconds) {
  nvtxEventAttributes_t name = attributes();
  name.messageType = NVTX_MESSAGE_TYPE_ASCII;
  name.message.ascii = "sleep";
  Slept slept = {now_ns(), 0, 0, 0};
  nvtxDomainRangePushEx(domain, &name);
  sleep_in_range(&slept, milliseconds);
  nvtxDomainRangePop(domain);
  print_slept(&slept);
}

}  // namespace

int main(int argc, char** argv) {
  const long ranges = argc > 1 ? std::atol(argv[1]) : 1000;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  static std::vector<std::string> names;
  for (int i = 0; i < kDepth; ++i) names.push_back("level " + std::to_string(i));
  std::vector<Domain> domains(kDomains);
  for (int d = 0; d < kDomains; ++d) {
    domains[d].handle = nvtxDomainCreateA(("domain " + std::to_string(d)).c_str());
    for (int i = 0; i < kDepth; ++i) {
      domains[d].plain[i] = domains[d].registered[i] = attributes();
      domains[d].plain[i].messageType = NVTX_MESSAGE_TYPE_ASCII;
      domains[d].plain[i].message.ascii = names[i].c_str();
      domains[d].registered[i].messageType = NVTX_MESSAGE_TYPE_REGISTERED;
      domains[d].registered[i].message.registered =
          nvtxDomainRegisterStringA(domains[d].handle, names[i].c_str());
    }
  }
  const long each = ranges / threads / (kDomains * kDepth) * (kDomains * kDepth);
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back([&] { work(domains, each); });
  work(domains, each);
  for (std::thread& t : others) t.join();
  if (argc > 3)
    for (const Domain& d : domains) sleep_in(d.handle, std::atol(argv[3]));
  std::printf("ranges %ld\n", each * threads);
}
