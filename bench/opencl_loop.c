/* SPDX-FileCopyrightText: The Sextant authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * opencl_loop ENQUEUES busy|held: CPU nanoseconds of the calling thread for each clEnqueueNDRangeKernel, in
 * batches of 500 with a clFinish between them that does not count; the median of the batches.
 *   busy  the device computes meanwhile. On one of processor cores that means: its threads and the caller get
 * in each other's way at the locks of the OpenCL implementation. How often threads of the process waited is
 *         printed too: where the device's thread sleeps after each command, an enqueue has to wake it.
 *   held  each batch waits for a user event that is set once all of it is enqueued: the caller's own work.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { kBatch = 500 };

static double cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
static int by_value(const void* a, const void* b) {
  return *(const double*)a < *(const double*)b ? -1 : 1;
}

int main(int argc, char** argv) {
  const int batches = argc == 3 ? atoi(argv[1]) / kBatch : 0;
  const int held = argc == 3 && strcmp(argv[2], "held") == 0;
  if (batches < 1 || (!held && strcmp(argv[2], "busy") != 0)) {
    fprintf(stderr, "usage: opencl_loop ENQUEUES busy|held (at least %d)\n", kBatch);
    return 2;
  }
  const char* source = "kernel void add(global float* a, global float* b, global float* c, float s) {}";
  cl_platform_id platform;
  cl_device_id device;
  cl_int e = clGetPlatformIDs(1, &platform, NULL);
  e |= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &e);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  e |= clBuildProgram(program, 1, &device, "", NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "add", &e);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &e);
  const float scale = 1;
  for (cl_uint i = 0; i < 3; ++i) e |= clSetKernelArg(kernel, i, sizeof buffer, &buffer);
  e |= clSetKernelArg(kernel, 3, sizeof scale, &scale);
  const size_t global = 64, local = 64;
  double* took = malloc(sizeof *took * (size_t)batches);
  for (int batch = 0; batch < batches && e == CL_SUCCESS; ++batch) {
    cl_event gate = held ? clCreateUserEvent(context, &e) : NULL;
    const double begin = cpu_ns();
    for (int i = 0; i < kBatch; ++i)
      e |= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, held && i == 0,
                                  held && i == 0 ? &gate : NULL, NULL);
    took[batch] = (cpu_ns() - begin) / kBatch;
    if (held) e |= clSetUserEventStatus(gate, CL_COMPLETE);
    e |= clFinish(queue);
    if (held) e |= clReleaseEvent(gate);
  }
  if (e != CL_SUCCESS) return 1;
  qsort(took, (size_t)batches, sizeof *took, by_value);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("{\"mode\":\"%s\",\"cpu_ns_per_op\":%.1f,\"waits_per_op\":%.3f}\n", argv[2], took[batches / 2],
         (double)usage.ru_nvcsw / (batches * (double)kBatch));
  return 0;
}
