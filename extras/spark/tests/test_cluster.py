"""A cluster of one master and two workers on this machine, and a worker that is killed in the middle."""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

import pyspark

from tests.support import ordered, plain, play, script
from tracectl_spark import program

JOB = """
import json, sys
from tracectl_spark import session
spark = session.session(sys.argv[1], spark_ui_enabled="false", spark_driver_host="127.0.0.1", spark_executor_memory="512m",
                        spark_cores_max="2", spark_driver_bindAddress="127.0.0.1")
spark.sparkContext.setLogLevel("OFF")
frame = spark.read.format("tracectl").options(maxPartitionLogs="4", tracectl=sys.argv[3]).load(sys.argv[2])
print("begins", flush=True)
with open(sys.argv[4], "w") as file:
    json.dump([row.asDict() for row in frame.collect()], file)
spark.stop()
"""


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class ClusterTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.environment = dict(
            os.environ, PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1",
            SPARK_HOME=str(Path(pyspark.__file__).parent), SPARK_LOG_DIR=str(self.folder))

    def start(self, name, *arguments):
        """Starts a program of Spark in a group of its own, which ends with the test."""
        launcher = Path(pyspark.__file__).parent / "bin/spark-class"
        with open(self.folder / f"{name}.log", "w") as log:
            started = subprocess.Popen(
                [str(launcher), *map(str, arguments)], stdout=log, stderr=log, env=self.environment,
                start_new_session=True)
        self.addCleanup(self.end, started)
        return started

    def end(self, started):
        try:
            os.killpg(started.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # The test ended it.
        started.wait()

    def wait(self, what, holds, seconds=90):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                logs = "".join(path.read_text()[-1500:] for path in self.folder.glob("*.log"))
                self.fail(f"{what}: not within {seconds} s\n{logs}")
            time.sleep(0.2)

    def workers(self, page):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{page}/json/", timeout=2) as answer:
                return answer.read().decode().count('"ALIVE"') - 1
        except OSError:
            return 0

    def test_a_worker_that_is_killed_changes_no_row(self):
        play(self.folder / "logs", 40)
        port, page = free_port(), free_port()
        self.start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", port,
                   "--webui-port", page)
        self.wait("the master is up", lambda: b"" == self.touch(port))
        workers = [
            self.start(f"worker{number}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", 1,
                       "--memory", "600m", "--webui-port", free_port(), "--work-dir", self.folder / f"work{number}",
                       f"spark://127.0.0.1:{port}")
            for number in (1, 2)]
        self.wait("two workers are there", lambda: self.workers(page) == 2)

        # Each task marks that it began, and takes its time.
        marks = self.folder / "marks"
        marks.mkdir()
        slow = script(self.folder, "slow", f"""import os, sys, time
open({str(marks)!r} + "/" + str(os.getpid()), "w").close()
time.sleep(2)
real = {program.program()!r}
os.execvp(real[0], real + sys.argv[1:])""")
        out = self.folder / "rows.json"
        (self.folder / "job.py").write_text(JOB)
        environment = dict(self.environment, PYTHONPATH=str(Path(__file__).resolve().parent.parent))
        with open(self.folder / "job.log", "w") as log:
            job = subprocess.Popen(
                [sys.executable, str(self.folder / "job.py"), f"spark://127.0.0.1:{port}", str(self.folder / "logs"),
                 slow, str(out)], env=environment, stdout=log, stderr=log, start_new_session=True)
        self.addCleanup(self.end, job)
        self.wait("both workers have begun", lambda: len(list(marks.iterdir())) >= 3)
        os.killpg(workers[0].pid, signal.SIGKILL)
        workers[0].wait()
        self.wait("the job is done", lambda: job.poll() is not None, 180)
        self.assertEqual(job.returncode, 0, (self.folder / "job.log").read_text()[-3000:])
        self.assertGreater(len(list(marks.iterdir())), 10, "no task was run again")
        import json
        self.assertEqual(ordered(json.loads(out.read_text())), ordered(plain(self.folder / "logs", "processes")))

    def touch(self, port):
        """Whether something listens: the empty bytes when it does."""
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return b""
        except OSError:
            return None


if __name__ == "__main__":
    unittest.main()
