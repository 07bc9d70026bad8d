"""One run of `tracectl export`, whose rows come as batches of Arrow."""
import io
import os
import subprocess
import tempfile
import threading

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json as arrow_json

BLOCK = 4 << 20
LOGS = "logs"
TOLD = pa.schema([("table", pa.string()), ("error", pa.string())])
"""What is read of each row, to know what tracectl tells of its logs."""


class TracectlError(RuntimeError):
    """tracectl did not do its work: the rows that it wrote are not all."""


def program(named=None):
    """The words that run tracectl: what is named, or TRACECTL, or the one on the PATH."""
    return [named or os.environ.get("TRACECTL") or "tracectl"]


def export(command, tables, schema, feed, folder=None):
    """Runs `command` for these tables in `folder`, gives it what `feed` writes, a log at least, and yields its
    rows as record batches.

    The table `logs` is always made, since it shows whether tracectl read anything; its rows are left out where
    `tables` lacks it.
    """
    command = command + ["--tables", ",".join(tables if LOGS in tables else [*tables, LOGS])]
    told = unread = 0
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=folder)
        except OSError as error:
            raise TracectlError(f"cannot run {command[0]}: {error.strerror}; name it by the option tracectl or "
                                "by the variable TRACECTL on every worker") from error
        feeder = _Feeder(process.stdin, feed)
        try:
            for block in _blocks(process.stdout):
                rows = _rows(block, schema)
                is_log = pc.equal(rows["table"], LOGS)
                reasons = rows["error"].filter(is_log)
                told += len(reasons)
                unread += len(reasons) - reasons.null_count
                rows = rows if LOGS in tables else rows.filter(pc.invert(is_log))
                yield from _batches(rows, schema)
            process.wait()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            process.stdout.close()
            feeder.join()
        _check(process.returncode, feeder.error, errors, told, unread)


def names(paths):
    """A feed of file names, a line each."""
    for path in paths:
        if "\n" in path:
            raise ValueError(f"{path!r}: a log whose name has a line break cannot be named to tracectl; rename it")

    def feed(pipe):
        pipe.write("".join(path + "\n" for path in paths).encode("utf-8", "surrogateescape"))

    return feed


class _Feeder(threading.Thread):
    """Writes to the program while its rows are read."""

    def __init__(self, pipe, feed):
        super().__init__(daemon=True)
        self.pipe, self.feed, self.error = pipe, feed, None
        self.start()

    def run(self):
        try:
            with self.pipe:
                self.feed(self.pipe)
        except BrokenPipeError:
            pass  # It ended before; its status says why.
        except Exception as error:  # The task tells it, with the program's own words.
            self.error = error


def _check(status, feed_error, errors, told, unread):
    """Its output is whole when it ends with 0, or with 3 and a log that could not be read, which is a row.

    It ends with 3 as well when it can read or write nothing: without such a row, that is what happened.
    """
    is_whole = {0: told > 0, 3: unread > 0}.get(status, False)
    if is_whole and feed_error is None:
        return
    errors.seek(0, os.SEEK_END)
    errors.seek(max(0, errors.tell() - 4000))
    said = errors.read().decode("utf-8", "replace").strip()
    if feed_error is not None:
        raise TracectlError(f"cannot give tracectl the logs: {feed_error}; it said: {said}") from feed_error
    how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
    how += {0: " and told of no log", 3: " and told of no log that cannot be read"}.get(status, "")
    raise TracectlError(f"tracectl {how}; its rows are not all. It said: {said}")


def _blocks(pipe):
    """Blocks of whole lines."""
    while block := pipe.read(BLOCK):
        yield block + pipe.readline()


def _rows(block, schema):
    """The rows of a block, with the columns of TOLD besides those that are asked for."""
    return arrow_json.read_json(
        io.BytesIO(block),
        read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(block) + 1),
        parse_options=arrow_json.ParseOptions(explicit_schema=pa.unify_schemas([schema, TOLD]), unexpected_field_behavior="ignore"))


def _batches(table, schema):
    return pa.Table.from_arrays([table[name] for name in schema.names], schema=schema).to_batches()
