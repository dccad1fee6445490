// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// pipeline: what a training job looks like to a profiler, on any machine. Where there is a device that OpenCL
// can use (PoCL makes one of the processor), the trainer computes on it, with faults for a profiler to find
// (device.h); else, or with --no-device, its work is sleeping, as is that of all others.
//
//   trainer            threads "main" and "prefetch"; ranges epoch > step > forward | backward | optimizer
//     loader 0, 1, 2   forked, no exec; two worker threads each: read > decode | augment, in the domain
//     "loader" validator        started with posix_spawn: an image of its own
//
// A batch in flight is a start/end range: the prefetch thread starts it, the main thread ends it. Half way
// the trainer kills loader 2 with SIGKILL, as an out-of-memory killer would; its last ranges stay open; a
// trainer with a device then writes a checkpoint while the device has nothing to do.
// Usage: pipeline [EPOCHS (4)] [--no-device]
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "device.h"
#include "nvtx_client.h"

extern char** environ;

namespace {

constexpr int kLoaders = 3;
constexpr int kWorkersPerLoader = 2;
constexpr int kStepsPerEpoch = 12;
constexpr uint32_t kBlue = 0xff3070c0, kGreen = 0xff30a060, kOrange = 0xffe08020, kRed = 0xffd03030;
enum Category : uint32_t { kIo = 1, kCompute = 2 };

void work(int microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

void name_this_thread(const char* name) {
  pthread_setname_np(pthread_self(), name);
  nvtxNameOsThreadA(static_cast<uint32_t>(::syscall(SYS_gettid)), name);
}

nvtxEventAttributes_t attributes(const char* name, uint32_t color, uint32_t category, uint64_t payload) {
  nvtxEventAttributes_t a;
  std::memset(&a, 0, sizeof a);
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.category = category;
  a.colorType = NVTX_COLOR_ARGB;
  a.color = color;
  a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  a.payload.ullValue = payload;
  a.messageType = NVTX_MESSAGE_TYPE_ASCII;
  a.message.ascii = name;
  return a;
}

/// A push/pop range of the default domain, for as long as it is in scope.
class Range {
 public:
  explicit Range(const char* name) { nvtxRangePushA(name); }
  Range(const char* name, uint32_t color, uint64_t payload) {
    nvtxEventAttributes_t a = attributes(name, color, kCompute, payload);
    nvtxRangePushEx(&a);
  }
  ~Range() { nvtxRangePop(); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

// The loaders
// --------------------------------------------------------------------------------------------------------

struct Batch {
  int32_t loader;
  int32_t number;
};

/// One worker of a loader: makes batches until nobody reads them any more.
void load(int loader, int worker, int out, std::atomic<int>& next) {
  std::string name = "worker-" + std::to_string(loader) + "." + std::to_string(worker);
  name_this_thread(name.c_str());
  nvtxDomainHandle_t domain = nvtxDomainCreateA("loader");
  nvtxDomainNameCategoryA(domain, kIo, "io");
  nvtxDomainNameCategoryA(domain, kCompute, "compute");
  nvtxStringHandle_t decode = nvtxDomainRegisterStringA(domain, "decode");
  for (;;) {
    Batch batch{loader, next++};
    nvtxEventAttributes_t read = attributes("read shard", kBlue, kIo, static_cast<uint64_t>(batch.number));
    nvtxDomainRangePushEx(domain, &read);
    work(6000 + 500 * worker);
    nvtxEventAttributes_t registered = attributes("", kGreen, kCompute, static_cast<uint64_t>(batch.number));
    registered.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    registered.message.registered = decode;
    nvtxDomainRangePushEx(domain, &registered);
    work(9000);
    nvtxDomainRangePop(domain);
    nvtxEventAttributes_t augment =
        attributes("augment", kGreen, kCompute, static_cast<uint64_t>(batch.number));
    nvtxDomainRangePushEx(domain, &augment);
    work(4000);
    nvtxDomainRangePop(domain);
    nvtxDomainRangePop(domain);
    if (::write(out, &batch, sizeof batch) != sizeof batch) return;
  }
}

[[noreturn]] void run_loader(int loader, int out) {
  ::signal(SIGPIPE, SIG_IGN);
  std::atomic<int> next{0};
  std::vector<std::thread> workers;
  for (int w = 0; w < kWorkersPerLoader; ++w) {
    workers.emplace_back(load, loader, w, out, std::ref(next));
  }
  for (std::thread& worker : workers) worker.join();
  std::_Exit(0);
}

// The trainer
// --------------------------------------------------------------------------------------------------------

struct Arrived {
  Batch batch;
  nvtxRangeId_t in_flight;
};

/// Batches between the prefetch thread and the main thread.
class Queue {
 public:
  void push(Arrived item) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return items_.size() < 4 || closed_; });
    items_.push_back(item);
    filled_.notify_one();
  }
  /// Nothing when the queue was closed and is empty.
  std::optional<Arrived> pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !items_.empty() || closed_; });
    if (items_.empty()) return std::nullopt;
    Arrived item = items_.front();
    items_.pop_front();
    room_.notify_one();
    return item;
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    room_.notify_all();
    filled_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable room_, filled_;
  std::deque<Arrived> items_;
  bool closed_ = false;
};

/// Until told to stop, or until no loader is left.
void prefetch(std::vector<pollfd> pipes, Queue& queue, std::atomic<bool>& stop) {
  name_this_thread("prefetch");
  nvtxDomainHandle_t domain = nvtxDomainCreateA("trainer");
  size_t alive = pipes.size();
  while (!stop && alive > 0) {
    {
      Range waiting("wait for loaders");
      ::poll(pipes.data(), pipes.size(), 50);
    }
    for (pollfd& pipe : pipes) {
      Batch batch;
      if ((pipe.revents & POLLIN) == 0 || ::read(pipe.fd, &batch, sizeof batch) != sizeof batch) {
        if ((pipe.revents & POLLHUP) != 0) {
          pipe.fd = -1;
          --alive;
        }
        continue;
      }
      nvtxEventAttributes_t a =
          attributes("batch in flight", kOrange, kIo, static_cast<uint64_t>(batch.number));
      queue.push({batch, nvtxDomainRangeStartEx(domain, &a)});
    }
  }
  queue.close();
}

/// False when there is nothing left to train on.
bool train_step(Queue& queue, Device* device, nvtxDomainHandle_t domain, uint64_t step) {
  Range range("step", kBlue, step);
  std::optional<Arrived> arrived = [&] {
    Range waiting("wait for batch");
    return queue.pop();
  }();
  if (!arrived) return false;
  nvtxDomainRangeEnd(domain, arrived->in_flight);
  if (device != nullptr) {
    Range loading("load batch");
    device->load_labels();
    device->load_batch();
  }
  {
    Range forward("forward");
    int number = 0;
    for (const char* layer : {"embedding", "attention", "mlp"}) {
      Range inner(layer);
      device != nullptr ? device->layer(number++) : work(1500);
    }
  }
  {
    Range backward("backward");
    device != nullptr ? device->backward() : work(8000);
  }
  Range optimizer("optimizer");
  device != nullptr ? (void)device->loss() : work(2000);
  return true;
}

/// What slow storage does to a device that waits for its host.
void write_checkpoint() {
  Range range("write checkpoint");
  work(700'000);
}

int validate() {
  name_this_thread("validator");
  Range range("validate");
  for (int i = 0; i < 5; ++i) {
    Range sample("sample");
    work(3000);
  }
  return 0;
}

int run_validator(const char* program) {
  const char* arguments[] = {program, "validate", nullptr};
  pid_t pid = 0;
  if (::posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(arguments), environ) != 0)
    return -1;
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Not before the loaders were forked: a device does not survive that.
std::unique_ptr<Device> find_device(bool wanted) {
  if (!wanted) return nullptr;
  Range range("find a device");
  auto device = std::make_unique<Device>();
  if (device->there())
    std::fprintf(stderr, "pipeline: computing on %s\n", device->name().c_str());
  else
    std::fprintf(stderr, "pipeline: %s; sleeping instead of computing\n", device->reason().c_str());
  return device->there() ? std::move(device) : nullptr;
}

int train(const char* program, int epochs, bool with_device) {
  std::vector<pollfd> pipes;
  std::vector<pid_t> loaders;
  for (int i = 0; i < kLoaders; ++i) {
    int ends[2];
    if (::pipe(ends) != 0) return 1;
    pid_t pid = ::fork();
    if (pid == 0) {
      ::close(ends[0]);
      for (const pollfd& pipe : pipes) ::close(pipe.fd);
      run_loader(i, ends[1]);
    }
    ::close(ends[1]);
    pipes.push_back({ends[0], POLLIN, 0});
    loaders.push_back(pid);
  }

  name_this_thread("main");
  nvtxNameCategoryA(kCompute, "compute");
  nvtxDomainHandle_t domain = nvtxDomainCreateA("trainer");
  const std::unique_ptr<Device> device = find_device(with_device);
  Queue queue;
  std::atomic<bool> stop{false};
  std::thread prefetcher(prefetch, pipes, std::ref(queue), std::ref(stop));
  uint64_t step = 0;
  bool fed = true;
  for (int epoch = 0; fed && epoch < epochs; ++epoch) {
    Range range("epoch", kRed, static_cast<uint64_t>(epoch));
    for (int i = 0; fed && i < kStepsPerEpoch; ++i) {
      fed = train_step(queue, device.get(), domain, step);
      if (fed) ++step;
    }
    nvtxMarkA("checkpoint written");
    if (epoch == epochs / 2 - 1) {
      ::kill(loaders.back(), SIGKILL);
      nvtxMarkA("loader 2 killed");
      if (device != nullptr) write_checkpoint();
    }
  }
  stop = true;
  queue.close();
  prefetcher.join();
  while (std::optional<Arrived> unused = queue.pop()) nvtxDomainRangeEnd(domain, unused->in_flight);
  for (const pollfd& pipe : pipes) ::close(pipe.fd);
  for (pid_t pid : loaders) ::waitpid(pid, nullptr, 0);
  int validated = run_validator(program);
  std::printf("pipeline: %llu steps in %d epochs, %d loaders, one of them killed; validator exit code %d\n",
              static_cast<unsigned long long>(step), epochs, kLoaders, validated);
  if (!fed) std::fprintf(stderr, "pipeline: all loaders are gone\n");
  return fed && validated == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "validate") == 0) return validate();
  int epochs = 4;
  bool with_device = true;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--no-device") == 0)
      with_device = false;
    else
      epochs = std::atoi(argv[i]);
  }
  if (epochs < 2) {
    std::fprintf(stderr, "usage: pipeline [EPOCHS] [--no-device]   (at least 2 epochs)\n");
    return 1;
  }
  return train(argv[0], epochs, with_device);
}
