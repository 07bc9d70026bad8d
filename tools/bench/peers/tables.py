"""Parquet and DuckDB: tables.py write ROWS FILE writes the smallest Parquet file; tables.py ask FILE counts by a
window in DuckDB on one thread, and tables.py ask-sqlite FILE in SQLite."""
import sys

QUERY = """select verb, count(*), max(gap)
from (select verb, t - lag(t) over (partition by writer order by t) as gap from {}) group by verb"""


def write(rows, path):
    import numpy
    import pyarrow
    import pyarrow.parquet

    row = numpy.dtype([("t", "<i8"), ("value", "<i8"), ("name", "<u4"), ("label", "<u4"), ("subject", "<u4"),
                       ("writer", "<u2"), ("verb", "u1"), ("kind", "u1")])
    events = numpy.fromfile(rows, row)
    columns = {name: pyarrow.array(events[name]) for name in row.names}
    columns["value"] = pyarrow.array(events["value"], mask=events["kind"] < 128)
    columns["kind"] = pyarrow.array(events["kind"] & 127)
    words = ["name", "label", "subject", "writer", "verb", "kind"]
    pyarrow.parquet.write_table(
        pyarrow.table(columns), path, compression="zstd", compression_level=19, use_dictionary=words,
        column_encoding={"t": "DELTA_BINARY_PACKED", "value": "DELTA_BINARY_PACKED"})


def ask(path):
    import duckdb

    connection = duckdb.connect()
    connection.execute("set threads = 1")
    print(connection.execute(QUERY.format(f"'{path}'")).fetchall())


def ask_sqlite(path):
    import sqlite3

    print(sqlite3.connect(path).execute(QUERY.format("events")).fetchall())


if __name__ == "__main__":
    {"write": write, "ask": ask, "ask-sqlite": ask_sqlite}[sys.argv[1]](*sys.argv[2:])
