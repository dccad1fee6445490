# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Signal handlers that record, and signals to the command line tool."""
import os
import pty
import re
import select
import shlex
import signal
import time


def handler_counts(c, how, n):
    result = c.run(f"sextant profile -q -o r $W/signals {how} {n}", 0)
    issued = {k: int(v) for k, v in re.findall(r"^(\w+) (\d+)$", result.stdout, re.M)}
    got = {k.rsplit(":")[-1]: v for k, v in c.ranges().items()}
    return issued, got


@case("handlers that push ranges at 5 kHz")
def _(c):
    issued, got = handler_counts(c, "plain", 3000000)
    c.expect(issued["handler"] > 10, "the timer did not run")
    c.equal((got.get("main"), got.get("handler")), (issued["main"], issued["handler"]), "ranges")


@case("handlers that push ranges, on a stack of their own")
def _(c):
    issued, got = handler_counts(c, "altstack", 2000000)
    c.expect(issued["handler"] > 10, "the timer did not run")
    c.equal((got.get("main"), got.get("handler")), (issued["main"], issued["handler"]), "ranges")


def jumps(c, how):
    issued, got = handler_counts(c, how, 2000000)
    c.expect(issued["interrupted"] > 3, "no handler left by a jump")
    c.equal(got.get("handler"), issued["handler"], "ranges of the handler")
    low, high = issued["main"], issued["main"] + issued["interrupted"]
    c.expect(low <= got.get("main", 0) <= high, f"ranges of main: {got.get('main')} not in {low}..{high}")
    c.equal(got.get("left", 0), issued["left"], "ranges left open by a jump")


@case("handlers that leave by siglongjmp")
def _(c):
    jumps(c, "jump")


@case("handlers that leave by siglongjmp from a stack of their own")
def _(c):
    jumps(c, "altjump")


@case("SIGTERM to the tool goes on to the target")
def _(c):
    p = c.start("exec sextant profile -q -o r bash -c 'trap \"echo got it; exit 42\" TERM; $W/act range a 5; echo ready; "
                "while :; do sleep 0.05; done'")
    c.equal(p.stdout.readline(), b"ready\n", "first line")
    p.send_signal(signal.SIGTERM)
    result = c.wait(p)
    c.equal(result.stdout, "got it\n", "what the target said")
    c.equal(result.code, 42, "exit code")
    c.expect_ranges(5)


@case("SIGTERM without a handler ends the target")
def _(c):
    p = c.start("exec sextant profile -q -o r $W/act range a 5 print ready sleep 30000")
    c.equal(p.stdout.readline(), b"ready\n", "first line")
    p.send_signal(signal.SIGTERM)
    c.equal(c.wait(p).code, 143, "exit code")
    c.expect_ranges(5)


@case("SIGHUP to the tool goes on to the target")
def _(c):
    p = c.start("exec sextant profile -q -o r $W/act range a 5 print ready sleep 30000")
    c.equal(p.stdout.readline(), b"ready\n", "first line")
    p.send_signal(signal.SIGHUP)
    c.equal(c.wait(p).code, 129, "exit code")
    c.expect_ranges(5)


@case("SIGINT that only the tool gets goes on to the target")
def _(c):
    p = c.start("exec sextant profile -q -o r $W/act range a 5 print ready sleep 30000", start_new_session=True)
    c.equal(p.stdout.readline(), b"ready\n", "first line")
    p.send_signal(signal.SIGINT)
    c.equal(c.wait(p).code, 130, "exit code")
    c.expect_ranges(5)


def with_signals(change, *command):
    """A command that starts with its caller's signals changed."""
    return (f"exec $PYTHON -c 'import os,signal,sys; {change}; os.execvp(sys.argv[1], sys.argv[1:])' " + " ".join(command))


@case("an ignored SIGCHLD: the program's end is seen, and it finds it ignored")
def _(c):
    c.timeout = 20
    plain = c.run(with_signals("signal.signal(signal.SIGCHLD, signal.SIG_IGN)", "grep Sig[IB] /proc/self/status"), 0)
    traced = c.run(with_signals("signal.signal(signal.SIGCHLD, signal.SIG_IGN)", "sextant profile -q -o s grep Sig[IB] /proc/self/status"), 0)
    c.equal(traced.stdout, plain.stdout, "the program's signals")
    c.run(with_signals("signal.signal(signal.SIGCHLD, signal.SIG_IGN)", "sextant profile -q -o r $W/act range a 5 exit 3"), 3)
    c.expect_ranges(5)


@case("the program finds the signals blocked that its caller had blocked")
def _(c):
    block = "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGUSR1, signal.SIGWINCH])"
    plain = c.run(with_signals(block, "grep Sig[IB] /proc/self/status"), 0)
    traced = c.run(with_signals(block, "sextant profile -q -o r grep Sig[IB] /proc/self/status"), 0)
    c.equal(traced.stdout, plain.stdout, "the program's signals")


ASKED = "trap 'n=$((n+1)); [ $n = 3 ] && echo three && exit 42' {}; n=0; echo ready; while :; do sleep 0.05; done"


@case("signals that only tell the program something go on to it, however many")
def _(c):
    for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGQUIT, signal.SIGALRM):
        p = c.start(f"exec sextant profile -q -f -o r bash -c {shlex.quote(ASKED.format(number.value))}", start_new_session=True)
        c.equal(p.stdout.readline(), b"ready\n", "first line")
        for _i in range(3):
            p.send_signal(number)
            time.sleep(0.3)
        result = c.wait(p)
        c.equal((result.stdout, result.code), ("three\n", 42), f"signal {number}")
        c.run("sextant verify r.sxt", 0)


@case("under nohup no SIGHUP ends the recording")
def _(c):
    p = c.start("trap '' HUP; exec sextant profile -q -o r $W/act print ready sleep 1500 range late 5 exit 3")
    c.equal(p.stdout.readline(), b"ready\n", "first line")
    for _i in range(3):
        p.send_signal(signal.SIGHUP)
        time.sleep(0.2)
    c.equal(c.wait(p).code, 3, "exit code")
    c.expect_ranges(5, "late")


@case("a signal to everything leaves the collector time for the end of the report")
def _(c):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1):
        p = c.start("ulimit -c 0; exec sextant profile -q -f -o r $W/act range a 5 print ready sleep 30000", start_new_session=True)
        c.equal(p.stdout.readline(), b"ready\n", "first line")
        collectors = c.run("for p in $(pgrep -x sextant-collect); do [ $(readlink /proc/$p/cwd) = $PWD ] && echo $p; done; true").stdout.split()
        c.equal(len(collectors), 1, "collectors")
        for process in (int(collectors[0]), p.pid):
            os.kill(process, number)
        c.equal(c.wait(p).code, 128 + number, "exit code")
        c.run("sextant verify r.sxt", 0)
        c.expect_ranges(5)


def on_terminal(c, command, keys, ready=b"ready"):
    """Runs a command as the foreground job of a terminal of its own, types `keys` once it said `ready`; (output, exit code)."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(c.folder)
        os.execve("/bin/bash", ["bash", "-c", "exec " + command], c.env)
    output, typed, end = b"", False, time.monotonic() + c.timeout
    while True:
        c.expect(time.monotonic() < end, f"not done; output so far: {output!r}")
        if not select.select([fd], [], [], 0.2)[0]:
            continue
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        if not data:
            break
        output += data
        if not typed and ready in output:
            os.write(fd, keys)
            typed = True
    os.close(fd)
    status = os.waitpid(pid, 0)[1]
    return output.decode(errors="replace"), os.waitstatus_to_exitcode(status)


@case("Ctrl-C on a terminal reaches the target once")
def _(c):
    script = ("import signal,time,sys,os\nn=[0]\ndef h(*a): n[0]+=1\nsignal.signal(signal.SIGINT,h)\nprint('ready',flush=True)\n"
              "while not n[0]: time.sleep(0.01)\ntime.sleep(0.5)\nprint('interrupts',n[0])\nsys.exit(9)\n")
    with open(c.path("s.py"), "w") as f:
        f.write(script)
    output, code = on_terminal(c, "sextant profile -q -o r $PYTHON s.py", b"\x03")
    c.expect("interrupts 1" in output, f"output: {output}")
    c.equal(code, 9, "exit code")
    c.run("sextant verify r.sxt", 0)


@case("Ctrl-C ends a target that does not care, the report is whole")
def _(c):
    output, code = on_terminal(c, "sextant profile -q -o r $W/act range a 5 print ready sleep 30000", b"\x03")
    c.expect(code in (130, -2), f"exit code {code}; {output}")
    c.expect_ranges(5)


@case("the target sees the terminal as its own")
def _(c):
    bare, _code = on_terminal(c, "$W/look", b"")
    traced, _code = on_terminal(c, "sextant profile -q -o r $W/look", b"")
    strip = re.compile(r"^(fd|tty|foreground).*$", re.M)
    want = [re.sub(r" leader \d", "", line) for line in (m.group(0) for m in strip.finditer(bare))]
    got = [re.sub(r" leader \d", "", line) for line in (m.group(0) for m in strip.finditer(traced))]
    c.equal(got, want, "terminal")


@case("a shell on a terminal: job control works")
def _(c):
    output, code = on_terminal(c, "sextant profile -q -o r bash --norc -i", b"echo $((6*7)); sleep 0 & wait; exit 5\n",
                               ready=b"bash-")
    c.expect("42" in output, f"output: {output}")
    c.equal(code, 5, "exit code")


@case("Ctrl-Z stops target and tool, fg goes on")
def _(c):
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(c.folder)
        os.execve("/bin/bash", ["bash", "--norc", "-i"], c.env)
    output = b""

    def until(text):
        nonlocal output
        end = time.monotonic() + 20
        while text not in output:
            c.expect(time.monotonic() < end, f"no {text!r} in {output!r}")
            if select.select([fd], [], [], 0.2)[0]:
                output += os.read(fd, 4096)
        output = output.split(text, 1)[1]
    os.write(fd, b"PS1='prompt> '\n")
    until(b"prompt> ")
    until(b"prompt> ")
    os.write(fd, b"sextant profile -q -o r $W/act print be''gun range a 5 sleep 1000 print en''ded\n")
    until(b"begun")
    os.write(fd, b"\x1a")
    until(b"Stopped")
    until(b"prompt> ")
    os.write(fd, b"fg\n")
    until(b"ended")
    until(b"prompt> ")
    os.write(fd, b"exit\n")
    os.waitpid(pid, 0)
    os.close(fd)
    c.expect_ranges(5)


@case("signals that are far apart do not end the recording of a program that lives on")
def _(c):
    p = c.start("exec sextant profile -q -o r bash -c 'trap : INT; for i in 1 2 3 4 5 6 7 8; do sleep 0.5; done; $W/act range late 5'")
    time.sleep(0.4)
    p.send_signal(signal.SIGINT)
    time.sleep(2.3)
    p.send_signal(signal.SIGINT)
    c.equal(p.wait(), 0, "exit code")
    c.expect_ranges(5)
