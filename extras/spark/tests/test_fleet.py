"""The command tracectl-fleet, from logs to a report."""
import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import pyarrow.dataset

from tests.support import SparkTests, ordered, plain, play, script
from tracectl_spark import engines, fleet, page, runs, session
from tracectl_spark.report import report

DAY = "2026-11-21"


def tables(out, day=DAY):
    """All rows of a day."""
    return {table: ordered(pyarrow.dataset.dataset(f"{out}/{table}/day={day}").to_table().to_pylist())
            for table in runs.TABLES}


class FleetTests(SparkTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.logs = cls.folder / "logs"
        play(cls.logs / f"day={DAY}", 30)
        play(cls.logs / "day=2026-11-22", 4, first=30)
        cls.out = str(cls.folder / "out")
        cls.counts = runs.run(cls.spark, str(cls.logs), cls.out, DAY)

    def test_the_tables_are_those_of_tracectl(self):
        folder = self.logs / f"day={DAY}"
        written = tables(self.out)
        for table in ("logs", "processes", "findings"):
            wanted = [
                {name: value.replace(f"{folder}/", "") if isinstance(value, str) else value for name, value in row.items()}
                for row in plain(folder, table)]
            self.assertEqual(written[table], ordered(wanted), table)
        for table in ("rules", "durations"):
            self.assertEqual(written[table], ordered(plain(folder, table, runs.BY)), table)
        self.assertEqual((self.counts["logs"], self.counts["unread"]), (30, 1))

    def test_a_rerun_gives_the_same_and_leaves_other_days_alone(self):
        before = tables(self.out)
        runs.run(self.spark, str(self.logs), self.out, "2026-11-22")
        other = tables(self.out, "2026-11-22")
        runs.run(self.spark, str(self.logs), self.out, DAY, options={"maxPartitionLogs": "7"})
        self.assertEqual(tables(self.out), before)
        self.assertEqual(tables(self.out, "2026-11-22"), other)
        shutil.rmtree(f"{self.out}/findings/day=2026-11-22")
        for table in runs.TABLES:
            shutil.rmtree(f"{self.out}/{table}/day=2026-11-22", ignore_errors=True)

    def test_a_run_that_fails_leaves_what_was_there(self):
        before = tables(self.out)
        bad = script(self.folder, "bad", "import sys\nsys.exit(7)")
        with self.assertRaises(Exception):
            runs.run(self.spark, str(self.logs), self.out, DAY, options={"tracectl": bad})
        Path(self.out, f"_run-{DAY}", "processes").mkdir(parents=True)
        self.assertEqual(tables(self.out), before)
        runs.run(self.spark, str(self.logs), self.out, DAY)
        self.assertEqual(tables(self.out), before)
        self.assertFalse(Path(self.out, f"_run-{DAY}").exists())

    def test_both_engines_answer_alike(self):
        with mock.patch.object(session, "session", lambda *rest, **settings: self.spark):
            found = [report(engines.engine(name, self.out, [DAY])) for name in ("duckdb", "spark")]
        for answer in found:
            answer.pop("engine")
        self.assertEqual(*found)
        self.assertEqual([row["version"] for row in found[0]["releases"]], ["4.9.0", "4.10.0"])
        self.assertEqual((found[0]["before"], found[0]["after"]), ("4.9.0", "4.10.0"))
        self.assertEqual([row["log"] for row in found[0]["unread"]], ["0029.bin"])
        sessions = sum(row["sessions"] for row in found[0]["releases"])
        self.assertEqual(sessions, len(plain(self.logs / f"day={DAY}", "processes")))

    def test_a_log_that_was_sent_twice_counts_once(self):
        logs = self.folder / "twice"
        shutil.copytree(self.logs / f"day={DAY}", logs)
        shutil.copy(logs / "0001.bin", logs / "again.bin")
        out = str(self.folder / "twice-out")
        runs.run(self.spark, str(logs), out, DAY)
        once, twice = (report(engines.engine("duckdb", place, [DAY])) for place in (self.out, out))
        self.assertEqual([row["sessions"] for row in once["releases"]], [row["sessions"] for row in twice["releases"]])
        self.assertEqual((once["copies"], twice["copies"]), (0, 1))

    def test_wrong_usage_says_what_to_do(self):
        for arguments, words in [
            (["run", self.logs, self.out, "--day", "today"], "a day is such as"),
            (["run", self.logs, self.out, "--day", "2026-11-23"], "has no folder day=2026-11-23"),
            (["run", self.logs / f"day={DAY}", self.out, "--day", "2026-11-22"], f"holds day {DAY}"),
            (["run", self.logs, self.out, "--day", DAY, "--by", "os"], "lacks app and version"),
            (["report", self.out, "--app", "none"], "there are com.example.notes"),
            (["report", self.out, "--to-version", "9"], "there is no such release; there are 4.9.0, 4.10.0"),
            (["report", self.out, "--day", "2020-01-01"], "no log of these days"),
            (["report", str(self.folder / "nowhere")], "no such folder"),
        ]:
            said = io.StringIO()
            with mock.patch.object(session, "session", lambda *rest, **settings: self.spark), \
                    contextlib.redirect_stderr(said), self.assertRaises(SystemExit):
                fleet.main([str(word) for word in arguments])
            self.assertIn(words, said.getvalue())


class ManyFleetTests(SparkTests):
    def test_what_is_planted_in_the_newest_release_is_what_is_told(self):
        """One session in fifty of 4.10.0 leaks a task; of 2,000 sessions some 16 do."""
        said = io.StringIO()
        out = self.folder / "demo"
        with mock.patch.object(session, "session", lambda *rest, **settings: self.spark), \
                mock.patch.object(self.spark, "stop", lambda: None), contextlib.redirect_stdout(said):
            fleet.main(["demo", "--logs", "2000", "-o", str(out), "--html", str(self.folder / "page.html")])
        found = report(engines.engine("duckdb", str(out / "tables")))
        first = found["changes"][0]
        self.assertEqual((first["rule"], first["change"], first["a_logs"]), ("task-leak-at-suspend", "more", 0))
        self.assertLess(first["q"], 0.05)
        self.assertEqual([row["rule"] for row in found["changes"][1:] if row["change"] == "more"], [])
        self.assertEqual(len(found["unread"]), 1)
        self.assertIn("MORE", said.getvalue())
        self.assertIn('<tr class="more">', (self.folder / "page.html").read_text())


class PageTests(unittest.TestCase):
    FOUND = {
        "app": "a<b>", "engine": "duckdb", "before": "1.0", "after": "2.0", "days": ["2026-11-21"],
        "releases": [{
            "version": "<script>alert(1)</script>", "sessions": 10, "deaths": 1, "unclear": 2, "hours": 1.0,
            "per_1000": 100.0, "per_1000_low": 17.9, "per_1000_high": 404.2, "per_100_h": 100.0, "per_100_h_low": 2.5,
            "per_100_h_high": 557.2, "told": 0.5}],
        "deaths": None, "causes": [], "changes": [], "slower": [], "untold": [], "cohorts": [], "copies": 0,
        "unread": [{"log": "x\x1b[2J", "day": "2026-11-21", "error": "is <damaged> & cut"}]}

    def test_what_logs_say_is_shown_and_not_obeyed(self):
        made = page.html(self.FOUND)
        self.assertNotIn("<script", made)
        self.assertNotIn("\x1b", made + page.text(self.FOUND))
        self.assertIn("is &lt;damaged&gt; &amp; cut", made)
        self.assertIn("default-src 'none'", made)

    def test_the_text_tells_what_is_unclear_and_what_could_not_be_told(self):
        text = page.text(self.FOUND)
        self.assertIn("Of an unclear end the log does not tell whether it is a death; it is not counted as one.", text)
        self.assertIn("50.0 %", text)
        self.assertIn("Logs that could not be read, or not to their end: 1", text)


if __name__ == "__main__":
    unittest.main()
