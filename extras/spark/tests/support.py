"""What tests share: logs that tracectl plays, a session of Spark, and rows that can be compared."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from string import Template

from tracectl_spark import demo, program

ROOT = Path(__file__).resolve().parent.parent
COHORTS = [{"version": version, "build": build, "device": device, "os": system}
           for version, build in (("4.9.0", 811), ("4.10.0", 902))
           for device, system in (("iPhone15,2", "18.2"), ("iPad14,3", "26.0"))]
SCENARIOS = ["leave", "leak", "glance", "lock", "push", "slow", "timer"]


def tracectl(*arguments, **options):
    """Runs tracectl; returns what it printed."""
    return subprocess.run(program.program() + [str(word) for word in arguments], capture_output=True, **options)


def play(folder, count, first=0):
    """Plays so many logs into a folder; the last of more than five is cut."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + count):
        cohort = dict(COHORTS[number % len(COHORTS)], install=f"{number:016x}")
        scenario = Template((demo.SCENARIOS / f"{SCENARIOS[number % len(SCENARIOS)]}.yml").read_text())
        done = tracectl("simulate", "-", "--seed", number, "-q", "--replace", "-o", folder / f"{number:04}.bin",
                        input=scenario.substitute(cohort).encode())
        if done.returncode:
            raise AssertionError(done.stderr.decode())
    if count > 5:
        damage(folder / f"{first + count - 1:04}.bin")


def damage(log):
    log.write_bytes(b"no log" + log.read_bytes()[6:200])


def script(folder, name, text):
    """A program for tests, in Python."""
    path = Path(folder) / name
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(0o755)
    return str(path)


def plain(place, table, by=()):
    """The rows that tracectl itself writes."""
    with tempfile.TemporaryDirectory() as out:
        more = ["--by", ",".join(by)] if by else []
        done = tracectl("export", place, "--tables", table, "--format", "ndjson", "-o", out, "--config", "none", *more)
        if done.returncode not in (0, 3):
            raise AssertionError(done.stderr.decode())
        return [json.loads(line) for line in Path(out, f"{table}.ndjson").read_text().split("\n") if line]


def ordered(rows):
    """Rows in an order of their own, without what is NULL."""
    full = [{name: value for name, value in row.items() if value is not None} for row in rows]
    return sorted(full, key=lambda row: json.dumps(row, sort_keys=True))


class SparkTests(unittest.TestCase):
    """Tests that share a session with two threads, and a folder."""

    @classmethod
    def setUpClass(cls):
        from tracectl_spark import session
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        cls.spark = session.session("local[2]", spark_ui_enabled="false", spark_driver_host="127.0.0.1")
        cls.spark.sparkContext.setLogLevel("OFF")
        warnings.simplefilter("ignore", ResourceWarning)  # Those of pyspark's own sockets.

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def read(self, place, **options):
        frame = self.spark.read.format("tracectl").options(**options).load(str(place))
        return [row.asDict() for row in frame.collect()]
