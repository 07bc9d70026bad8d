"""Other systems, measured beside tracectl. What is not installed is left out, and said."""
import os
import shutil
import subprocess
import sys

from .programs import BENCH, figures, run

SOURCES = BENCH / "peers"
VENV = BENCH / ".build/venv"
# How to see that a peer is there, what Debian calls it, and what it is.
PACKAGES = [
    ("lttng", "lttng-tools", "LTTng"), ("<lttng/tracepoint.h>", "liblttng-ust-dev", "LTTng"),
    ("babeltrace2", "babeltrace2", "babeltrace2"), ("javac", "openjdk-17-jdk-headless", "JFR"),
    ("<sqlite3.h>", "libsqlite3-dev", "SQLite"), ("jq", "jq", "jq"), ("python3", "python3-venv", "DuckDB")]
MODULES = ["duckdb", "numpy", "pyarrow"]


def python():
    """Python with DuckDB: what --install has made, or the one that runs this."""
    own = VENV / "bin/python"
    return own if own.exists() else sys.executable


def has(probe):
    """Whether a program is there, or a header."""
    if not probe.startswith("<"):
        return shutil.which(probe)
    words = ["clang", "-fsyntax-only", "-x", "c", "-"]
    return subprocess.run(words, input=f"#include {probe}\n".encode(), stderr=subprocess.DEVNULL).returncode == 0


def install():
    packages = [package for probe, package, _ in PACKAGES if not has(probe)]
    if packages:
        root = [] if os.getuid() == 0 else ["sudo"]
        subprocess.run([*root, "apt-get", "update", "-q"], stdout=sys.stderr, check=True)
        subprocess.run([*root, "apt-get", "install", "-q", "-y", "--no-install-recommends", *packages],
                       stdout=sys.stderr, check=True)
    if not has_modules():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([python(), "-m", "pip", "install", "-q", *MODULES], stdout=sys.stderr, check=True)


def has_modules():
    return subprocess.run([python(), "-c", f"import {', '.join(MODULES)}"], stderr=subprocess.DEVNULL).returncode == 0


class Peers:
    """The peers that are installed; none where they are not wanted."""

    def __init__(self, shop, is_wanted):
        self.shop = shop
        if not is_wanted:
            self.missing = {name for _, _, name in PACKAGES} | {"DuckDB", "swift-log"}
            return
        self.missing = {name for probe, _, name in PACKAGES if not has(probe)}
        if not has_modules():
            self.missing.add("DuckDB")
        for name in sorted(self.missing):
            print(f"tools/bench/run: SKIPPED: {name} is not there; --install installs it", file=sys.stderr)
        self.compile()

    def has(self, name):
        return name not in self.missing

    def compile(self):
        flags = ["-O2", f"-I{BENCH}/Sources/CBench/include", f"-I{SOURCES}", BENCH / "Sources/CBench/bench.c"]
        if self.has("LTTng"):
            run(["clang", SOURCES / "lttng.c", *flags, "-llttng-ust", "-ldl", "-o", self.shop.file("lttng")])
            home = self.shop.file("lttng-home")
            home.mkdir()
            self.environment = {"LTTNG_HOME": str(home), "LTTNG_UST_ALLOW_BLOCKING": "1"}
            # It fails where one runs already, which then serves; ours is ended by close.
            run(["lttng-sessiond", "--daemonize", "--no-kernel", f"--pidfile={home}/pid"],
                environment=self.environment, checked=False)
        if self.has("SQLite"):
            run(["clang", SOURCES / "files.c", *flags, "-lsqlite3", "-o", self.shop.file("files")])
        if self.has("JFR"):
            run(["javac", "-d", self.shop.file("java"), SOURCES / "Flight.java"])

    def close(self):
        pid = self.shop.file("lttng-home/pid")
        if pid.exists():
            os.kill(int(pid.read_text()), 15)

    # MARK: What a fact costs

    def recorders(self):
        """What each prints: a fact, and where it has one, a fact while nobody records."""
        file = self.shop.file
        jobs = {"NDJSON by fprintf": ("SQLite", lambda: run([file("files"), "ndjson", file("peer.ndjson")])),
                "SQLite": ("SQLite", lambda: run([file("files"), "sqlite", self.fresh("peer.db")])),
                "JFR": ("JFR", lambda: run(["java", "-cp", file("java"), "Flight"])),
                "LTTng": ("LTTng", lambda: self.traced("record")),
                "swift-log": ("swift-log", lambda: run([self.shop.bin / "swift-log-peer", file("peer.log")]))}
        return {name: lambda job=job: {what: all[0] for what, all in figures(job().text).items()}
                for name, (needed, job) in jobs.items() if self.has(needed)}

    def fresh(self, name):
        path = self.shop.file(name)
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        return path

    def traced(self, *words, out="ctf"):
        """Runs the LTTng peer in a session of its own."""
        def lttng(*words):
            subprocess.run(["lttng", "-q", *map(str, words)], check=True, env={**os.environ, **self.environment})

        lttng("create", "bench", f"--output={self.fresh(out)}")
        lttng("enable-channel", "-u", "-s", "bench", "--subbuf-size=4M", "--num-subbuf=8", "--blocking-timeout=inf", "all")
        lttng("enable-event", "-u", "-s", "bench", "-c", "all", "bench:fact,bench:bare,bench:timer")
        lttng("start", "bench")
        done = run([self.shop.file("lttng"), *words], environment=self.environment)
        lttng("stop", "bench")
        lttng("destroy", "bench")
        return done

    # MARK: The same events in their forms

    def forms(self, log):
        """The file of each form that a peer can write, made once."""
        rows = self.shop.form("rows", log)
        makers = {
            "CTF by LTTng": ("LTTng", "ctf", lambda out: self.traced("replay", rows, out=out.name)),
            "JFR": ("JFR", "jfr", lambda out: run(["java", "-cp", self.shop.file("java"), "Flight", "replay", rows, out])),
            "SQLite": ("SQLite", "db", lambda out: run([self.shop.file("files"), "database", rows, out])),
            "Parquet": ("DuckDB", "parquet", lambda out: run([python(), SOURCES / "tables.py", "write", rows, out]))}
        found = {}
        for name, (needed, ending, make) in makers.items():
            if self.has(needed):
                found[name] = log.with_suffix("." + ending)
                if not found[name].exists():
                    make(found[name])
        return found

    def sizes(self, log):
        """Bytes on disk, and packed by gzip where a form does not compress."""
        sizes = {}
        for name, path in self.forms(log).items():
            files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
            sizes[name] = sum(file.stat().st_size for file in files)
            if name in ("CTF by LTTng", "JFR"):
                sizes[f"{name}, gzip"] = sum(packed(file) for file in files)
        return sizes

    def readers(self, log):
        """Each reads all events of its form, and looks at them as far as it must; CPU seconds."""
        forms = self.forms(log)
        jobs = {}
        if "CTF by LTTng" in forms and self.has("babeltrace2"):
            jobs["babeltrace2, counts"] = ["babeltrace2", forms["CTF by LTTng"], "--component", "sink.utils.counter"]
        if "JFR" in forms:
            jobs["jfr summary"] = ["jfr", "summary", forms["JFR"]]
        if "SQLite" in forms:
            jobs["SQLite, a window"] = ["python3", SOURCES / "tables.py", "ask-sqlite", forms["SQLite"]]
        if "Parquet" in forms:
            jobs["DuckDB on Parquet, a window"] = [python(), SOURCES / "tables.py", "ask", forms["Parquet"]]
        if self.has("jq"):
            jobs["jq on NDJSON, counts"] = ["jq", "-n", "reduce inputs as $event (0; . + 1)", self.shop.form("ndjson", log)]
        return {name: lambda words=words: run(words).cpu for name, words in jobs.items()}


def packed(path):
    """The bytes that gzip makes of a file."""
    done = subprocess.run(["gzip", "-6c", path], stdout=subprocess.PIPE, check=True)
    return len(done.stdout)
