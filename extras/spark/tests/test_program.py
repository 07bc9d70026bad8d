"""One run of a program: its rows, and how it fails."""
import os
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from tests.support import script
from tracectl_spark import program, schema
from tracectl_spark.tables import TABLES

ARROW = schema.of_arrow([("log", "text"), ("events", "integer"), ("ended", "boolean")])


class ProgramTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def rows(self, text, feed=lambda pipe: None, tables=("x", "logs")):
        command = [script(self.folder, "program", text)]
        return [row for batch in program.export(command, tables, ARROW, feed) for row in batch.to_pylist()]

    def test_lines_are_rows_and_what_is_left_out_is_null(self):
        rows = self.rows("""print('{"table":"logs","log":"a","events":9007199254740993}')
print('{"table":"x","log":"b","ended":true}')""")
        self.assertEqual(rows, [{"log": "a", "events": 9007199254740993, "ended": None},
                                {"log": "b", "events": None, "ended": True}])

    def test_logs_are_asked_for_and_their_rows_left_out_where_nobody_wants_them(self):
        text = """import sys
asked = sys.argv[sys.argv.index("--tables") + 1]
print('{"table":"logs","log":"a","events":7,"error":"cut"}')
print('{"table":"x","log":"%s"}' % asked)"""
        self.assertEqual([row["log"] for row in self.rows(text, tables=["x"])], ["x,logs"])
        self.assertEqual([row["log"] for row in self.rows(text, tables=["logs", "x"])], ["a", "logs,x"])
        self.assertEqual(self.rows(text.replace('"x"', '"logs"'), tables=["x"]), [])

    def test_the_columns_of_each_table_can_be_read_beside_those_of_logs(self):
        for table in TABLES:
            self.assertIn(("error", "text"), schema.columns([table, "logs"]))

    def test_many_blocks_are_read_whole(self):
        rows = self.rows("""for n in range(200_000): print('{"table":"logs","log":"%s","events":%d}' % ("x" * 60, n))""")
        self.assertEqual([row["events"] for row in rows], list(range(200_000)))

    def test_status_3_is_well_with_a_log_that_cannot_be_read(self):
        for tables in (["x"], ["x", "logs"]):
            rows = self.rows("""print('{"table":"logs","log":"a","error":"cut"}\\n{"table":"x","log":"b"}')
raise SystemExit(3)""", tables=tables)
            self.assertEqual([row["log"] for row in rows], ["b"] if tables == ["x"] else ["a", "b"])

    def test_status_3_without_such_a_log_is_an_error_with_the_programs_words(self):
        for printed in ("", """print('{"table":"logs","log":"a"}')"""):
            with self.assertRaisesRegex(program.TracectlError, "status 3 and told of no log that cannot be read.*TMPDIR"):
                self.rows(f"import sys\n{printed}\nsys.stderr.write('set TMPDIR')\nsys.exit(3)")

    def test_status_0_that_tells_of_no_log_is_an_error(self):
        for printed in ("", """print('{"table":"x","log":"a","error":"not of logs"}')"""):
            with self.assertRaisesRegex(program.TracectlError, "status 0 and told of no log; its rows are not all"):
                self.rows(printed)

    def test_other_statuses_are_errors_with_the_programs_words(self):
        with self.assertRaisesRegex(program.TracectlError, "ended with status 2; .*bad word"):
            self.rows("import sys\nprint('{\"table\":\"logs\",\"log\":\"a\"}')\nprint('bad word', file=sys.stderr)\nsys.exit(2)")

    def test_a_tracectl_that_has_no_room_is_an_error(self):
        """The program itself, which keeps standard input below TMPDIR."""
        command = program.program() + ["export", "--format", "ndjson", "-o", "-", "--config", "none", "-"]
        feed = program.names(["0s - process.start app"])
        with mock.patch.dict(os.environ, TMPDIR=str(self.folder / "nowhere")), \
                self.assertRaisesRegex(program.TracectlError, "set TMPDIR to a writable"):
            list(program.export(command, ["processes"], ARROW, feed))
        self.assertEqual(len(list(program.export(command, ["processes"], ARROW, feed))), 1)

    def test_a_program_that_is_killed_fails(self):
        with self.assertRaisesRegex(program.TracectlError, "killed by signal 9"):
            self.rows("import os\nprint('{\"log\":\"a\"}', flush=True)\nos.kill(os.getpid(), 9)")

    def test_a_program_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(program.TracectlError, "cannot run nowhere-at-all"):
            list(program.export(["nowhere-at-all"], ["x"], ARROW, lambda pipe: None))

    def test_what_cannot_be_fed_fails_although_the_program_is_content(self):
        def feed(pipe):
            raise OSError("the store is gone")
        with self.assertRaisesRegex(program.TracectlError, "the store is gone"):
            self.rows("import sys\nsys.stdin.read()", feed)

    def test_a_program_that_reads_nothing_is_no_error(self):
        self.assertEqual(self.rows("""print('{"table":"logs","log":"a"}')""", lambda pipe: pipe.write(b"x" * 10_000_000))[0]["log"], "a")

    def test_who_stops_reading_stops_the_program(self):
        text = f"""import os, sys
open({str(self.folder / "pid")!r}, "w").write(str(os.getpid()))
while True: print('{{"table":"logs","log":"a"}}')"""
        batches = program.export([script(self.folder, "endless", text)], ["logs"], ARROW, lambda pipe: None)
        next(batches)
        batches.close()
        pid = int((self.folder / "pid").read_text())
        for _ in range(100):
            if not os.path.exists(f"/proc/{pid}"):
                return
            time.sleep(0.05)
        self.fail("it still runs")

    def test_names_are_lines_and_a_line_break_in_one_is_refused(self):
        echo = "import sys, json\nfor line in sys.stdin: print(json.dumps({'table': 'logs', 'log': line[:-1]}))"
        names = ["a b.bin", "ü.bin", "-x.bin"]
        self.assertEqual([row["log"] for row in self.rows(echo, program.names(names))], names)
        with self.assertRaisesRegex(ValueError, "line break"):
            program.names(["a\nb.bin"])


if __name__ == "__main__":
    unittest.main()
