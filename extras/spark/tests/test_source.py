"""The data source in Spark on this machine, against what tracectl itself writes."""
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.support import SparkTests, ordered, plain, play, script
from tracectl_spark import listing, program
from tracectl_spark.source import TracectlDataSource

TABLES = ["logs", "processes", "events", "spans", "states", "findings", "witnesses", "rules", "gaps", "durations",
          "writers"]


class SourceTests(SparkTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.logs = cls.folder / "logs"
        play(cls.logs / "a", 15)
        play(cls.logs / "b", 5, first=15)

    def test_rows_are_those_of_tracectl(self):
        """Four tasks, and one log among twenty that is damaged."""
        together = self.read(self.logs, tables="logs,processes,findings,rules,durations", maxPartitionLogs="5")
        for table in ["logs", "processes", "findings", "rules", "durations"]:
            rows = [{k: v for k, v in row.items() if k != "table"} for row in together if row["table"] == table]
            self.assertEqual(ordered(rows), ordered(plain(self.logs, table)), table)
        errors = [row["log"] for row in together if row["table"] == "logs" and row["error"]]
        self.assertEqual(errors, [str(self.logs / "a/0014.bin")])


class AllSourceTests(SourceTests):
    def test_each_table_is_that_of_tracectl(self):
        for table in TABLES:
            self.assertEqual(ordered(self.read(self.logs, table=table)), ordered(plain(self.logs, table)), table)

    def test_cohorts_of_all_tasks_add_up_to_those_of_tracectl(self):
        by = ["app", "version", "os"]
        for table, number in (("rules", "logs"), ("durations", "count")):
            sums = {}
            for row in self.read(self.logs, table=table, by=",".join(by), maxPartitionLogs="5"):
                count = row.pop(number)
                key = tuple(row.items())
                sums[key] = sums.get(key, 0) + count
            rows = [dict(key, **{number: count}) for key, count in sums.items()]
            self.assertEqual(ordered(rows), ordered(plain(self.logs, table, by)), table)

    def test_a_name_relative_to_the_folder_is_the_same_wherever_it_lies(self):
        other = self.folder / "moved"
        shutil.copytree(self.logs, other)
        self.assertEqual(self.read(self.logs, relative="true"), self.read(other, relative="true"))

    def test_keys_of_the_path_are_columns_and_the_logs_own_word_comes_first(self):
        place = self.folder / "keyed"
        for day, logs in (("2026-11-21", "a"), ("2026-11-22", "b")):
            shutil.copytree(self.logs / logs, place / f"day={day}/version=0.1")
        rows = self.read(place, table="logs")
        self.assertEqual({(row["day"], row["version"]) for row in rows if not row["error"]},
                         {(day, version) for day in ("2026-11-21", "2026-11-22") for version in ("4.9.0", "4.10.0")})
        self.assertEqual({row["version"] for row in rows if row["error"]}, {"0.1"})
        frame = self.spark.read.format("tracectl").load(str(place)).where("day = '2026-11-22'")
        self.assertEqual(frame.count(), len(plain(place / "day=2026-11-22", "processes")))

    def test_a_program_that_dies_fails_the_job_with_its_words(self):
        bad = script(self.folder, "bad", "import sys\nprint('no space', file=sys.stderr)\nsys.exit(7)")
        with self.assertRaisesRegex(Exception, "ended with status 7.*no space"):
            self.read(self.logs, tracectl=bad)

    def test_a_program_that_dies_once_is_run_again(self):
        """Spark runs a task again where it is told to; local mode tells it not to, so the task is run by hand."""
        once = script(self.folder, "once", f"""import os, sys
flag = {str(self.folder / "flag")!r}
if not os.path.exists(flag):
    open(flag, "w").close()
    print('{{"table":"processes","log":"half"}}', flush=True)
    os.kill(os.getpid(), 9)
real = {program.program()!r}
os.execvp(real[0], real + sys.argv[1:])""")
        source = TracectlDataSource({"path": str(self.logs), "tracectl": once})
        reader = source.reader(source.schema())
        (part,) = reader.partitions()
        with self.assertRaisesRegex(program.TracectlError, "signal 9"):
            list(reader.read(part))
        rows = [row for batch in reader.read(part) for row in batch.to_pylist()]
        self.assertEqual(ordered(rows), ordered(plain(self.logs, "processes")))


class ElsewhereStore(listing.Store):
    """A folder that is treated as if it were a bucket: pyarrow.fs is the same for both."""

    def __init__(self, place):
        super().__init__(place)
        self.is_remote, self.name = True, "s3://logs"


class ElsewhereTests(unittest.TestCase):
    """Logs that tracectl cannot open itself are copied into a temporary folder."""

    def rows(self, place, **options):
        with mock.patch.object(listing, "Store", ElsewhereStore):
            source = TracectlDataSource(dict(options, path=str(place)))
            reader = source.reader(source.schema())
            parts = reader.partitions()
            return parts, [row for part in parts for batch in reader.read(part) for row in batch.to_pylist()]

    def test_rows_are_those_of_the_folder(self):
        with tempfile.TemporaryDirectory() as scratch:
            logs = Path(scratch) / "logs"
            play(logs / "a", 8)
            parts, found = self.rows(logs, tables="logs,processes,findings,rules,durations", maxPartitionLogs="5")
            self.assertEqual([len(part.logs) for part in parts], [5, 3])
            for table in ("logs", "processes", "findings", "rules", "durations"):
                rows = [{k: v for k, v in row.items() if k != "table"} for row in found if row["table"] == table]
                wanted = [
                    {name: value.replace(str(logs), "s3://logs") if isinstance(value, str) else value
                     for name, value in row.items()}
                    for row in plain(logs, table)]
                self.assertEqual(ordered(rows), ordered(wanted), table)
            _, found = self.rows(logs, table="processes", relative="true")
            self.assertIn("a/0000.bin", {row["log"] for row in found})
            _, found = self.rows(logs, table="logs", relative="true")
            self.assertEqual([row["log"] for row in found if row["error"]], ["a/0007.bin"])


if __name__ == "__main__":
    unittest.main()
