"""What the demo replaces, and what it leaves alone."""
import tempfile
import unittest
from argparse import Namespace
from pathlib import Path

from tracectl_spark import demo
from tracectl_spark.runs import UsageError


class DemoTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.output = Path(scratch.name)

    def play(self):
        return demo.play(Namespace(logs=10, seed=0, output=str(self.output), tracectl=None))

    def files(self):
        return {str(path.relative_to(self.output)): path.read_bytes() for path in self.output.rglob("*") if path.is_file()}

    def test_folders_that_no_demo_made_are_refused_and_stay(self):
        for name in ("logs", "tables"):
            (self.output / name).mkdir()
            (self.output / name / "mine.bin").write_bytes(b"mine")
            with self.assertRaisesRegex(UsageError, f"{name}: no demo made it.* choose another folder by -o"):
                self.play()
            self.assertEqual(self.files(), {f"{name}/mine.bin": b"mine"})
            (self.output / name / "mine.bin").unlink()

    def test_a_file_or_a_link_in_their_place_is_refused(self):
        (self.output / "logs").write_text("a list of logs")
        with self.assertRaisesRegex(UsageError, "no demo made it"):
            self.play()
        (self.output / "logs").unlink()
        (self.output / "tables").symlink_to(self.output / "nowhere")
        with self.assertRaisesRegex(UsageError, "no demo made it"):
            self.play()

    def test_a_demo_replaces_the_logs_of_another(self):
        (self.output / "logs").mkdir()
        logs, tables = self.play()
        self.assertEqual((logs, tables), (str(self.output / "logs"), str(self.output / "tables")))
        played = self.files()
        self.assertEqual(len([name for name in played if name.endswith(".bin")]), 10)
        (self.output / "logs" / f"day={demo.DAY}" / "left.bin").write_bytes(b"of a larger demo")
        (self.output / "tables" / "logs").mkdir()
        self.play()
        self.assertEqual(self.files(), played)


if __name__ == "__main__":
    unittest.main()
