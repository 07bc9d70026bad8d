"""What columns come out of tracectl, for Spark and for Arrow."""
import pyarrow as pa
from pyspark.sql.types import BooleanType, LongType, StringType, StructField, StructType

from tracectl_spark.tables import TABLES

SPARK = {"text": StringType(), "integer": LongType(), "boolean": BooleanType()}
ARROW = {"text": pa.string(), "integer": pa.int64(), "boolean": pa.bool_()}

SUMMED = {
    "durations": ["kind", "name", "label", "bucket", "count"],
    "rules": ["rule", "severity", "verdict", "logs"],
}
"""The columns of tables that cohorts have in place of logs, behind the cohort's own."""

COHORT = ["app", "version", "build", "os", "device", "platform", "sdk", "mode"]
"""What may name a cohort."""


def columns(tables, by=()):
    """The columns of a table, or of several in one: [(name, kind)].

    Several have the column `table`, then all columns of all of them; a row has those of its table.
    """
    for name in tables:
        if name not in TABLES:
            raise ValueError(f"there is no table {name!r}; the tables are {', '.join(TABLES)}")
    for name in by:
        if name not in COHORT:
            raise ValueError(f"{name!r} names no cohort; what does is {', '.join(COHORT)}")
    found = {} if len(tables) == 1 else {"table": "text"}
    for table in tables:
        for name, kind in _of_table(table, by):
            if found.setdefault(name, kind) != kind:
                raise ValueError(f"{name!r} is {found[name]} in one of {', '.join(tables)} and {kind} in "
                                 f"{table}; read {table} by itself")
    return list(found.items())


def _of_table(table, by):
    whole = [(name, kind) for name, kind, _ in TABLES[table]]
    if not by or table not in SUMMED:
        return whole
    kinds = dict(whole, logs="integer")
    return [(name, "text") for name in by] + [(name, kinds[name]) for name in SUMMED[table]]


def of_spark(columns):
    """The same for Spark."""
    return StructType([StructField(name, SPARK[kind]) for name, kind in columns])


def of_arrow(columns):
    """The same for Arrow."""
    return pa.schema([(name, ARROW[kind]) for name, kind in columns])
