// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// late_payload WAIT_MS [fork]: registers a schema and a counter, waits, then uses them once; in a fork child,
// too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvtx_modules.h"

int main(int argc, char** argv) {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("late");
  const nvtxPayloadSchemaEntry_t entry = {0, NVTX_PAYLOAD_ENTRY_TYPE_INT32, "step", 0, 0, 0, 0, 0};
  nvtxPayloadSchemaAttr_t a;
  memset(&a, 0, sizeof a);
  a.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
  a.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  a.entries = &entry;
  a.numEntries = 1;
  nvtxCounterAttr_t c;
  memset(&c, 0, sizeof c);
  c.structSize = sizeof c;
  c.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE;
  c.name = "counter";
  uint64_t schema = nvtxPayloadSchemaRegister(domain, &a), counter = nvtxCounterRegister(domain, &c);
  usleep((useconds_t)(argc > 1 ? atoi(argv[1]) : 0) * 1000);
  pid_t child = argc > 2 ? fork() : -1;
  int32_t step = 41;
  nvtxPayloadData_t data = {schema, sizeof step, &step};
  nvtxEventAttributes_t e;
  memset(&e, 0, sizeof e);
  e.version = NVTX_VERSION;
  e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  e.payloadType = NVTX_PAYLOAD_TYPE_EXT;
  e.reserved0 = 1;
  e.payload.ullValue = (uint64_t)(uintptr_t)&data;
  nvtxDomainMarkEx(domain, &e);
  nvtxCounterSampleFloat64(domain, counter, 1.5);
  if (child > 0) waitpid(child, NULL, 0);
  return 0;
}
