// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/flags.h"

#include <array>

#include "text/table.h"

namespace sextant::cli {

namespace {

using enum ValueKind;

constexpr std::string_view kLaterSources =
    "cuda|cuda-sw|cublas|cublas-verbose|cusparse|cusparse-verbose|cusolver|cusolver-verbose|cudnn|cudla|"
    "cudla-verbose|nccl|mpi|ucx|oshmem|"
    "gds|s3|s3-verbose|opengl|opengl-annotations|openacc|openmp|openxr|openxr-annotations|nvvideo|"
    "vulkan|vulkan-annotations|"
    "python-gil|dx11|dx11-annotations|dx12|dx12-annotations|wddm|tegra-accelerators|syscall";

/// An option of `nsys profile` that later releases bring.
constexpr Flag later(char short_name, std::string_view long_name, ValueKind kind, std::string_view help) {
  return {short_name,
          long_name,
          kind,
          kind == kBool ? "true|false" : "VALUE",
          "",
          "",
          "",
          kProfile,
          "later",
          help,
          Availability::kLater};
}
constexpr Flag implied(char short_name, std::string_view long_name, std::string_view help) {
  return {short_name, long_name, kBool, "true|false",          "", "", "",
          kProfile,   "later",   help,  Availability::kImplied};
}

constexpr std::array kFlags = {
    // what is recorded
    Flag{'t', "trace", kList, "SOURCE[,SOURCE]", "nvtx|osrt|opencl|none", kLaterSources, "nvtx,osrt,opencl",
         kProfile, "trace",
         "What to record. osrt: calls of the C library that wait or reach the system. opencl: calls, "
         "commands and when they ran on their devices; by default where a "
         "loader of "
         "OpenCL is installed."},
    Flag{
        0, "opencl-force-profiling", kBool, "true|false", "", "", "true", kProfile, "trace",
        "Let OpenCL's command queues measure also where the program did not ask for it, which can change its "
        "timing. false: commands of other queues have no time on the device."},
    Flag{0, "osrt-threshold", kText, "NS", "", "", "0", kProfile, "trace",
         "With -t osrt: calls of the C library that take less are not recorded. Nanoseconds, or with a unit: "
         "20us."},
    Flag{0, "osrt-file-access", kBool, "true|false", "", "", "false", kProfile, "trace",
         "With -t osrt: record which files are opened, read and written, and how many bytes."},
    Flag{0, "osrt-exclude", kText, "NAME[,NAME]", "", "", "", kProfile, "trace",
         "With -t osrt: functions that are not recorded, by name (read,write) or by family (memory). "
         "Repeatable."},
    Flag{0, "record-cmdline", kChoice, "redacted|full|none", "redacted|full|none", "", "redacted", kProfile,
         "trace",
         "How much of the command lines of processes goes into the report. redacted: without values that "
         "look like secrets."},
    Flag{0, "record-env", kOptionalText, "NAME[,PREFIX*]", "", "", "", kProfile, "trace",
         "Keep these environment variables of the program in the report, all of them without a list. Values "
         "that look like secrets are blanked. Default: none."},
    Flag{0, "block", kSwitch, "", "", "", "", kProfile, "trace",
         "When --buffer-size is used up, let the program wait (bounded) instead of dropping events."},
    Flag{0, "buffer-size", kBytes, "BYTES", "", "", "256M", kProfile, "trace",
         "Memory for events on their way into the report, all processes together. When it is full, events "
         "are dropped and counted."},
    Flag{0, "spool-dir", kText, "FOLDER", "", "", "", kProfile, "trace",
         "Where the run folder (events on their way) is made. Default: beside the report, or where memory "
         "can be shared."},
    // when
    Flag{'y', "delay", kDuration, "SECONDS", "", "", "0", kProfile, "time",
         "Start to record so long after the program's start."},
    Flag{'d', "duration", kDuration, "SECONDS", "", "", "", kProfile, "time",
         "Record so long, then end the program (see --kill). Default: until it ends by itself."},
    Flag{'c', "capture-range", kChoice, "nvtx|none", "none|nvtx", "cudaProfilerApi|hotkey", "none", kProfile,
         "time",
         "What begins the recording. nvtx: an NVTX range (--nvtx-capture); before and after it nothing is "
         "recorded. cudaProfilerApi needs CUDA, which is not traced yet."},
    Flag{'p', "nvtx-capture", kText, "RANGE[@DOMAIN]", "", "", "", kProfile, "time",
         "The range that -c nvtx waits for: of the default domain, of DOMAIN, or of any one (RANGE@*); plain "
         "and "
         "registered strings alike. \\@ stands for an @ in the name. Example: -c nvtx -p step@trainer"},
    Flag{0, "capture-range-end", kText, "WHAT", "", "", "stop-shutdown", kProfile, "time",
         "What happens where that range ends. none: nothing. stop: the recording ends, the program goes on. "
         "stop-shutdown: the program ends, too (--kill). repeat[:N]: later ranges are recorded, too, at most "
         "N, each "
         "in a report of its own (NAME.1.sxt ...); repeat-shutdown:N: and behind the last one the program "
         "ends. With "
         ":sync the program waits for each report, with :async or :defer it does not."},
    Flag{0, "nvtx-domain-include", kText, "NAME[,NAME]", "", "", "", kProfile, "trace",
         "Record these NVTX domains only; default is the default domain. \\, is a comma of a name, \\default "
         "a "
         "domain of that name."},
    Flag{0, "nvtx-domain-exclude", kText, "NAME[,NAME]", "", "", "", kProfile, "trace",
         "Record all NVTX domains but these."},
    Flag{0, "kill", kText, "SIGNAL", "", "", "sigterm", kProfile, "time",
         "What ends the program after --duration: none (it goes on), sigterm, sigkill or a signal's number."},
    Flag{'x', "stop-on-exit", kBool, "true|false", "", "", "true", kProfile, "time",
         "false: go on to the end of --duration, also where everything has ended before."},
    Flag{0, "wait", kChoice, "primary|all", "primary|all", "", "all", kProfile, "time",
         "Record until the program itself has ended (primary), or everything that it started (all)."},
    // the program
    Flag{'e', "env-var", kText, "A=B[,C=D]", "", "", "", kProfile, "program",
         "Set environment variables for the program. Repeatable."},
    Flag{'w', "show-output", kBool, "true|false", "", "", "true", kProfile, "program",
         "Whether the program's output is shown."},
    Flag{'n', "inherit-environment", kBool, "true|false", "", "", "true", kProfile, "program",
         "Whether the program gets the caller's environment; without it only -e and what loads the agent."},
    Flag{0, "run-as", kText, "USER", "", "", "", kProfile, "program",
         "Run the program as another user, by name or as UID:GID. Only root can do that; the report stays "
         "root's."},
    Flag{0, "safe", kSwitch, "", "", "", "", kProfile, "program",
         "Preload nothing: only processes that use NVTX are seen, from their first NVTX call on."},
    // output
    Flag{'o', "output", kText, "FILE", "", "", "report%n", kProfile, "output",
         "The report. %p: the program's pid, %h: host, %n: first free number, %q{VAR}: environment variable, "
         "%%: a percent sign. "
         ".sxt is added where it is missing."},
    Flag{'f', "force-overwrite", kBool, "true|false", "", "", "false", kProfile | kExport | kFlame, "output",
         "Replace an existing file."},
    Flag{0, "stats", kBool, "true|false", "", "", "false", kProfile, "output",
         "Print the default summaries of the report at the end, as `sextant stats` does."},
    Flag{0, "export", kList, "TYPE[,TYPE]", "none|sqlite|jsonlines|csv",
         "hdf|arrow|arrowdir|parquetdir|text|json|info", "none", kProfile, "output",
         "Export the report at the end, as `sextant export -t TYPE` does."},
    Flag{
        0, "dry-run", kSwitch, "", "", "", "", kProfile, "output",
        "Print what would be run, with every environment variable that the program would get or lose. Starts "
        "and makes nothing."},
    Flag{0, "status-file", kText, "FILE", "", "", "", kProfile, "output",
         "Write a JSON object about how the recording went."},
    Flag{0, "strict", kSwitch, "", "", "", "", kProfile, "output",
         "Exit with 3 where something asked for could not be recorded."},
    Flag{0, "fail-if-empty", kSwitch, "", "", "", "", kProfile, "output",
         "Exit with 4 where no event was recorded."},
    Flag{0, "command-file", kText, "FILE", "", "", "", kProfile, "output",
         "Options out of a file, written as on the command line. Repeatable. The command line wins."},
    // reading
    Flag{'r', "report", kList, "NAME[,NAME]", "", "", "", kStats, "stats",
         "What to print. Repeatable. --help-reports lists all."},
    Flag{'f', "format", kList, "FORMAT[,FORMAT]", text::kTableFormats, "", "column", kStats | kAnalyze,
         "stats", "How to print it. A list names a format for each table, the last one for all that follow."},
    Flag{'f', "format", kChoice, text::kTableFormats, text::kTableFormats, "", "column", kSql, "stats",
         "How to print it."},
    Flag{'o', "output", kText, "PLACE[,PLACE]", "", "", "-", kStats | kAnalyze, "stats",
         "Where to print it: - (standard output), . (files beside the report: REPORT_TABLE.csv), BASE (files "
         "BASE_TABLE.csv), or @COMMAND (a shell command that reads it). A list as with -f."},
    Flag{0, "force-overwrite", kBool, "true|false", "", "", "false", kStats | kAnalyze, "stats",
         "Let -o replace existing files."},
    Flag{0, "timeunit", kChoice, "UNIT",
         "nsec|nanoseconds|usec|microseconds|msec|milliseconds|sec|seconds|ns|us|ms|s", "", "nsec",
         kStats | kAnalyze, "stats", "Unit of times: nsec, usec, msec or sec."},
    Flag{0, "filter-time", kText, "[START]/[END]", "", "", "", kStats | kAnalyze, "stats",
         "Only what exists at some moment of that span of time: 1s/2s500ms, 2000/ (no unit: nanoseconds)."},
    Flag{0, "filter-nvtx", kText, "RANGE[@DOMAIN][/INDEX]", "", "", "", kStats | kAnalyze, "stats",
         "Only what exists at some moment of that NVTX range: the first one of the name, or the one with "
         "that index, from 0."},
    Flag{0, "by", kChoice, "rank|host|gpu|process", "rank|host|gpu|process", "", "", kStats, "stats",
         "Take all reports as one set, and make each table for every rank, host, GPU or process; summaries "
         "also "
         "tell how evenly the time is spread over them."},
    Flag{0, "like-nsys", kSwitch, "", "", "", "", kStats | kAnalyze, "stats",
         "Figures of nsys also where it is known to be wrong."},
    Flag{'r', "rule", kList, "NAME[,NAME]", "", "", "", kAnalyze, "analyze",
         "What to look for. Repeatable. --help-rules lists all."},
    Flag{0, "help-rules", kSwitch, "", "", "", "", kAnalyze, "analyze", "List the rules."},
    Flag{0, "help-reports", kSwitch, "", "", "", "", kStats, "stats", "List the reports."},
    Flag{0, "json", kSwitch, "", "", "", "", kInfo | kDoctor | kAnalyze | kExplain, "info",
         "Print one JSON object."},
    Flag{0, "rows", kText, "N", "", "", "20", kExplain, "explain", "How many kernels of a report."},
    Flag{0, "param", kText, "NAME=VALUE", "", "", "", kSql, "sql",
         "The value of :NAME in the statements. Repeatable."},
    Flag{0, "time-limit", kDuration, "SECONDS", "", "", "", kSql, "sql",
         "Stop statements that take longer, all together. Default: none."},
    Flag{0, "memory-limit", kBytes, "BYTES", "", "", "1G", kSql, "sql",
         "Memory for what statements sort, join and keep; beyond it they fail."},
    Flag{'t', "type", kChoice, "sqlite|jsonlines|csv|chrome|folded", "sqlite|jsonlines|csv|chrome|folded",
         "hdf|arrow|arrowdir|parquetdir|text|json|info", "", kExport, "export",
         "sqlite: the tables of nsys, for its scripts and for SQL. jsonlines: one JSON object a row. csv: a "
         "folder with one file a table. chrome: a trace for Perfetto. folded: NVTX time for flame graphs."},
    Flag{0, "by-thread", kSwitch, "", "", "", "", kFlame, "export",
         "Show each process and thread by itself. Default: ranges of all threads together."},
    Flag{'o', "output", kText, "FILE", "", "", "", kExport | kFlame, "export",
         "Default: beside the report, with the type's ending."},
    Flag{0, "no-cache", kSwitch, "", "", "", "", kReading | kServe | kView, "import",
         "Import a file of another tool for this command only, instead of keeping the import (in "
         "$XDG_CACHE_HOME/sextant or ~/.cache/sextant)."},
    Flag{0, "with-nsys", kSwitch, "", "", "", "", kReading | kServe | kView, "import",
         "Let an nsys on PATH export its own .nsys-rep, .qdrep and .qdstrm files first."},
    Flag{0, "keep", kSwitch, "", "", "", "", kRecover, "recover", "Leave the run folder where it is."},
    // this machine
    Flag{0, "for", kText, "GOAL", "", "", "", kDoctor, "doctor",
         "Only what that goal needs; the exit code tells whether it can be met. --for=help lists the goals."},
    Flag{0, "probe", kSwitch, "", "", "", "", kDoctor, "doctor",
         "Also open the GPUs' counters for a moment, through libcupti. That can disturb who uses them."},
    Flag{0, "k8s", kSwitch, "", "", "", "", kDoctor, "doctor",
         "Print the fields that a pod of Kubernetes needs, each with its reason."},
    Flag{0, "fix", kSwitch, "", "", "", "", kDoctor, "doctor",
         "Print a script that opens what is denied. It is never run."},
    Flag{0, "full", kSwitch, "", "", "", "", kDoctor | kStatus, "doctor",
         "Print names, addresses and ids, too. Without it the output can be pasted into a ticket."},
    Flag{'e', "environment", kSwitch, "", "", "", "", kStatus, "status",
         "What this machine lets a profiler do."},
    Flag{0, "from", kText, "PROFILE", "", "", "", kSeccomp, "seccomp",
         "The container runtime's own profile. Default: the one that podman has on this machine."},
    Flag{0, "man", kSwitch, "", "", "", "", kHelp, "help", "Print the manual page's source instead."},
    Flag{0, "write-pages", kText, "FOLDER", "", "", "", kHelp, "help",
         "Write all manual pages and completion scripts below a folder, as an installation has them."},
    Flag{0, "from", kText, "TIME", "", "", "", kCut, "cut",
         "Where the part begins: 1s, 500ms, 2000 (no unit: nanoseconds). Default: the beginning."},
    Flag{0, "to", kText, "TIME", "", "", "", kCut, "cut", "Where the part ends. Default: the end."},
    Flag{'o', "output", kText, "FILE", "", "", "", kCut, "cut",
         "The new report. Default: REPORT-cut.sxt, beside the report."},
    Flag{'f', "force-overwrite", kBool, "true|false", "", "", "false", kCut, "cut",
         "Replace an existing file."},
    Flag{0, "dry-run", kSwitch, "", "", "", "", kClean, "clean", "Only say what would go."},
    Flag{0, "cache", kSwitch, "", "", "", "", kClean, "clean",
         "Empty the folder of imports, too; they are made again when they are needed."},
    Flag{0, "discard", kSwitch, "", "", "", "", kClean, "clean",
         "Remove also run folders that hold events which no report has. They are lost then."},
    Flag{0, "once", kSwitch, "", "", "", "", kTop, "top", "Print one look and end."},
    Flag{0, "json", kSwitch, "", "", "", "", kTop, "top", "One JSON object a line for each look."},
    Flag{0, "interval", kDuration, "SECONDS", "", "", "1", kTop | kStats, "top",
         "Time between two looks; with `stats` the one of --follow."},
    Flag{0, "span", kDuration, "SECONDS", "", "", "10", kTop, "top",
         "How much of the recording is looked at, from its end; 0: all of it."},
    Flag{0, "rows", kText, "NUMBER", "", "", "15", kTop, "top", "How many ranges are shown at most."},
    Flag{0, "follow", kSwitch, "", "", "", "", kStats, "stats",
         "Print again whenever --interval has passed, until the recording has ended."},
    // everywhere
    Flag{'q', "quiet", kSwitch, "", "", "", "",
         kProfile | kStats | kAnalyze | kSql | kExplain | kExport | kFlame | kRecover | kVerify, "common",
         "Print errors only, and results."},
    Flag{0, "log-level", kChoice, "LEVEL", "quiet|error|warning|info|debug", "", "info", kEvery, "common",
         "What is told on standard error: quiet, error, warning, info, debug. The variable SEXTANT_LOG does "
         "the same."},
    Flag{'h', "help", kOptionalText, "TOPIC", "", "", "", kEvery, "common",
         "Print help, with a topic only the options of that topic."},

    // serve
    Flag{0, "html", kText, "FILE", "", "", "", kView, "view",
         "Write one self-contained page instead of serving. It opens by a double click."},
    Flag{0, "max-size", kBytes, "SIZE", "", "", "20M", kView, "view",
         "How large the page may become; the viewer and the summaries are in it in any case."},
    Flag{'f', "force-overwrite", kBool, "true|false", "", "", "false", kView, "view",
         "Replace an existing file."},
    Flag{0, "open", kSwitch, "", "", "", "", kServe | kDemo, "serve",
         "Open the address in a browser (xdg-open)."},
    Flag{0, "host", kText, "ADDRESS|NAME[,NAME]", "", "", "127.0.0.1", kServe, "serve",
         "The address to listen on (0.0.0.0: all of this machine's), and the names by which browsers call "
         "it. Names "
         "alone listen on all."},
    Flag{0, "port", kText, "NUMBER", "", "", "0", kServe | kView | kDemo, "serve",
         "The port to listen on; 0: a free one."},
    Flag{0, "tls-cert", kText, "FILE", "", "", "", kServe, "serve",
         "Certificate, with its chain, in PEM format: everything is encrypted. With --tls-key."},
    Flag{0, "tls-key", kText, "FILE", "", "", "", kServe, "serve", "The certificate's key in PEM format."},
    Flag{0, "password-file", kText, "FILE", "", "", "", kServe, "serve",
         "Whoever knows the password in this file's first line is let in, too. Only its owner may read the "
         "file."},
    Flag{0, "tags-file", kText, "FILE", "", "", "", kServe, "serve",
         "Keep the tags that people give to reports in this file; without it the server writes nothing and "
         "tags stay in the browser."},
    Flag{0, "source-path", kText, "FOLDER[,FOLDER]", "", "", "", kServe | kView, "serve",
         "Show lines of source beside call stacks: of programs, their debug information and source files in "
         "these "
         "folders, to everybody who is let in. Without it no file but the reports is read."},

    // options of `nsys profile`
    later('s', "sample", kText, "CPU sampling."),
    later(0, "cpuctxsw", kText, "Context switches."),
    later('b', "backtrace", kText, "How call stacks are taken."),
    later(0, "samples-per-backtrace", kText, "Samples for each call stack."),
    later(0, "sampling-period", kText, "Events between samples."),
    later(0, "sampling-frequency", kText, "Samples a second."),
    later(0, "sampling-trigger", kText, "What triggers a sample."),
    later(0, "cpu-metrics", kText, "Processor counters."),
    later(0, "cpu-core-events", kText, "Processor counters."),
    later(0, "cpu-core-metrics", kText, "Processor metrics."),
    later(0, "cpu-socket-events", kText, "Uncore counters."),
    later(0, "cpu-socket-metrics", kText, "Uncore metrics."),
    later(0, "event-sample", kText, "Sampling of counters."),
    later(0, "event-sampling-interval", kText, "Time between samples of counters."),
    later(0, "event-sampling-multiplex-interval", kText, "Time between groups of counters."),
    later(0, "os-events", kText, "Events of the operating system."),
    later(0, "ftrace", kText, "Kernel trace events."),
    later(0, "ftrace-keep-user-config", kBool, "Keep the kernel's trace configuration."),
    later(0, "syscall", kText, "System calls."),
    later(0, "cudabacktrace", kText, "Call stacks of CUDA calls."),
    later(0, "cuda-trace-all-apis", kBool, "All CUDA calls."),
    later(0, "cuda-trace-scope", kText, "Whose CUDA calls."),
    later(0, "cuda-graph-trace", kText, "CUDA graphs as one or node by node."),
    later(0, "cuda-event-trace", kText, "CUDA events."),
    later(0, "cuda-memory-usage", kBool, "GPU memory over time."),
    later(0, "cuda-um-cpu-page-faults", kBool, "CPU page faults of unified memory."),
    later(0, "cuda-um-gpu-page-faults", kBool, "GPU page faults of unified memory."),
    later(0, "cuda-flush-interval", kText, "How often CUDA buffers are flushed."),
    later(0, "flush-on-cudaprofilerstop", kBool, "Flush at cudaProfilerStop."),
    later(0, "nccl-trace", kText, "NCCL events."),
    later(0, "mpi-impl", kText, "Kind of MPI."),
    later(0, "osrt-backtrace-depth", kText, "Depth of call stacks."),
    later(0, "osrt-backtrace-stack-size", kText, "Bytes of stack copied."),
    later(0, "osrt-backtrace-threshold", kText, "Shortest call with a call stack."),
    later(0, "opengl-gpu-workload", kBool, "GPU times of OpenGL."),
    later(0, "vulkan-gpu-workload", kText, "GPU times of Vulkan."),
    later(0, "dx12-gpu-workload", kText, "GPU times of Direct3D."),
    later(0, "dx12-wait-calls", kBool, "Waits of Direct3D."),
    later(0, "python-sampling", kBool, "Python call stacks."),
    later(0, "python-sampling-frequency", kText, "Python call stacks a second."),
    later(0, "python-backtrace", kText, "Python call stacks of CUDA calls."),
    later(0, "python-functions-trace", kText, "Python functions as ranges."),
    later(0, "python-nvtx-annotations", kText, "Python functions as ranges."),
    later(0, "pytorch", kText, "PyTorch operators as ranges."),
    later(0, "dask", kText, "Dask tasks as ranges."),
    later(0, "gpu-metrics-devices", kText, "GPUs whose counters are sampled."),
    later(0, "gpu-metrics-device", kText, "GPUs whose counters are sampled."),
    later(0, "gpu-metrics-frequency", kText, "GPU counter samples a second."),
    later(0, "gpu-metrics-set", kText, "Which GPU counters."),
    later(0, "gpuctxsw", kBool, "GPU context switches."),
    later(0, "gpu-video-devices", kText, "Video engines."),
    later(0, "nic-metrics", kText, "Network cards."),
    later(0, "ib-net-info-devices", kText, "InfiniBand network."),
    later(0, "ib-net-info-files", kText, "InfiniBand network."),
    later(0, "ib-net-info-output", kText, "InfiniBand network."),
    later(0, "ib-switch-congestion-devices", kText, "InfiniBand congestion."),
    later(0, "ib-switch-congestion-nic-device", kText, "InfiniBand congestion."),
    later(0, "ib-switch-congestion-percent", kText, "InfiniBand congestion."),
    later(0, "ib-switch-congestion-threshold-high", kText, "InfiniBand congestion."),
    later(0, "ib-switch-metrics-devices", kText, "InfiniBand switches."),
    later(0, "ib-switch-metrics-nic-device", kText, "InfiniBand switches."),
    later(0, "dts-api-port", kText, "DTS port."),
    later(0, "storage-metrics", kText, "Storage."),
    later(0, "gds-metrics", kText, "GPUDirect storage."),
    later(0, "gds-libs-path", kText, "GPUDirect storage libraries."),
    later(0, "enable", kText, "Plug-ins."),
    later(0, "hotkey-capture", kText, "Key that starts the recording."),
    later('Y', "start-later", kBool, "Wait for a start command."),
    later(0, "duration-frames", kText, "Record so many frames."),
    later(0, "start-frame-index", kText, "Start at a frame."),
    later(0, "session", kText, "Name of a session."),
    later(0, "session-new", kText, "Name of a new session."),
    later(0, "after-collection-start", kText, "Command to run at the start."),
    later(0, "after-report-ready", kText, "Command to run at the end."),
    later(0, "auto-report-name", kBool, "Name of the report by the program."),
    later(0, "debug-symbols", kText, "Folders with symbols."),
    later(0, "process-scope", kText, "Which processes."),
    later(0, "isr", kBool, "Interrupt service routines."),
    later(0, "vsync", kBool, "Vertical synchronisation."),
    implied(0, "discard-environment", "No environment variable goes into the report."),
    implied(0, "trace-fork-before-exec", "Children are recorded from fork on."),
    implied(0, "resolve-symbols", "Symbols are resolved."),
    implied(0, "show-source-info", "Source positions."),
};

}  // namespace

std::span<const Flag> flags() {
  return kFlags;
}

}  // namespace sextant::cli
