"""What is found in a folder, and how it is cut into tasks."""
import json
import tempfile
import unittest
from pathlib import Path

from tests.support import tracectl
from tracectl_spark import listing, page, schema
from tracectl_spark.report import version_key
from tracectl_spark.source import TracectlDataSource
from tracectl_spark.tables import SCHEMA, TABLES


class ListingTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def put(self, *names, size=10):
        for name in names:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"x" * size)

    def logs(self, *endings):
        return listing.Store(str(self.folder)).logs(*endings)

    def partitions(self, **options):
        source = TracectlDataSource(dict(options, path=str(self.folder)))
        return source.reader(source.schema()).partitions()

    def test_logs_and_reports_are_found_and_nothing_else(self):
        self.put("a.bin", "b/c.trace", "d.tar", "e.ips", "notes.txt", ".hidden/f.bin", "g.ndjson")
        self.assertEqual([log.path for log in self.logs()], ["a.bin", "b/c.trace", "e.ips", "g.ndjson"])
        self.assertEqual(len(self.logs("*")), 6)

    def test_parts_and_rings_stay_with_their_log(self):
        self.put("x.bin", "x.bin.1", "x.bin.12", "x.bin.ring", "y.bin.1", "x.bin.gz")
        (log,) = self.logs()
        self.assertEqual([name for name, _ in log.files], ["x.bin", "x.bin.1", "x.bin.12", "x.bin.ring"])
        self.assertEqual(log.size, 40)

    def test_a_file_by_itself_is_one_log_with_its_parts(self):
        self.put("x.bin", "x.bin.1", "z.bin")
        (log,) = listing.Store(str(self.folder / "x.bin")).logs()
        self.assertEqual([name for name, _ in log.files], ["x.bin", "x.bin.1"])

    def test_all_files_of_a_log_are_copied_under_their_names(self):
        self.put("in/a b/x.bin", "in/a b/x.bin.1", "in/ü.bin")
        store = listing.Store(str(self.folder / "in"))
        logs = store.logs()
        store.copy(logs, str(self.folder / "out"))
        self.assertEqual([[name for name, _ in log.files] for log in listing.Store(str(self.folder / "out")).logs()],
                         [["a b/x.bin", "a b/x.bin.1"], ["ü.bin"]])
        self.assertEqual((self.folder / "out/ü.bin").read_bytes(), b"x" * 10)

        (self.folder / "in/ü.bin").write_bytes(b"x")
        with self.assertRaisesRegex(OSError, "ü.bin: ends after 1 bytes; expected 10"):
            store.copy(logs, str(self.folder / "out"))
        with self.assertRaisesRegex(ValueError, "leads out of its folder"):
            store.copy([listing.Log("../x.bin", [("../x.bin", 1)])], str(self.folder / "out"))

    def test_tasks_have_so_many_bytes_and_logs_at_the_most(self):
        self.put(*[f"{n:02}.bin" for n in range(10)])
        sizes = [len(part.logs) for part in self.partitions(maxPartitionLogs="4")]
        self.assertEqual(sizes, [4, 4, 2])
        self.assertEqual([len(part.logs) for part in self.partitions(maxPartitionBytes="35")], [3, 3, 3, 1])
        self.assertEqual([len(part.logs) for part in self.partitions(minPartitions="2")], [5, 5])
        self.put("03.bin", size=1000)
        self.assertEqual([len(part.logs) for part in self.partitions(maxPartitionBytes="35")], [3, 1, 3, 3])

    def test_a_task_has_logs_of_one_folder_of_keys(self):
        self.put("day=2026-11-21/app=a/1.bin", "day=2026-11-21/app=b%20c/2.bin", "day=2026-11-22/app=a/3.bin")
        self.assertEqual([part.keys for part in self.partitions()], [
            {"day": "2026-11-21", "app": "a"}, {"day": "2026-11-21", "app": "b c"}, {"day": "2026-11-22", "app": "a"}])
        names = TracectlDataSource({"path": str(self.folder), "table": "logs"}).schema().names
        self.assertEqual((names[-1], names.count("app")), ("day", 1))

    def test_conditions_on_keys_choose_folders_where_spark_tells_them(self):
        self.put("day=1/a.bin", "day=2/b.bin", "day=3/c.bin")
        from tracectl_spark.source import ChoosingReader, Settings

        class EqualTo:
            def __init__(self, name, value):
                self.attribute, self.value = (name,), value

        class In(EqualTo):
            pass

        reader = ChoosingReader(Settings({"path": str(self.folder)}))
        other = EqualTo("process", 1)
        self.assertEqual(list(reader.pushFilters([In("day", ("2", "3")), other, EqualTo("day", "2")])), [other])
        self.assertEqual([part.keys for part in reader.partitions()], [{"day": "2"}])

    def test_what_is_wrong_is_said(self):
        self.put("process=1/a.bin")
        for options, words in [
            ({"table": "nothing"}, "no table 'nothing'"), ({"by": "mood"}, "names no cohort"),
            ({"maxPartitionLogs": "0"}, "whole number from 1"), ({"relative": "yes"}, "true or false"),
            ({"tables": "processes,spans"}, "'ended' is boolean"), ({}, "a column of numbers"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                self.partitions(**options)
        with self.assertRaisesRegex(FileNotFoundError, "no such folder"):
            TracectlDataSource({"path": str(self.folder / "none")}).schema()

    def test_a_folder_without_logs_is_an_error(self):
        self.put("notes.txt")
        with self.assertRaisesRegex(FileNotFoundError, "there is no log"):
            self.partitions()

    def test_the_tables_are_those_of_the_program(self):
        done = tracectl("query", "--schema", "--format", "json")
        if done.returncode != 0:
            self.skipTest("this tracectl has no query --schema")
        said = json.loads(done.stdout)
        self.assertEqual(said["schema"], SCHEMA)
        self.assertEqual(
            {table["name"]: [(column["name"], column["kind"], column["meaning"]) for column in table["columns"]]
             for table in said["tables"]}, TABLES)

    def test_summed_tables_have_the_cohort_in_place_of_the_log(self):
        self.assertEqual([name for name, _ in schema.columns(["rules"], ["app", "os"])],
                         ["app", "os", "rule", "severity", "verdict", "logs"])

    def test_versions_are_ordered_by_their_numbers(self):
        versions = ["4.10.0", None, "4.2", "4.9.1", "4.10.0-beta.2", "10.0", "4.10.0-beta.11"]
        self.assertEqual(sorted(versions, key=version_key),
                         [None, "4.2", "4.9.1", "4.10.0-beta.2", "4.10.0-beta.11", "4.10.0", "10.0"])

    def test_words_of_logs_do_nothing_to_a_terminal(self):
        self.assertEqual(page.inert("a\x1b[31m\u202eb"), "a\\u{1b}[31m\\u{202e}b")


if __name__ == "__main__":
    unittest.main()
