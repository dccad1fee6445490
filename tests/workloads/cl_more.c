// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// cl_more [ROUNDS]: what not every implementation of OpenCL has: images, shared virtual memory, migrations
// and a native kernel, in a queue that is out of order. Prints what it computed and how many commands it
// enqueued.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static cl_context context;
static unsigned long kernels, memory, syncs;

static void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "cl_more: %s: error %d\n", what, error);
  exit(1);
}
#define CHECK(call) check((call), #call)

static void CL_CALLBACK native(void* argument) {
  ++**(int**)argument;
}

static void more(cl_command_queue queue, int rounds) {
  cl_int error;
  enum { kSide = 16 };
  const size_t origin[3] = {0, 0, 0}, region[3] = {kSide, kSide, 1};
  const float color[4] = {1, 2, 3, 4};
  float pixels[kSide * kSide * 4] = {0};
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const cl_image_desc shape = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = kSide, .image_height = kSide};
  cl_mem image[2];
  for (int i = 0; i < 2; ++i) {
    image[i] = clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, &error);
    check(error, "clCreateImage");
  }
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof pixels, NULL, &error);
  check(error, "clCreateBuffer");
  int calls = 0, *counter = &calls;
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    CHECK(clEnqueueFillImage(queue, image[0], color, origin, region, 0, NULL, NULL));
    CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    CHECK(clEnqueueCopyImage(queue, image[0], image[1], origin, origin, region, 0, NULL, NULL));
    CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    CHECK(clEnqueueCopyImageToBuffer(queue, image[1], buffer, origin, region, 0, 0, NULL, NULL));
    CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    CHECK(clEnqueueCopyBufferToImage(queue, buffer, image[0], 0, origin, region, 0, NULL, NULL));
    CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    CHECK(clEnqueueReadImage(queue, image[0], CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
    CHECK(clEnqueueWriteImage(queue, image[1], CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
    size_t pitch = 0;
    void* mapped = clEnqueueMapImage(queue, image[1], CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL, 0,
                                     NULL, NULL, &error);
    check(error, "clEnqueueMapImage");
    sum += pixels[3] + ((float*)mapped)[2];
    CHECK(clEnqueueUnmapMemObject(queue, image[1], mapped, 0, NULL, NULL));
    CHECK(clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, NULL, NULL));
    float* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof pixels, 0);
    check(shared == NULL, "clSVMAlloc");
    CHECK(clFinish(queue));
    CHECK(clEnqueueSVMMemFill(queue, shared, color, sizeof color, sizeof pixels, 0, NULL, NULL));
    CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    CHECK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, shared, sizeof pixels, 0, NULL, NULL));
    sum += shared[1];
    CHECK(clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL));
    CHECK(clEnqueueSVMMemcpy(queue, CL_TRUE, pixels, shared, sizeof pixels, 0, NULL, NULL));
    CHECK(clFinish(queue));
    void* freed = shared;
    CHECK(clEnqueueSVMFree(queue, 1, &freed, NULL, NULL, 0, NULL, NULL));
    CHECK(clEnqueueNativeKernel(queue, native, &counter, sizeof counter, 0, NULL, NULL, 0, NULL, NULL));
    CHECK(clFinish(queue));
    kernels += 1, memory += 13, syncs += 6;
  }
  printf("more: %.0f, native %d\n", sum, calls);
  for (int i = 0; i < 2; ++i) CHECK(clReleaseMemObject(image[i]));
  CHECK(clReleaseMemObject(buffer));
}

int main(int argc, char** argv) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  cl_command_queue queue =
      clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  check(error, "clCreateCommandQueue");
  more(queue, argc > 1 ? atoi(argv[1]) : 10);
  printf("enqueued %lu: kernels %lu, memory %lu, syncs %lu\n", kernels + memory + syncs, kernels, memory,
         syncs);
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseContext(context));
  return 0;
}
