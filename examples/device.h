// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The device that `pipeline` trains on, through OpenCL. What it does it does as much code does, with three
// faults for a profiler to find: it copies a batch while the thread waits (load), it waits for the device
// after every layer (forward), and nothing runs while a checkpoint is written (that one is pipeline's). A
// call that fails once a device is there ends the program.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "opencl_client.h"

class Device {
 public:
  static constexpr size_t kItems = 64 * 1024, kBatchFloats = 2 * 1024 * 1024, kLabels = 16 * 1024;

  /// Looks for a device and makes it ready. Where there is none, reason() says why.
  Device() {
    if (!cl_.load()) {
      reason_ = "no OpenCL on this machine: libOpenCL.so.1 is not there";
      return;
    }
    cl_uint platforms = 0;
    cl_platform_id platform = nullptr;
    if (cl_.clGetPlatformIDs(1, &platform, &platforms) != CL_SUCCESS || platforms == 0) {
      reason_ = "OpenCL has no platform on this machine";
      return;
    }
    cl_uint devices = 0;
    if (cl_.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, &devices) != CL_SUCCESS ||
        devices == 0) {
      reason_ = "the OpenCL platform has no device";
      return;
    }
    char name[256] = "";
    cl_.clGetDeviceInfo(device_, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
    name_ = name;
    set_up();
    there_ = true;
  }
  ~Device() {
    if (!there_) return;
    for (cl_kernel kernel : kernels_) cl_.clReleaseKernel(kernel);
    cl_.clReleaseProgram(program_);
    for (cl_mem memory : {batch_, labels_, gradients_}) cl_.clReleaseMemObject(memory);
    for (cl_command_queue queue : {compute_, copies_}) cl_.clReleaseCommandQueue(queue);
    cl_.clReleaseContext(context_);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  bool there() const { return there_; }
  const std::string& name() const { return name_; }
  const std::string& reason() const { return reason_; }

  /// Fault: the thread waits until the batch is on the device.
  void load_batch() {
    check(cl_.clEnqueueWriteBuffer(compute_, batch_, CL_TRUE, 0, host_batch_.size() * sizeof(float),
                                   host_batch_.data(), 0, nullptr, nullptr));
  }

  /// As it should be: labels go by a queue of their own, and only the step backward waits for them.
  void load_labels() {
    check(cl_.clEnqueueWriteBuffer(copies_, labels_, CL_FALSE, 0, host_labels_.size() * sizeof(float),
                                   host_labels_.data(), 0, nullptr, &labels_there_));
    check(cl_.clFlush(copies_));
  }

  /// Fault: a wait after every layer, where the queue would keep the order by itself.
  void layer(int number) {
    run(number, nullptr);
    check(cl_.clFinish(compute_));
  }

  void backward() {
    const float zero = 0;
    check(cl_.clEnqueueFillBuffer(compute_, gradients_, &zero, sizeof zero, 0, kItems * sizeof(float), 0,
                                  nullptr, nullptr));
    run(3, &labels_there_);
    cl_.clReleaseEvent(labels_there_);
    check(cl_.clFlush(compute_));
  }

  /// Waits for all that was asked for.
  float loss() {
    float value = 0;
    run(4, nullptr);
    check(
        cl_.clEnqueueReadBuffer(compute_, gradients_, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr));
    return value;
  }

 private:
  static constexpr const char* kNames[] = {"embedding", "attention", "mlp", "backward", "optimizer"};
  static constexpr int kRounds[] = {20, 60, 40, 60, 10};  // of each: how much it computes

  static const char* source() {
    return R"(
#define LAYER(name)                                                                       \
  kernel void name(global const float* in, global const float* labels, global float* out, \
                   int rounds) {                                                          \
    size_t i = get_global_id(0);                                                          \
    float x = in[i], y = labels[i & 1023];                                                \
    for (int r = 0; r < rounds; ++r) x = mad(x, 0.999f, y);                               \
    out[i] += x;                                                                          \
  }
LAYER(embedding)
LAYER(attention)
LAYER(mlp)
LAYER(backward)
LAYER(optimizer)
)";
  }

  void set_up() {
    cl_int result = CL_SUCCESS;
    context_ = cl_.clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &result);
    check(result);
    for (cl_command_queue* queue : {&compute_, &copies_}) {
      *queue = cl_.clCreateCommandQueue(context_, device_, 0, &result);
      check(result);
    }
    const auto buffer = [&](size_t floats) {
      cl_mem memory =
          cl_.clCreateBuffer(context_, CL_MEM_READ_WRITE, floats * sizeof(float), nullptr, &result);
      check(result);
      return memory;
    };
    batch_ = buffer(kBatchFloats), labels_ = buffer(kLabels), gradients_ = buffer(kItems);
    const char* text = source();
    program_ = cl_.clCreateProgramWithSource(context_, 1, &text, nullptr, &result);
    check(result);
    check(cl_.clBuildProgram(program_, 1, &device_, "-cl-fast-relaxed-math", nullptr, nullptr));
    for (size_t i = 0; i < std::size(kNames); ++i) {
      cl_kernel kernel = cl_.clCreateKernel(program_, kNames[i], &result);
      check(result);
      const cl_int rounds = kRounds[i];
      check(cl_.clSetKernelArg(kernel, 0, sizeof batch_, &batch_));
      check(cl_.clSetKernelArg(kernel, 1, sizeof labels_, &labels_));
      check(cl_.clSetKernelArg(kernel, 2, sizeof gradients_, &gradients_));
      check(cl_.clSetKernelArg(kernel, 3, sizeof rounds, &rounds));
      kernels_.push_back(kernel);
    }
  }

  void run(int kernel, const cl_event* after) {
    const size_t items = kItems;
    check(cl_.clEnqueueNDRangeKernel(compute_, kernels_[static_cast<size_t>(kernel)], 1, nullptr, &items,
                                     nullptr, after == nullptr ? 0 : 1, after, nullptr));
  }

  static void check(cl_int result) {
    if (result == CL_SUCCESS) return;
    std::fprintf(stderr, "pipeline: OpenCL call failed: error %d\n", result);
    std::exit(1);
  }

  OpenclCalls cl_;
  std::string name_, reason_;
  bool there_ = false;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue compute_ = nullptr, copies_ = nullptr;
  cl_mem batch_ = nullptr, labels_ = nullptr, gradients_ = nullptr;
  cl_program program_ = nullptr;
  std::vector<cl_kernel> kernels_;
  cl_event labels_there_ = nullptr;
  std::vector<float> host_batch_ = std::vector<float>(kBatchFloats, 1.0f);
  std::vector<float> host_labels_ = std::vector<float>(kLabels, 0.5f);
};
