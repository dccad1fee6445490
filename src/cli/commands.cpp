// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include <array>

#include "cli/flags.h"

namespace sextant::cli {

namespace {

constexpr std::array kCommands = {
    Command{kProfile, "profile", "[OPTIONS] PROGRAM [ARGUMENTS]", "Run a program and record it",
            "Runs PROGRAM and records it with everything that it starts, into one report. The program's "
            "output, input, signals and exit\n"
            "code are its own: `sextant profile` ends with the program's exit code, 128 + N after signal N. "
            "The report can be read while it\n"
            "grows, and what was recorded survives the death of every process.",
            "sextant profile ./train --epochs 3          record into report1.sxt\n"
            "sextant profile -o run-%h-%p -f ./train     choose the report's name, replace an older one\n"
            "sextant profile -d 10 -- ./server -v        record ten seconds, then end the server",
            true, run_profile},
    Command{kStats, "stats", "[OPTIONS] REPORT...", "Print summaries and traces of a report",
            "Prints tables: the default set, or those named with -r. Column names, numbers and order are "
            "those of nsys. Several reports, or all in a\n"
            "folder, are printed one after the other; with --by they are one set.",
            "sextant stats report1.sxt                               the default set\n"
            "sextant stats -r nvtx_sum,process_tree report1.sxt      two of them\n"
            "sextant stats -q -r nvtx_pushpop_trace -f csv report1.sxt > ranges.csv\n"
            "sextant stats --by rank -r nvtx_sum ranks/              which rank is slow, and where",
            false, run_stats},
    Command{kAnalyze, "analyze", "[OPTIONS] REPORT...",
            "Look for what costs time, and say what could be gained",
            "Tries rules: all of them, or those named with -r. Each finding says what, where, on what "
            "evidence, how much could be gained at\n"
            "most, and what to do. The rows below are those of nsys.",
            "sextant analyze report1.sxt                             all rules\n"
            "sextant analyze -r gpu_gaps:gap=100 report1.sqlite      idle GPUs, from 100 ms on\n"
            "sextant analyze --json report1.sxt                      findings for machines",
            false, run_analyze},
    Command{kInfo, "info", "[--json] REPORT...", "Say what a report holds, and what it lacks",
            "What was recorded, when, where and how; processes, tables, losses with their reasons and what "
            "to do about them.",
            "sextant info report1.sxt\nsextant info --json report1.sxt", false, run_info},
    Command{
        kSql, "sql", "[OPTIONS] REPORT... ['STATEMENTS']",
        "Ask a report in SQL, by nsys's tables and columns",
        "The tables of nsys's SQLite export, read where they lie: nothing is exported first. Statements "
        "come from the command line or from\n"
        "standard input; at a terminal they are typed into a shell, where .help says what there is. They may "
        "read, and make TEMP tables\n"
        "and views; .tables and .schema [TABLE] say what there is. Every report of\n"
        "`sextant stats` is a table, too: cuda_gpu_kern_sum(), nvtx_sum() ...",
        "sextant sql report1.sxt                                 the shell\n"
        "sextant sql report1.sxt .tables\n"
        "sextant sql report1.sqlite 'SELECT value, count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN "
        "StringIds ON id = shortName GROUP BY 1'\n"
        "sextant sql -f csv --param least=1000 report1.sxt 'SELECT text FROM NVTX_EVENTS WHERE end - "
        "start > :least'",
        false, run_sql},
    Command{kExplain, "explain", "[OPTIONS] NAME...|REPORT",
            "Say in plain words what kernels do, by their names",
            "Tells of each kernel the library, the operation, types, tile, layout and generation, as far as "
            "its name "
            "does, and what of that\n"
            "is a guess. The names are given, read from standard input (-), or those of a report, most time "
            "first.",
            "sextant explain volta_sgemm_128x64_nn                   one name\n"
            "sextant explain --rows 5 report1.sxt                    the five kernels that took most time\n"
            "sextant explain --json - < names.txt                    one name a line, for machines",
            false, run_explain},
    Command{
        kExport, "export", "-t TYPE [OPTIONS] REPORT...", "Write a report in another format",
        "sqlite: the tables and columns of nsys's own export, for scripts, for SQL, and for `nsys stats` "
        "itself. chrome: a trace for\n"
        "Perfetto and chrome://tracing. folded: NVTX time by thread and path, for flame graphs. Of several "
        "reports each gets a file.",
        "sextant export -t sqlite report1.sxt              writes report1.sqlite\n"
        "sextant export -t chrome report1.sqlite           writes report1.json\n"
        "sextant export -t sqlite -o /tmp/a.sqlite -f true report1.sxt",
        false, run_export},
    Command{
        kFlame, "flame", "[OPTIONS] REPORT...", "Draw where NVTX time goes, as a flame graph",
        "One SVG file that any browser shows: a box is as wide as the push/pop time of its path, and tells "
        "more when the pointer rests\n"
        "on it. `sextant export -t folded` gives the same to other tools.",
        "sextant flame report1.sxt                     writes report1.svg\n"
        "sextant flame --by-thread -o a.svg report1.sxt",
        false, run_flame},
    Command{kRecover, "recover", "RUN_FOLDER", "Finish a recording whose collector was killed",
            "Brings together the report as far as it was written and the events that are still in the run "
            "folder (NAME.sxt.run).\n"
            "Nothing is lost and nothing is there twice. The name of the report will do, too.",
            "sextant recover report1.sxt.run", false, run_recover},
    Command{kVerify, "verify", "REPORT...", "Check every byte of a report",
            "Reads every chunk and checks every checksum and bound. Exit code 0: all is well; 1: something "
            "is damaged or missing.",
            "sextant verify report1.sxt", false, run_verify},
    Command{
        kDoctor, "doctor", "[OPTIONS]", "Say what this machine lets a profiler do, and what opens the rest",
        "For each thing that can be recorded: allowed, denied and by whom, or not here; the exact remedy "
        "here, the least first, with what\n"
        "it opens besides and who must agree; who else uses the GPUs and their counters. What is harmless is "
        "tried for real; nothing is\n"
        "changed. Exit code with --for: 0 it can be done, 3 it cannot, 6 the machine allows it and this "
        "release does not record it.",
        "sextant doctor                              everything\n"
        "sextant doctor --for ncu                    one goal\n"
        "sextant doctor --for sampling --k8s         fields of a pod\n"
        "sextant doctor --fix > fix.sh               a script to read\n"
        "sextant doctor --json                       for machines",
        false, run_doctor},
    Command{kStatus, "status", "--environment", "Print nsys's check of this machine, and ours below it",
            "The lines of `nsys status --environment`, then those of `sextant doctor`.",
            "sextant status --environment", false, run_status},
    Command{kSeccomp, "seccomp", "[--from PROFILE]", "Print a seccomp profile that admits CPU sampling",
            "The container runtime's own profile, read now, plus perf_event_open. For --security-opt "
            "seccomp=FILE, or for localhostProfile in a pod.",
            "sextant seccomp > perf.json\n"
            "podman run --security-opt seccomp=perf.json ...\n"
            "sextant seccomp --from default.json > perf.json",
            false, run_seccomp},
    Command{kExplainError, "explain-error", "'TEXT'", "Say what an error of nsys, ncu, CUPTI or DCGM means",
            "The text that another tool printed, in plain words, and the check to run. `-` reads it from "
            "standard "
            "input.",
            "sextant explain-error ERR_NVGPUCTRPERM\n"
            "nsys profile ./a.out 2>&1 | sextant explain-error -",
            false, run_explain_error},
    Command{kCut, "cut", "[--from TIME] [--to TIME] REPORT", "Keep a span of time as a report of its own",
            "Everything that exists at some moment of the span stays, whole and to the nanosecond, as do "
            "processes, "
            "losses and their reasons.\n"
            "Times are those that the reports show. The report itself is not changed.",
            "sextant cut --from 10s --to 12s report1.sxt             writes report1-cut.sxt\n"
            "sextant cut --to 500ms -o start.sxt report1.sxt",
            false, run_cut},
    Command{kTop, "top", "[OPTIONS] REPORT|RUN_FOLDER", "Watch a recording that is still going",
            "Shows once a second the busiest ranges of the last seconds and the processes. On a terminal the "
            "picture is redrawn; elsewhere\n"
            "plain lines follow each other. Ends with the recording.",
            "sextant top report1.sxt                                 until the recording has ended\n"
            "sextant top --once --span 0 report1.sxt                 one look at everything so far\n"
            "sextant top --json --interval 5 report1.sxt.run",
            false, run_top},
    Command{
        kClean, "clean", "[--dry-run] [FOLDER ...]", "Remove what dead recordings left, and unused imports",
        "Looks for run folders (NAME.sxt.run) in the folders that are named, else in the current one, and in "
        "$XDG_RUNTIME_DIR, /tmp and\n"
        "/dev/shm. One that a collector works on is never touched; one that holds events which no report has "
        "stays, "
        "and is told,\n"
        "unless --discard is given.",
        "sextant clean --dry-run\nsextant clean --cache", false, run_clean},
    Command{
        kServe, "serve", "[OPTIONS] [REPORT|FOLDER...]", "Look at reports in a browser",
        "Serves the reports that are named, and all in folders (without any: the current one), to a browser "
        "on this "
        "machine, at an address\n"
        "that is printed and holds a key. Nothing is written, nothing else is served. From another machine: "
        "through ssh -L, or with --host,\n"
        "--tls-cert and --password-file for many. Ctrl-C ends it. What it answers is on docs/http-api.md.",
        "sextant serve report1.sxt                               prints the address\n"
        "sextant serve --open runs/                              and opens the browser\n"
        "sextant serve --host node7.example.org --port 8443 --tls-cert node7.pem --tls-key node7.key "
        "--password-file pw /shared/runs",
        false, run_serve},
    Command{kView, "view", "[OPTIONS] REPORT", "Open one report in a browser, or write it as one page",
            "Serves the report to a browser on this machine and opens it. With --html it is written as one "
            "page instead, which needs neither\n"
            "sextant nor a network: the viewer with the report in it. What has no room is thinned from the "
            "near zoom levels on, and the page\n"
            "says so.",
            "sextant view report1.sxt                                serve it and open the browser\n"
            "sextant view report1.sxt --html report1.html            a page to send or to attach\n"
            "sextant view big.sxt --html big.html --max-size 5M      a smaller one",
            false, run_view},
    Command{kDemo, "demo", "[--open]", "Reports to try it with",
            "Lists the small reports that come with sextant: recordings of its own example programs. With "
            "--open they are shown in a browser.",
            "sextant demo\nsextant demo --open", false, run_demo},
    Command{kHelp, "help", "[--man] [COMMAND]", "Print help", "",
            "sextant help profile\nsextant help --man profile | man -l -", false, run_help},
    Command{kCompletion, "completion", "bash|zsh|fish", "Print a completion script for a shell",
            "`make install` installs all three.",
            "source <(sextant completion bash)\n"
            "sextant completion fish > ~/.config/fish/completions/sextant.fish",
            false, run_completion},
    Command{kVersion, "version", "", "Print the version", "", "sextant version", false, run_version},
};

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands)
    if (command.name == name) return &command;
  return nullptr;
}

}  // namespace sextant::cli
