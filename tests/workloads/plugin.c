// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A plug-in with NVTX globals of its own (they are hidden, one set a shared object): built as plugin_a.so and
// plugin_b.so.
#include "nvtx_client.h"

void plugin_run(int n) {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("shared");
  nvtxEventAttributes_t a = {0};
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.messageType = NVTX_MESSAGE_TYPE_ASCII;
  a.message.ascii = "in domain";
  for (int i = 0; i < n; ++i) {
    nvtxRangePushA(PLUGIN_NAME);
    nvtxDomainRangePushEx(domain, &a);
    nvtxDomainRangePop(domain);
    nvtxRangePop();
  }
}
