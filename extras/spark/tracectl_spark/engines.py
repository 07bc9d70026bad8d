"""What answers questions over a fleet's tables: DuckDB where it is there, else Spark. Both run the same SQL."""
import importlib.util
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset

from tracectl_spark import listing, schema
from tracectl_spark.tables import TABLES

QUESTIONS = Path(__file__).with_name("questions")

VIEWS = {
    # A log that was sent twice counts once. Parts of a log share its id, and differ in what they span.
    "logs": """
        select * from (
          select r.*, row_number() over (
            partition by coalesce(r.id, concat(r.day, ' ', r.log)), r.ts, r.dur, r.events order by r.day, r.log) as copy
          from received r join chosen c on c.app = coalesce(r.app, '')
        ) as copies where copy = 1""",
    "processes": "select p.* from all_processes p join logs l on l.day = p.day and l.log = p.log",
    "findings": "select f.* from all_findings f join logs l on l.day = f.day and l.log = f.log",
    "rules": "select r.* from all_rules r join chosen c on c.app = coalesce(r.app, '')",
    "durations": "select d.* from all_durations d join chosen c on c.app = coalesce(d.app, '')",
}
"""What the questions ask, over the tables as they were written."""

WRITTEN = {"logs": "received", "processes": "all_processes", "findings": "all_findings", "rules": "all_rules",
           "durations": "all_durations"}
"""The tables that `tracectl-fleet run` writes, and what the views call them."""


def question(name):
    """The SQL of a question."""
    return QUESTIONS.joinpath(name + ".sql").read_text()


def columns(table):
    """What is read of a table: of those that are summed, what every cohort has."""
    if table in schema.SUMMED:
        return schema.columns([table], ["app", "version"])
    return [(name, kind) for name, kind, _ in TABLES[table]]


def _plain(table):
    """Rows of plain numbers: sums come as decimals."""
    def number(value):
        if not isinstance(value, Decimal):
            return value
        return int(value) if value.as_tuple().exponent >= 0 else float(value)

    return [{name: number(value) for name, value in row.items()} for row in table.to_pylist()]


class Engine:
    """Tables of a fleet, of one app and of some days."""

    def __init__(self, place, days=()):
        for table, view in WRITTEN.items():
            self.open(view, place.rstrip("/") + "/" + table, columns(table) + [("day", "text")], list(days))

    def choose(self, app):
        """The app that is asked about; the empty name stands for logs that state none."""
        self.give("chosen", pa.table({"app": [app]}))
        for name, sql in VIEWS.items():
            self.view(name, sql)

    def ask(self, name):
        """The rows that answer a question."""
        return self.rows(question(name))


class DuckDB(Engine):
    """In this process; reads what pyarrow.fs reads."""

    name = "duckdb"

    def __init__(self, place, days=()):
        import duckdb
        self.connection = duckdb.connect()
        super().__init__(place, days)

    def open(self, view, place, columns, days):
        store = listing.Store(place)
        day = pyarrow.dataset.partitioning(pa.schema([("day", pa.string())]), flavor="hive")
        data = pyarrow.dataset.dataset(
            store.root, schema=schema.of_arrow(columns), filesystem=store.files, format="parquet", partitioning=day)
        if days:
            data = data.filter(pyarrow.dataset.field("day").isin(days))
        self.connection.register(view, data)

    def give(self, name, table):
        self.connection.register(name, table)

    def view(self, name, sql):
        self.connection.execute(f"create or replace view {name} as {sql}")

    def rows(self, sql):
        return _plain(self.connection.sql(sql).to_arrow_table())


class Spark(Engine):
    """On a cluster; reads what Spark reads."""

    name = "spark"

    def __init__(self, place, days=(), session=None):
        from tracectl_spark import session as sessions
        self.spark = session or sessions.session()
        super().__init__(place, days)

    def open(self, view, place, columns, days):
        frame = self.spark.read.schema(schema.of_spark(columns)).parquet(place)
        if days:
            frame = frame.where(frame.day.isin(days))
        frame.createOrReplaceTempView(view)

    def give(self, name, table):
        self.spark.createDataFrame(table).createOrReplaceTempView(name)

    def view(self, name, sql):
        self.spark.sql(sql).createOrReplaceTempView(name)

    def rows(self, sql):
        return _plain(self.spark.sql(sql).toArrow())


def engine(name, place, days=()):
    """The engine of this name; `auto` is DuckDB where it is installed."""
    if name == "auto":
        name = "duckdb" if importlib.util.find_spec("duckdb") else "spark"
    return {"duckdb": DuckDB, "spark": Spark}[name](place, days)
