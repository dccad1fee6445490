# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Programs nobody here wrote, alone and recorded: exit code, output and files are the same after the mask that stands beside each.
Those that print a part of their environment, times, speeds or process ids differ by nature in just that. programs.case and
frameworks.py have the smaller ones."""
import os
import pwd

from harness import Skipped
from untouched import for_trace_sets, untouched

TIMES = [(r"\b\d+(\.\d+)? ?(ms|s|sec|seconds)\b", "TIME"), (r"\d\d:\d\d:\d\d(\.\d+)?", "CLOCK")]
REDIS_LINES = [(r"^\d+:[XCSM] .*", "LOG")]
ADDRESSES = [(r"0x[0-9a-f]{6,}", "ADDRESS")]

PYTHON = """
import concurrent.futures, json, multiprocessing, os, select, socket, sqlite3, subprocess, sys, tempfile, threading
def square(n): return n * n
if __name__ == '__main__':
    with concurrent.futures.ThreadPoolExecutor(8) as pool: print(sum(pool.map(square, range(1000))))
    with multiprocessing.get_context('fork').Pool(3) as pool: print(pool.map(square, range(10)))
    with multiprocessing.get_context('spawn').Pool(2) as pool: print(pool.map(square, range(10)))
    a, b = socket.socketpair()
    threading.Thread(target=lambda: [b.sendall(bytes(1000)) for _ in range(100)] and b.close()).start()
    print(sum(len(piece) for piece in iter(lambda: a.recv(4096), b'')))
    with tempfile.NamedTemporaryFile(dir='.') as f: f.write(b'x' * 100000); f.flush(); print(os.path.getsize(f.name))
    db = sqlite3.connect('t.db'); db.execute('create table t(a)'); db.executemany('insert into t values(?)', [(i,) for i in range(1000)])
    db.commit(); print(db.execute('select sum(a) from t').fetchone())
    print(subprocess.run('echo out; echo err >&2; exit 3', shell=True, capture_output=True, text=True))
    print(select.select([sys.stdin], [], [], 0.01)[1], file=sys.stderr)
    os._exit(7)
"""

PERL = r"""
use strict; use warnings; use IO::Select; use Socket; use POSIX ':sys_wait_h';
$| = 1;
for my $i (1 .. 5) { my $p = fork; if (!$p) { exit $i } waitpid $p, 0; print $? >> 8, "\n"; }
socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, PF_UNSPEC); my $p = fork;
if (!$p) { syswrite $b, "x" x 70000; exit 0 } close $b; my $n = 0; while (my $r = sysread $a, my $t, 4096) { $n += $r } print "$n\n"; wait;
local $SIG{ALRM} = sub { print "alarm\n" }; alarm 1; select undef, undef, undef, 5;
open my $f, '>', 'perl.out' or die; print $f join("\n", map { $_ * $_ } 1 .. 1000); close $f; print `wc -l < perl.out`; system 'exit 4'; exit $? >> 8;
"""

NODE = """
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');
const { execFileSync, fork } = require('child_process'), fs = require('fs'), net = require('net');
if (!isMainThread) { parentPort.postMessage(workerData * 2); }
else if (process.argv[2] === 'child') { process.send('hello'); process.disconnect(); }
else (async () => {
  const doubled = await Promise.all([1, 2, 3].map(n => new Promise(done => new Worker(__filename, { workerData: n }).on('message', done))));
  console.log(doubled, execFileSync('echo', ['out']).toString());
  await new Promise(done => fork(__filename, ['child']).on('message', text => { console.log(text); done(); }));
  await Promise.all([...Array(20).keys()].map(i => fs.promises.writeFile('node.' + i, 'x'.repeat(1000 * i))));
  const server = net.createServer(s => s.end('served')).listen('socket');
  await new Promise(done => net.connect('socket').on('data', d => console.log(d.toString())).on('close', done));
  server.close(); console.error('to stderr'); process.exitCode = 5;
})();
"""

JAVA = """
import java.nio.file.*; import java.util.concurrent.*; import java.util.stream.*;
public class Main {
  public static void main(String[] words) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    long sum = 0;
    for (Future<Integer> f : pool.invokeAll(IntStream.range(0, 200).mapToObj(i -> (Callable<Integer>) () -> i * i).collect(Collectors.toList()))) sum += f.get();
    pool.shutdown();
    Process p = new ProcessBuilder("sh", "-c", "echo child; exit 3").start();
    System.out.print(new String(p.getInputStream().readAllBytes()));
    Files.writeString(Path.of("java.out"), "written " + sum);
    System.gc();
    System.out.println(sum + " " + p.waitFor());
    System.err.println("to stderr");
    System.exit(6);
  }
}
"""

MAKEFILE = """all: $(foreach n,1 2 3 4 5 6 7 8 9 10 11 12,out.$(n))
out.%: source.c
\t@$(CC) -O1 -DN=$* -o program.$* source.c && ./program.$* > $@
"""
SOURCE = '#include <stdio.h>\nint main(void) { printf("%d\\n", N * N); return 0; }\n'

GIT = """git init -q g && cd g && git config user.email a@b && git config user.name n
for i in 1 2 3 4 5; do echo $i > f$i; git add f$i; git commit -qm "number $i"; done
git checkout -qb other HEAD~2 && echo x > x && git add x && git commit -qm x && git merge -q --no-edit -m merged master
git repack -adq && git gc -q && git fsck 2>&1 && git log --format=%s && git clone -q . ../clone && git -C ../clone status; git rev-parse HEAD
git show nothing; code=$?; rm -rf .git ../clone/.git; exit $code"""

REDIS = """redis-server --port 0 --unixsocket $PWD/s --io-threads 2 --save '' --logfile log &
for i in $(seq 200); do [ -S s ] && break; sleep 0.05; done
redis-cli -s s ping; for i in 1 2 3 4 5; do redis-cli -s s incr n; done
redis-cli -s s eval "for i = 1, 1000 do redis.call('rpush', 'list', i) end return redis.call('llen', 'list')" 0
redis-cli -s s save; redis-cli -s s lrange list 0 3; redis-benchmark -q -s s -n 2000 -c 10 -t set,get,lpush >/dev/null && echo measured
redis-cli -s s dbsize; redis-cli -s s shutdown nosave; wait; echo exit code $?; rm -f log dump.rdb"""

GUNICORN = """gunicorn -w 3 -b unix:sock --pythonpath $W/python web_app:application 2>log & pid=$!
for i in $(seq 200); do [ -S sock ] && break; sleep 0.05; done
$PYTHON - <<'X'
import http.client, socket
for i in range(20):
    c = http.client.HTTPConnection('localhost'); c.sock = socket.socket(socket.AF_UNIX); c.sock.connect('sock')
    c.request('GET', '/'); r = c.getresponse(); print(r.status, r.read().decode().isdigit())
X
kill -TERM $pid; wait $pid; echo exit code $?; grep -c 'Booting worker' log; rm log"""

FFMPEG = """ffmpeg -nostdin -loglevel error -f lavfi -i testsrc=size=320x240:rate=25:duration=2 -c:v libx264 -threads 4 -fflags +bitexact \
-flags:v +bitexact -y out.mp4 && ffmpeg -nostdin -loglevel error -i out.mp4 -f framemd5 - | md5sum; ffmpeg -nostdin -loglevel error -i none; echo $?"""

# it ends at the end of its input, also in the middle of a search
STOCKFISH = """mkfifo in; : > out; stockfish < in > out & exec 3> in; printf 'setoption name Threads value 1\\nposition startpos moves e2e4\\ngo depth 9\\n' >&3
until grep -q bestmove out; do sleep 0.1; done; echo quit >&3; wait $!; code=$?; cat out; rm in out; exit $code"""
SPEEDS = [(r" (nps|time|hashfull|tbhits) \d+", r" \1 N")]

POSTGRES = """export PGDATA=$PWD/data PGHOST=$PWD; bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
$bin/initdb -A trust -U me -E UTF8 --no-sync > init.log && $bin/pg_ctl -w -s -l log -o "-k $PWD -h ''" start
psql="psql -U me -d postgres -qAt"; $psql -c 'create table t as select generate_series(1, 20000) n; create index on t(n); analyze t'
$bin/pgbench -U me -i -q postgres 2>/dev/null; $bin/pgbench -U me -n -c 4 -j 2 -t 50 postgres 2>&1 | grep actually
$psql -c 'select sum(n), count(*) from t' -c 'select count(*) from pgbench_history'; $psql -c 'select broken'; echo $?
$bin/pg_ctl -w -s -m fast stop; echo exit code $?; $bin/pg_controldata | grep 'cluster state'; rm -rf data init.log log"""

# name, what it needs, what is made ready, command, mask, whether it is long, whether files are compared
PROGRAMS = [
    ("python3", "", "cat > p.py <<'X'" + PYTHON + "X", "$PYTHON -B p.py </dev/null", [], False),
    ("perl", "perl", "cat > p.pl <<'X'" + PERL + "X", "perl p.pl", [], False),
    ("node", "node", "cat > n.js <<'X'" + NODE + "X", "node n.js", [], False),
    ("java", "java javac", "cat > Main.java <<'X'" + JAVA + "X\njavac Main.java", "java -Xshare:auto -cp . Main", [], True),
    ("bash", "", "", "for i in {1..100}; do (exit $((i % 7))); echo $i $?; done | sort -n | tail -3; cat <(echo a) <(echo b); trap 'echo bye' EXIT; "
     "coproc cat; echo through >&${COPROC[1]}; read -r line <&${COPROC[0]}; echo $line; kill $COPROC_PID; exit 9", [], False),
    ("make -j4 with gcc", "make gcc", f"cat > Makefile <<'X'\n{MAKEFILE}X\ncat > source.c <<'X'\n{SOURCE}X", "make -s -j4 CC=gcc; cat out.* | sort -n", [], False),
    ("git", "git", "", "export GIT_AUTHOR_DATE='2020-01-01 00:00' GIT_COMMITTER_DATE='2020-01-01 00:00' GIT_CONFIG_GLOBAL=/dev/null; git() { command git -c init.defaultBranch=master \"$@\"; };\n" + GIT,
     [], False),
    ("apt-get -s install", "apt-get", "", "apt-get -s -q install cowsay sl 2>&1; apt-cache policy bash | head -3; apt-get -s install no-such-package", [], True),
    ("mpirun -np 4", "mpirun file:$W/ring_mpi", "", "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; mpirun --oversubscribe --bind-to none -np 4 $W/ring_mpi", [], True),
    ("redis", "redis-server redis-cli redis-benchmark", "", REDIS, REDIS_LINES, True),
    ("gunicorn", "gunicorn", "", GUNICORN, [], True),
    ("ffmpeg", "ffmpeg", "", FFMPEG, ADDRESSES, True),
    ("stockfish", "file:/usr/games/stockfish", "", STOCKFISH, SPEEDS, True),
]


def register(name, requires, prepare, command, mask, long):
    def run(c, options):
        c.env["PATH"] += ":/usr/games:/usr/sbin"
        untouched(c, command, options, prepare, TIMES + mask)

    for_trace_sets(lambda suffix, long_set, run_it: case(name + suffix, requires, full=long or long_set, timeout=240)(run_it), run)


for program in PROGRAMS:
    register(*program)


def postgres(c, options):
    """Refuses to run as root: an unprivileged user runs it, and records it."""
    if not os.path.isdir("/usr/lib/postgresql"):
        raise Skipped("postgres is not installed")
    c.for_everybody()
    nobody = pwd.getpwnam("nobody")
    os.mkdir(c.path("home"))
    os.chown(c.path("home"), nobody.pw_uid, nobody.pw_gid)
    c.env.update(HOME=c.path("home"), TMPDIR=c.path("home"))
    result = untouched(c, POSTGRES, options, "", TIMES, report="home/r.sxt", user=nobody)
    c.expect("20000" in result.stdout and "shut down" in result.stdout, f"it did not work: {result.stdout}{result.stderr}")


for_trace_sets(lambda suffix, long_set, run_it: case("postgres" + suffix, "user", full=True, timeout=300)(run_it), postgres)
