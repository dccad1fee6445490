// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// cl_work [MODE] [ROUNDS]: a program of OpenCL whose commands can be counted by hand. Prints what it computed
// and how many commands it enqueued, of which kind.
//   add       ROUNDS times: two writes, a kernel, a blocking read (default)
//   mix       every kind of command that the device has, ROUNDS times
//   hang      as add, then enqueues behind an event that never comes, tells, and waits to be killed
//   leave     as add without events and without clFinish, and a return from main
//   fork      as add, then forks a child that calls OpenCL, and waits for it
//   threads   four threads with a queue each, ROUNDS times
//   exec      as add, then executes itself: as add, with a round more
//   exec_hang the same, and the second one as hang
//   builds    builds the same source twice, one that does not build, and both so that it is told of the end
// CL_WORK_PLATFORM=TEXT takes the platform that has TEXT in its name, CL_WORK_PAUSE_US=N pauses between
// rounds.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kItems = 1024 };

static const char* kSource =
    "kernel void add(global const float* a, global const float* b, global float* c, float scale) {\n"
    "  size_t i = get_global_id(0);\n"
    "  c[i] = a[i] + scale * b[i];\n"
    "}\n"
    "kernel void twice(global float* a, local float* scratch) {\n"
    "  size_t i = get_global_id(0);\n"
    "  scratch[get_local_id(0)] = a[i];\n"
    "  a[i] = 2 * scratch[get_local_id(0)];\n"
    "}\n";

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_program program;
static unsigned long kernels, memory, syncs;

static void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "cl_work: %s: error %d\n", what, error);
  exit(1);
}
#define CHECK(call) check((call), #call)

static void begin(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  CHECK(clGetPlatformIDs(16, platforms, &count));
  const char* wanted = getenv("CL_WORK_PLATFORM");
  platform = platforms[0];
  for (cl_uint i = 0; wanted != NULL && i < count; ++i) {
    char name[256] = "";
    CHECK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
    if (strstr(name, wanted) != NULL) platform = platforms[i];
  }
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_int error;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  program = clCreateProgramWithSource(context, 1, &kSource, NULL, &error);
  check(error, "clCreateProgramWithSource");
  CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
}

static double add(cl_command_queue queue, int rounds) {
  cl_int error;
  float a[kItems], b[kItems], c[kItems];
  double sum = 0;
  const float scale = 0.5f;
  cl_kernel kernel = clCreateKernel(program, "add", &error);
  check(error, "clCreateKernel");
  cl_mem buffers[3];
  for (int i = 0; i < 3; ++i) {
    buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof a, NULL, &error);
    check(error, "clCreateBuffer");
    CHECK(clSetKernelArg(kernel, (cl_uint)i, sizeof buffers[i], &buffers[i]));
  }
  CHECK(clSetKernelArg(kernel, 3, sizeof scale, &scale));
  const size_t global = kItems, local = 64;
  const char* pause_us = getenv("CL_WORK_PAUSE_US");
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < kItems; ++i) a[i] = (float)(i + round), b[i] = (float)(2 * i);
    CHECK(clEnqueueWriteBuffer(queue, buffers[0], CL_FALSE, 0, sizeof a, a, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, buffers[1], CL_FALSE, 0, sizeof b, b, 0, NULL, NULL));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof c, c, 0, NULL, NULL));
    for (int i = 0; i < kItems; ++i) sum += c[i];
    if (pause_us != NULL) usleep((useconds_t)atoi(pause_us));
    __atomic_fetch_add(&kernels, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&memory, 3, __ATOMIC_RELAXED);
  }
  for (int i = 0; i < 3; ++i) CHECK(clReleaseMemObject(buffers[i]));
  CHECK(clReleaseKernel(kernel));
  return sum;
}

static cl_command_queue make_queue(cl_command_queue_properties properties) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueue(context, device, properties, &error);
  check(error, "clCreateCommandQueue");
  return queue;
}

/// What the program sees of its queues and events must be what it asked for.
static void look(cl_command_queue queue) {
  cl_command_queue_properties properties = 0;
  CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
  size_t bytes = 99;
  cl_int listed = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &bytes);
  cl_event event;
  CHECK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  ++syncs;
  CHECK(clWaitForEvents(1, &event));
  cl_ulong start = 0;
  cl_int profiled = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
  cl_uint references = 0;
  CHECK(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
  printf("queue: properties %lu, list %d of %zu bytes, profiling info %d\n", (unsigned long)properties,
         listed, bytes, profiled);
  CHECK(clReleaseEvent(event));
}

static void mix(cl_command_queue queue, int rounds) {
  cl_int error;
  float host[kItems] = {0};
  const float pattern = 3;
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof host, NULL, &error);
  check(error, "clCreateBuffer");
  cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof host, NULL, &error);
  check(error, "clCreateBuffer");
  cl_kernel kernel = clCreateKernel(program, "twice", &error);
  check(error, "clCreateKernel");
  CHECK(clSetKernelArg(kernel, 0, sizeof b, &b));
  CHECK(clSetKernelArg(kernel, 1, 32 * sizeof(float), NULL));
  const size_t global[2] = {kItems, 1}, local[2] = {32, 1};
  const size_t origin[3] = {0, 0, 0}, region[3] = {64, 4, 1};
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    CHECK(clEnqueueFillBuffer(queue, a, &pattern, sizeof pattern, 0, sizeof host, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(queue, a, b, 0, 0, sizeof host, 0, NULL, NULL));
    cl_event done;
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, &done));
    CHECK(clEnqueueBarrierWithWaitList(queue, 1, &done, NULL));
    CHECK(clReleaseEvent(done));
    float* mapped = clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ, 0, sizeof host, 0, NULL, NULL, &error);
    check(error, "clEnqueueMapBuffer");
    for (int i = 0; i < kItems; ++i) sum += mapped[i];
    CHECK(clEnqueueUnmapMemObject(queue, b, mapped, 0, NULL, NULL));
    CHECK(clEnqueueReadBufferRect(queue, b, CL_TRUE, origin, origin, region, 64, 0, 64, 0, host, 0, NULL,
                                  NULL));
    CHECK(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
    CHECK(clFinish(queue));
    kernels += 1, memory += 5, syncs += 2;
  }
  // an error is an error also when it is recorded
  printf("mix: %.0f, refused: %d\n", sum,
         clEnqueueReadBuffer(queue, a, CL_TRUE, sizeof host, sizeof host, host, 0, NULL, NULL));
  CHECK(clReleaseMemObject(a));
  CHECK(clReleaseMemObject(b));
  CHECK(clReleaseKernel(kernel));
}

static int told, told_status;
static void CL_CALLBACK on_built(cl_program built, void* user) {
  cl_int status = 0;
  clGetProgramBuildInfo(built, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
  __atomic_store_n(&told_status, status, __ATOMIC_RELAXED);
  __atomic_add_fetch((int*)user, 1, __ATOMIC_RELEASE);
}

static void builds(void) {
  const char* broken = "kernel void broken(global flot* a) {";
  for (int i = 0; i < 6; ++i) {
    cl_int error;
    cl_program built = clCreateProgramWithSource(context, 1, i % 2 == 0 ? &kSource : &broken, NULL, &error);
    check(error, "clCreateProgramWithSource");
    const int before = told;
    const cl_int result = clBuildProgram(built, i < 2 ? 0 : 1, i < 2 ? NULL : &device, i < 4 ? "" : "-DLATER",
                                         i < 2 ? NULL : on_built, i < 2 ? NULL : &told);
    for (int tries = 0; i >= 2 && tries < 5000 && __atomic_load_n(&told, __ATOMIC_ACQUIRE) == before; ++tries)
      usleep(1000);
    // where it is done in the background the call cannot know how it ends
    printf("build %d: %s, told %d times, status %d\n", i, i >= 4 || result == CL_SUCCESS ? "well" : "refused",
           told - before, i < 2 ? 0 : told_status);
    CHECK(clReleaseProgram(built));
  }
}

static int thread_rounds;
static double thread_sum[4];
static void* thread_main(void* number) {
  cl_command_queue queue = make_queue(0);
  thread_sum[(size_t)number] = add(queue, thread_rounds);
  CHECK(clReleaseCommandQueue(queue));
  return NULL;
}

/// Commands behind an event that nobody completes: enqueued, and never done.
static void hang(cl_command_queue queue) {
  cl_int error;
  cl_event never = clCreateUserEvent(context, &error);
  check(error, "clCreateUserEvent");
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error);
  check(error, "clCreateBuffer");
  const float pattern = 3;
  for (int i = 0; i < 5; ++i)
    CHECK(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0, 4096, 1, &never, NULL));
  CHECK(clFlush(queue));
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "add";
  const int rounds = argc > 2 ? atoi(argv[2]) : 10;
  begin();
  cl_command_queue queue = make_queue(strcmp(mode, "mix") == 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  if (strcmp(mode, "mix") == 0) {
    clReleaseCommandQueue(queue);
    queue = make_queue(0);
    look(queue);
    mix(queue, rounds);
  } else if (strcmp(mode, "threads") == 0) {
    pthread_t threads[4];
    thread_rounds = rounds;
    for (size_t i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, thread_main, (void*)i);
    for (size_t i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    printf("sum %.0f\n", thread_sum[0] + thread_sum[1] + thread_sum[2] + thread_sum[3]);
  } else if (strcmp(mode, "builds") == 0) {
    builds();
  } else {
    printf("sum %.0f\n", add(queue, rounds));
  }
  if (strcmp(mode, "hang") == 0) hang(queue);
  if (strcmp(mode, "fork") == 0) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      cl_uint count = 0;
      clGetPlatformIDs(0, NULL, &count);
      _exit(count > 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("child: %d\n", status);
  }
  if (strncmp(mode, "exec", 4) == 0) {
    char more[16];
    snprintf(more, sizeof more, "%d", rounds + 1);
    fflush(stdout);
    execl("/proc/self/exe", argv[0], mode[4] == 0 ? "add" : mode + 5, more, (char*)NULL);
  }
  printf("enqueued %lu: kernels %lu, memory %lu, syncs %lu\n", kernels + memory + syncs, kernels, memory,
         syncs);
  fflush(stdout);
  if (strcmp(mode, "hang") == 0) pause();
  if (strcmp(mode, "leave") == 0) return 0;
  CHECK(clFinish(queue));
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseContext(context));
  return 0;
}
