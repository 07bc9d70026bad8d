"""The questions over tables that are written by hand, so that each answer is known."""
import tempfile
import unittest

import pyarrow as pa
import pyarrow.parquet

from tracectl_spark import engines, runs, schema, statistics
from tracectl_spark.report import report

DAY = "2026-11-21"
APP = "com.example.notes"


def log(name, version, **more):
    return dict({"log": name, "id": name, "events": 10, "ts": 1, "dur": 100, "app": APP, "version": version}, **more)


def process(name, normal=None, ended=True, **more):
    return dict({"log": name, "process": 1, "ended": ended, "normal": normal, "awake": 3_600_000_000_000,
                 "rules_told": 3, "rules_untold": 1}, **more)


def finding(name, fingerprint="f", **more):
    return dict({"log": name, "finding": 1, "rule": "r", "severity": "error", "message": "m", "fingerprint": fingerprint,
                 "process": 1}, **more)


class QuestionTests(unittest.TestCase):
    def report(self, more=None, **tables):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        for table in runs.TABLES:
            arrow = schema.of_arrow(schema.columns([table], runs.BY))
            place = f"{scratch.name}/{table}/day={DAY}"
            pa.fs.LocalFileSystem().create_dir(place)
            pyarrow.parquet.write_table(pa.Table.from_pylist(tables.get(table, []), schema=arrow), f"{place}/x.parquet")
        return report(engines.engine("duckdb", scratch.name), **(more or {}))

    def test_deaths_are_what_the_log_knows_to_be_one(self):
        """Of five sessions two die, one ends unclearly, one normally, and one goes on; each was awake for an hour."""
        names = "abcde"
        found = self.report(
            logs=[log(name, "1.0") for name in names],
            processes=[process("a", normal=False), process("b", normal=False), process("c"),
                       process("d", normal=True), process("e", ended=False)])
        (release,) = found["releases"]
        self.assertEqual((release["sessions"], release["deaths"], release["unclear"], release["per_1000"]), (5, 2, 1, 400))
        self.assertEqual((release["hours"], release["per_100_h"], release["told"]), (5, 40, 0.75))
        self.assertEqual(release["per_1000_low"], 1000 * statistics.wilson(2, 5)[0])
        self.assertEqual(release["per_100_h_high"], 20 * statistics.poisson(2)[1])

    def test_a_copy_counts_once_and_parts_of_a_log_each(self):
        found = self.report(
            logs=[log("a", "1.0"), log("copy", "1.0", id="a"), log("part", "1.0", id="a", ts=200),
                  log("unread", None, id=None, events=None, ts=None, dur=None, app=None, error="no log")],
            processes=[process("a", normal=False), process("copy", normal=False), process("part", normal=False)],
            findings=[finding("a"), finding("copy"), finding("part")])
        self.assertEqual((found["releases"][0]["sessions"], found["copies"]), (2, 1))
        self.assertEqual((found["causes"][0]["sessions"], found["causes"][0]["logs"]), (2, 2))
        self.assertEqual([row["log"] for row in found["unread"]], ["unread"])

    def test_causes_count_sessions_and_not_occurrences(self):
        found = self.report(
            logs=[log("a", "1.0"), log("b", "1.0")], processes=[process("a"), process("a", process=2), process("b")],
            findings=[finding("a", "often", occurrences=1000), finding("a", "often", finding=2),
                      finding("a", "wide"), finding("a", "wide", process=2), finding("b", "wide"),
                      finding("b", "under", parent=1), finding("b", "known", accepted=True)])
        self.assertEqual([(row["fingerprint"], row["sessions"], row["logs"]) for row in found["causes"]],
                         [("wide", 3, 2), ("often", 1, 1)])

    def test_what_could_not_be_told_is_no_denominator(self):
        """Ten logs each; to one of release 1.0 the rule does not apply; of 2.0 only six could tell, and all have the cause."""
        cohort = {"app": APP, "rule": "r", "severity": "error"}
        found = self.report(
            logs=[log(f"{version}/{number}", version) for version in ("1.0", "2.0") for number in range(10)],
            processes=[process(f"{version}/{number}") for version in ("1.0", "2.0") for number in range(10)],
            findings=[finding(f"2.0/{number}") for number in range(6)],
            rules=[dict(cohort, version="1.0", verdict="satisfied", logs=9),
                   dict(cohort, version="1.0", verdict="not-applicable", logs=1),
                   dict(cohort, version="2.0", verdict="violated", logs=6),
                   dict(cohort, version="2.0", verdict="cannot-tell", logs=4)])
        (change,) = found["changes"]
        self.assertEqual((change["a_logs"], change["a_able"], change["b_logs"], change["b_able"]), (0, 9, 6, 6))
        self.assertEqual(change["p"], statistics.fisher(0, 9, 6, 6))
        self.assertEqual([(row["version"], row["untold"], row["logs"], row["percent"]) for row in found["untold"]],
                         [("2.0", 4, 10, 40)])

    def test_a_log_that_has_the_cause_is_one_that_could_tell(self):
        """Sums by cohort lack the logs of 2.0, and three of the five of 1.0."""
        found = self.report(
            logs=[log(f"{version}/{number}", version) for version in ("1.0", "2.0") for number in range(5)],
            processes=[process("1.0/0"), process("2.0/0")],
            findings=[finding(f"{version}/{number}") for version in ("1.0", "2.0") for number in range(5)],
            rules=[{"app": APP, "rule": "r", "severity": "error", "version": "1.0", "verdict": "violated", "logs": 2}])
        (change,) = found["changes"]
        self.assertEqual((change["a_logs"], change["a_able"], change["b_logs"], change["b_able"]), (5, 5, 5, 5))
        self.assertEqual(change["change"], "chance")

    def test_a_session_is_of_the_release_that_its_process_states(self):
        """A log that spans an update ends with 2.0 on 26.0; its first process, which died, was of 1.0 on 18.2."""
        found = self.report(
            logs=[log("a", "2.0", os="26.0", device="phone"), log("b", "1.0", os="18.2", device="phone")],
            processes=[process("a", normal=False, version="1.0", build="1", os="18.2"),
                       process("a", process=2, normal=True), process("b", normal=True)])
        self.assertEqual([(row["version"], row["sessions"], row["deaths"]) for row in found["releases"]],
                         [("1.0", 2, 1), ("2.0", 1, 0)])
        self.assertEqual([(row["version"], row["os"], row["device"], row["sessions"], row["logs"]) for row in found["cohorts"]],
                         [("1.0", "18.2", "phone", 2, 2), ("2.0", "26.0", "phone", 1, 1)])

    def test_percentiles_are_those_of_summed_buckets(self):
        def bucket(version, start, count, system):
            return {"app": APP, "version": version, "os": system, "kind": "callback", "name": "c", "bucket": start,
                    "count": count}

        rows = [bucket("1.0", 10_000_000, 50, "18"), bucket("1.0", 10_000_000, 45, "26"), bucket("1.0", 20_000_000, 5, "26"),
                bucket("2.0", 10_000_000, 70, "18"), bucket("2.0", 40_000_000, 30, "26")]
        found = self.report(logs=[log("a", "1.0"), log("b", "2.0")], processes=[process("a"), process("b")], durations=rows)
        (row,) = found["slower"]
        self.assertEqual((row["a_p95_ms"], row["b_p95_ms"], row["a_count"], row["b_count"]), (10, 40, 100, 100))
        self.assertEqual((row["a_above"], row["b_above"], row["change"]), (5, 30, "slower"))

    def test_one_app_at_a_time(self):
        logs = [log("a", "1.0"), log("b", "7.0", app="com.example.other"), log("c", "7.0", app=None)]
        rows = [process("a"), process("b"), process("c")]
        with self.assertRaisesRegex(runs.UsageError, "several apps"):
            self.report(logs=logs, processes=rows)
        found = self.report({"app": "com.example.other"}, logs=logs, processes=rows)
        self.assertEqual([row["version"] for row in found["releases"]], ["7.0"])


if __name__ == "__main__":
    unittest.main()
