/* SPDX-FileCopyrightText: The Sextant authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sextant-probe nvml                 what GPUs there are, of what kind, and who uses them, by NVIDIA's
 * management library; prints lines that src/doctor/probe_answer.h describes. Only reads. sextant-probe
 * counters LIBCUPTI    opens each GPU's counters and closes them at once (sextant doctor --probe)
 *
 * A program of its own, since the command line program is static and cannot open libraries. Nothing of the
 * vendor is needed to build it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* The slice of NVML's interface that is used here: names, layouts and numbers are facts of that interface. */
typedef void* Device;
typedef struct {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
} Process;

enum { kMostGpus = 64, kMostProcesses = 128, kText = 128 };

static int (*init)(void), (*shut_down)(void), (*count)(unsigned*), (*by_index)(unsigned, Device*);
static int (*driver_version)(char*, unsigned), (*name_of)(Device, char*, unsigned);
static int (*architecture_of)(Device, unsigned*), (*brand_of)(Device, unsigned*);
static int (*mig_of)(Device, unsigned*, unsigned*), (*virtualization_of)(Device, unsigned*);
typedef int (*ListProcesses)(Device, unsigned*, Process*);

static void find(void* library, const char* name, void* function) {
  void* found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
}

static void* open_nvml(void) {
  /* WSL keeps it where the loader does not look unless ld.so.conf says so */
  static const char* const kNames[] = {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"};
  for (unsigned i = 0; i < sizeof kNames / sizeof kNames[0]; ++i) {
    void* library = dlopen(kNames[i], RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) return library;
  }
  return NULL;
}

static void print_processes(void* library, Device device, const char* function, const char* kind) {
  ListProcesses list;
  find(library, function, &list);
  static Process processes[kMostProcesses];
  unsigned n = kMostProcesses;
  if (list == NULL || list(device, &n, processes) != 0) return;
  for (unsigned i = 0; i < n && i < kMostProcesses; ++i) printf("process %s %u\n", kind, processes[i].pid);
}

static void print_number(const char* key, int (*ask)(Device, unsigned*), Device device) {
  unsigned value = 0;
  if (ask != NULL && ask(device, &value) == 0) printf("%s %u\n", key, value);
}

static void print_gpu(void* library, unsigned index) {
  Device device;
  char text[kText] = "";
  const int error = by_index(index, &device);
  if (error != 0) {
    printf("gpu \nproblem GPU %u: NVML error %d\n", index, error);
    return;
  }
  if (name_of != NULL && name_of(device, text, sizeof text) != 0) text[0] = '\0';
  text[sizeof text - 1] = '\0';
  printf("gpu %s\n", text);
  print_number("architecture", architecture_of, device);
  print_number("brand", brand_of, device);
  unsigned current = 0, pending = 0;
  if (mig_of != NULL && mig_of(device, &current, &pending) == 0) printf("mig %u\n", current);
  print_number("virtualization", virtualization_of, device);
  print_processes(library, device, "nvmlDeviceGetComputeRunningProcesses_v3", "compute");
  print_processes(library, device, "nvmlDeviceGetGraphicsRunningProcesses_v3", "graphics");
  print_processes(library, device, "nvmlDeviceGetMPSComputeRunningProcesses_v3", "mps");
}

static int ask_nvml(void) {
  void* library = open_nvml();
  if (library == NULL) {
    printf("problem %s\n", dlerror());
    return 0;
  }
  find(library, "nvmlInit_v2", &init);
  find(library, "nvmlShutdown", &shut_down);
  find(library, "nvmlDeviceGetCount_v2", &count);
  find(library, "nvmlDeviceGetHandleByIndex_v2", &by_index);
  find(library, "nvmlSystemGetDriverVersion", &driver_version);
  find(library, "nvmlDeviceGetName", &name_of);
  find(library, "nvmlDeviceGetArchitecture", &architecture_of);
  find(library, "nvmlDeviceGetBrand", &brand_of);
  find(library, "nvmlDeviceGetMigMode", &mig_of);
  find(library, "nvmlDeviceGetVirtualizationMode", &virtualization_of);
  if (init == NULL || shut_down == NULL || count == NULL || by_index == NULL) {
    printf("problem libnvidia-ml.so.1 lacks the functions of 2016\n");
    return 0;
  }
  const int error = init();
  if (error != 0) {
    printf("problem NVML does not start: error %d\n", error);
    return 0;
  }
  char version[kText] = "";
  if (driver_version != NULL && driver_version(version, sizeof version) == 0) printf("driver %s\n", version);
  unsigned gpus = 0;
  if (count(&gpus) == 0)
    for (unsigned i = 0; i < gpus && i < kMostGpus; ++i) print_gpu(library, i);
  shut_down();
  return 0;
}

/* The slice of CUPTI's interface (from CUDA 12.6 on) that opens metrics over time. */
typedef struct {
  size_t bytes;
  void* private_data;
} Initialize;
typedef struct {
  size_t bytes;
  void* private_data;
  size_t device;
  void* object;
} Enable;
typedef struct {
  size_t bytes;
  void* private_data;
  void* object;
} Disable;

static int try_counters(const char* path) {
  void* cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  void* cupti = cuda == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (cupti == NULL) {
    printf("problem %s\n", dlerror());
    return 0;
  }
  int (*start)(unsigned), (*devices)(int*), (*initialize)(Initialize*), (*enable)(Enable*),
      (*disable)(Disable*);
  find(cuda, "cuInit", &start);
  find(cuda, "cuDeviceGetCount", &devices);
  find(cupti, "cuptiProfilerInitialize", &initialize);
  find(cupti, "cuptiPmSamplingEnable", &enable);
  find(cupti, "cuptiPmSamplingDisable", &disable);
  if (start == NULL || devices == NULL || initialize == NULL || enable == NULL || disable == NULL) {
    printf("problem this libcupti has no metrics over time: CUDA 12.6 or later has\n");
    return 0;
  }
  int gpus = 0, error = start(0);
  if (error == 0) error = devices(&gpus);
  if (error != 0) {
    printf("problem CUDA does not start: error %d\n", error);
    return 0;
  }
  Initialize all = {sizeof all, NULL};
  error = initialize(&all);
  for (int i = 0; i < gpus && i < kMostGpus; ++i) {
    Enable one = {sizeof one, NULL, (size_t)i, NULL};
    const int result = error != 0 ? error : enable(&one);
    printf("counters %d %d\n", i, result);
    fflush(stdout); /* what follows may end the program */
    Disable done = {sizeof done, NULL, one.object};
    if (result == 0) disable(&done);
  }
  if (gpus == 0) printf("problem CUDA sees no GPU\n");
  return 0;
}

int main(int argc, char** argv) {
  static const struct rlimit kNoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &kNoCore);
  if (argc == 2 && strcmp(argv[1], "nvml") == 0) return ask_nvml();
  if (argc == 3 && strcmp(argv[1], "counters") == 0) return try_counters(argv[2]);
  fprintf(stderr, "sextant-probe is a part of `sextant doctor`: sextant-probe nvml | counters LIBCUPTI\n");
  return 1;
}
