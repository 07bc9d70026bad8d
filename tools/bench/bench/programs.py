"""The programs that are measured: builds them, runs them, and says what a run took."""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent.parent
ROUNDS = 5

# What a run printed, its CPU seconds, seconds by the clock, most memory in MB, the seconds until it printed a
# word that was waited for, and whether it ended well.
Run = namedtuple("Run", "text cpu wall megabytes succeeded")


def build(*products):
    """Release builds, as they are installed; returns where they lie."""
    flags = ["-c", "release", "--package-path", str(BENCH)]
    if sys.platform == "linux":
        # Without debug information, which valgrind cannot read.
        flags += ["--static-swift-stdlib", "-Xlinker", "-S"]
    for product in products:
        if subprocess.run(["swift", "build", *flags, "--product", product], stdout=sys.stderr).returncode:
            sys.exit(f"tools/bench/run: {product} does not build; see above")
    place = subprocess.run(["swift", "build", *flags, "--show-bin-path"], capture_output=True, text=True, check=True)
    return Path(place.stdout.strip())


def run(words, seconds=600, cores=None, environment=None, checked=True):
    """Runs a program for at most so many CPU seconds, on the first cores if they are counted."""
    words = [str(word) for word in words]
    read, write = os.pipe()
    before = os.sched_getaffinity(0) if cores else None
    if cores:
        os.sched_setaffinity(0, set(sorted(before)[:cores]))
    start = time.monotonic()
    process = os.posix_spawnp(
        words[0], words, {**os.environ, **(environment or {})},
        file_actions=[(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_CLOSE, read)])
    os.close(write)
    if cores:
        os.sched_setaffinity(0, before)
    if hasattr(resource, "prlimit"):
        resource.prlimit(process, resource.RLIMIT_CPU, (seconds, seconds + 1))

    text = []
    with open(read, "rb", buffering=0) as pipe:
        while part := pipe.read(1 << 16):
            text.append(part)
    _, status, usage = os.wait4(process, 0)
    wall = time.monotonic() - start
    if checked and status:
        sys.exit(f"tools/bench/run: {' '.join(words)}: ended with {os.waitstatus_to_exitcode(status)}")
    return Run(b"".join(text).decode(errors="replace"), usage.ru_utime + usage.ru_stime, wall,
               usage.ru_maxrss / 1024, status == 0)


def run_twice_at_once(words):
    """Runs a program twice, side by side; the seconds by the clock until both have ended."""
    start = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, [words, words]))
    return time.monotonic() - start


def figures(text):
    """The lines that a measuring program prints: a name, and numbers."""
    lines = (line.split("\t") for line in text.splitlines())
    return {words[0]: [float(word) for word in words[1:]] for words in lines if len(words) > 1}


def take_turns(jobs, rounds=ROUNDS):
    """Runs each job once in each round, so that what else the machine does falls on all; returns medians.

    A job returns a number, or numbers by name.
    """
    turns = [{name: job() for name, job in jobs.items()} for _ in range(rounds)]
    return {name: median([turn[name] for turn in turns]) for name in jobs}


def median(results):
    if isinstance(results[0], dict):
        return {key: median([result[key] for result in results if key in result]) for key in results[0]}
    return statistics.median(results)


class Workshop:
    """The programs, and a place for files that are removed in the end; logs are made once."""
    WORKLOADS = ["work", "scenes", "lives", "storm"]

    def __init__(self, *products):
        self.bin = build(*products)
        self.folder = tempfile.TemporaryDirectory(prefix="tracectl-bench-")

    def file(self, name):
        return Path(self.folder.name) / name

    def bench(self, *words, **options):
        return run([self.bin / "bench", *words], **options)

    def tracectl(self, *words, **options):
        return run([self.bin / "tracectl", *words], **options)

    def log(self, workload, events):
        path = self.file(f"{workload}-{events}.bin")
        if not path.exists():
            self.bench("log", workload, events, path)
        return path

    def form(self, form, log):
        """A log as rows, NDJSON or notation."""
        path = log.with_suffix("." + form)
        if not path.exists():
            self.bench(form, log, path)
        return path

    def step(self, name, path, **options):
        """What a step handles, and the nanoseconds that it takes for each."""
        text = self.bench("step", name, path, **options).text
        return nanoseconds(figures(text)[name])


def nanoseconds(counted):
    count, time = counted
    return time / max(1, count)
