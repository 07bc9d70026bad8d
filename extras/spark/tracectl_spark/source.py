"""The data source `tracectl`: spark.read.format("tracectl").option("table", "processes").load("s3://…").

Options, of which none is needed but those that say what to read:

  table              the table; processes when nothing is said
  tables             several, separated by commas: one pass over the logs, and a column `table`
  by                 columns of logs, separated by commas: `durations` and `rules` are summed by them
  relative           true: logs have names relative to the path that is loaded
  tracectl           the program; TRACECTL or the PATH say it otherwise. It must be on every worker
  jobs               its threads in one task; 1, since Spark has many tasks
  config             a .tracectl.yml, on every worker; without it none is read, wherever a task runs
  endings            the endings of logs, separated by commas; * takes every file
  maxPartitionBytes  how much one task reads at the most: 134217728
  maxPartitionLogs   how many logs: 2000
  minPartitions      in how many parts to cut what is less: 1
  pushdown           true: conditions on the path's keys choose what is listed; pyspark 4.1 and
                     spark.sql.python.filterPushdown.enabled
"""
import os
import tempfile
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from tracectl_spark import listing, program, schema


@dataclass
class Part(InputPartition):
    """What one task reads: logs whose paths have the same keys."""

    logs: list
    keys: dict


class TracectlDataSource(DataSource):
    """Tables of logs; each task runs one tracectl."""

    @classmethod
    def name(cls):
        return "tracectl"

    def schema(self):
        return Settings(self.options).spark_schema

    def reader(self, schema):
        settings = Settings(self.options)
        if not settings.pushdown:
            return TracectlReader(settings)
        if not hasattr(DataSourceReader, "pushFilters"):
            raise ValueError("the option pushdown needs pyspark 4.1; leave it out, and load the folder that you mean")
        return ChoosingReader(settings)


class Settings:
    """The options, and what follows from them."""

    def __init__(self, options):
        if not options.get("path"):
            raise ValueError("load() needs the path of a folder of logs")
        self.place = options["path"]
        self.tables = _list(options.get("tables")) or [options.get("table", "processes")]
        self.by = _list(options.get("by"))
        self.is_relative = _truth(options, "relative")
        self.pushdown = _truth(options, "pushdown")
        self.endings = _list(options.get("endings")) or list(listing.ENDINGS)
        self.most_bytes = _number(options, "maxPartitionBytes", 128 << 20)
        self.most_logs = _number(options, "maxPartitionLogs", 2000)
        self.least_parts = _number(options, "minPartitions", 1)
        self.program = options.get("tracectl") or os.environ.get("TRACECTL")
        self.arguments = [
            "export", "--format", "ndjson", "-o", "-", "--jobs", str(_number(options, "jobs", 1))]
        config = options.get("config")
        self.arguments += ["--config", config or "none"]
        if self.by:
            self.arguments += ["--by", ",".join(self.by)]

        self.columns = schema.columns(self.tables, self.by)
        kinds = dict(self.columns)
        self.keys = listing.Store(self.place).keys()
        self.own_keys = [key for key in self.keys if key not in kinds]
        for key in self.keys:
            if kinds.get(key, "text") != "text":
                raise ValueError(f"{self.place}: the key {key}= of the path is a column of numbers in "
                                 f"{', '.join(self.tables)}; rename the folders")

    @property
    def command(self):
        """What a task runs; a worker may know the program where the driver does not."""
        return program.program(self.program) + self.arguments

    @property
    def spark_schema(self):
        return schema.of_spark(self.columns + [(key, "text") for key in self.own_keys])


class TracectlReader(DataSourceReader):
    """Lists logs, and reads them."""

    def __init__(self, settings):
        self.settings = settings
        self.wanted = {}

    def partitions(self):
        settings = self.settings
        store = listing.Store(settings.place)
        logs = store.logs(settings.endings)
        if not logs:
            raise FileNotFoundError(f"{settings.place}: there is no log; logs end in {', '.join(settings.endings)}")
        chosen = {}
        for log in logs:
            keys = listing.path_keys(store.path(log.path).rsplit("/", 1)[0])
            if all(keys.get(key) in values for key, values in self.wanted.items()):
                chosen.setdefault(tuple((key, keys.get(key)) for key in settings.keys), []).append(log)
        most = min(settings.most_logs, -(-len(logs) // settings.least_parts))
        return [
            Part(packed, dict(keys))
            for keys, group in sorted(chosen.items(), key=lambda item: item[1][0].path)
            for packed in listing.pack(group, settings.most_bytes, most)]

    def read(self, partition):
        settings = self.settings
        store = listing.Store(settings.place)
        rows = self._copied if store.is_remote else self._rows
        for batch in rows(store, partition.logs, store.root):
            yield self._with_keys(batch, partition.keys)

    def _rows(self, store, logs, folder):
        """The rows of logs that lie in a folder of this machine."""
        settings = self.settings
        paths = [log.path if settings.is_relative else f"{folder.rstrip('/')}/{log.path}" for log in logs]
        return program.export(settings.command + ["--files-from", "-"], settings.tables,
                              schema.of_arrow(settings.columns), program.names(paths), folder)

    def _copied(self, store, logs, _):
        """The same of logs that lie elsewhere: their copies in a temporary folder, under their own names."""
        with tempfile.TemporaryDirectory(prefix="tracectl-") as folder:
            store.copy(logs, folder)
            for batch in self._rows(store, logs, folder):
                yield _renamed(batch, folder, store.name)

    def _with_keys(self, batch, keys):
        """The columns of the path's keys; where the log itself has such a column, what it says comes first."""
        arrays = dict(zip(batch.schema.names, batch.columns))
        for key, value in keys.items():
            constant = pa.array([value], pa.string()).take(pa.array([0] * batch.num_rows, pa.int64()))
            arrays[key] = pc.coalesce(arrays[key], constant) if key in arrays else constant
        return pa.RecordBatch.from_arrays(list(arrays.values()), list(arrays))


class ChoosingReader(TracectlReader):
    """The same, where Spark tells it conditions: those on keys of the path choose the folders."""

    def pushFilters(self, filters):
        for condition in filters:
            values = self._values(condition)
            if values is None:
                yield condition
            else:
                key = condition.attribute[0]
                self.wanted[key] = self.wanted.get(key, set(values)) & set(values)

    def _values(self, condition):
        """What a key of the path must be; `None` for another condition."""
        if len(condition.attribute) != 1 or condition.attribute[0] not in self.settings.own_keys:
            return None
        kind = type(condition).__name__
        return {"EqualTo": lambda: [condition.value], "In": lambda: list(condition.value)}.get(kind, lambda: None)()


def _renamed(batch, folder, name):
    """Names of logs that lie in a folder, as they are elsewhere; relative names stay."""
    for column in ("log", "error"):
        place = batch.schema.get_field_index(column)
        if place >= 0:
            words = pc.replace_substring(batch.column(place), folder + "/", name.rstrip("/") + "/")
            batch = batch.set_column(place, batch.schema.field(place), words)
    return batch


def _list(text):
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def _truth(options, name):
    text = options.get(name, "false").lower()
    if text not in ("true", "false"):
        raise ValueError(f"the option {name} is true or false, not {text!r}")
    return text == "true"


def _number(options, name, otherwise):
    text = options.get(name)
    if text is None:
        return otherwise
    if not text.isdigit() or int(text) == 0:
        raise ValueError(f"the option {name} is a whole number from 1, not {text!r}")
    return int(text)
