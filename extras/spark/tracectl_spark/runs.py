"""What `tracectl-fleet run` does: the logs of a day become Parquet, in one pass over them."""
import os
import re

from pyarrow import fs
from pyspark import StorageLevel
from pyspark.sql import functions as F

from tracectl_spark import listing, schema

TABLES = ["processes", "findings", "rules", "durations", "logs"]
BY = ["app", "version", "os", "device"]
ROWS_A_FILE = 1_000_000


class UsageError(Exception):
    """What was asked for cannot be done; the message says what to ask for."""


def run(spark, source, out, day, by=BY, options=None):
    """Writes OUT/table/day=DAY for all tables, in place of what was there; returns counts.

    All tables are written beside first, below OUT/_run-DAY; then each takes the place of the former one, one
    after the other: what fails in between leaves tables of two runs until the next. The same logs give the same
    rows.
    """
    _check(day, by)
    source = _folder(source, day)
    frame = spark.read.format("tracectl").options(
        tables=",".join(TABLES), by=",".join(by), relative="true",
        minPartitions=str(spark.sparkContext.defaultParallelism), **(options or {})).load(source)
    frame = frame.persist(StorageLevel.DISK_ONLY)
    try:
        found = frame.groupBy("table").agg(F.count("*").alias("rows"), F.count("error").alias("errors")).collect()
        counts = {row["table"]: row["rows"] for row in found}
        if not counts.get("logs"):
            raise RuntimeError(f"{source}: tracectl told of no log; nothing is written")
        out = _emptied(out, day)
        for table in TABLES:
            part = _rows(frame, table, by, counts.get(table, 0))
            part.write.mode("overwrite").parquet(f"{out}/{_beside(day)}/{table}")
    finally:
        frame.unpersist()
    _swap(out, day)
    return {"logs": counts["logs"], "unread": sum(row["errors"] for row in found), "sessions": counts.get("processes", 0),
            "findings": counts.get("findings", 0)}


def _check(day, by):
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", day):
        raise UsageError(f"--day {day}: a day is such as 2026-11-21")
    lacking = [name for name in ("app", "version") if name not in by]
    if lacking:
        raise UsageError(f"--by lacks {' and '.join(lacking)}, by which the report counts")
    schema.columns(["rules"], by)


def _folder(source, day):
    """IN/day=DAY where the folder has days, else IN."""
    keys = listing.path_keys(listing.Store(source).root)
    if keys.get("day", day) != day:
        raise UsageError(f"{source} holds day {keys['day']}; --day says {day}")
    store = listing.Store(source)
    if "day" in keys or "day" not in store.keys():
        return source
    below = f"{store.root}/day={day}"
    if store.files.get_file_info(below).type == fs.FileType.NotFound:
        raise UsageError(f"{source} has no folder day={day}")
    base, _, query = source.partition("?")
    return base.rstrip("/") + f"/day={day}" + ("?" + query if query else "")


def _rows(frame, table, by, count):
    """The rows of one table, in order; cohorts of all tasks are summed."""
    part = frame.where(F.col("table") == table)
    names = [name for name, _ in schema.columns([table], by)]
    if table in schema.SUMMED:
        number = schema.SUMMED[table][-1]
        cohort = names[:-1]
        return part.groupBy(*cohort).agg(F.sum(number).alias(number)).coalesce(1).sortWithinPartitions(*cohort)
    files = max(1, -(-count // ROWS_A_FILE))
    place = [name for name in ("log", "process", "finding") if name in names]
    part = part.select(*names)
    part = part.coalesce(1) if files == 1 else part.repartitionByRange(files, "log")
    return part.sortWithinPartitions(*place)


def _beside(day):
    """Readers of Parquet pass over folders whose names begin so."""
    return f"_run-{day}"


def _emptied(out, day):
    """OUT, without what a run left that was interrupted."""
    out = out.rstrip("/") if "://" in out else os.path.abspath(out)
    try:
        store = listing.Store(out)
    except FileNotFoundError:
        return out
    left = f"{store.root}/{_beside(day)}"
    if store.files.get_file_info(left).type != fs.FileType.NotFound:
        store.files.delete_dir(left)
    return out


def _swap(out, day):
    """Puts what was written beside in its place: folders are renamed where the store can."""
    store = listing.Store(out)
    beside = f"{store.root}/{_beside(day)}"
    for table in TABLES:
        place = f"{store.root}/{table}/day={day}"
        former = f"{beside}/former-{table}"
        store.files.create_dir(f"{store.root}/{table}")
        if store.files.get_file_info(place).type != fs.FileType.NotFound:
            _move(store.files, place, former)
        _move(store.files, f"{beside}/{table}", place)
    store.files.delete_dir(beside)


def _move(files, source, target):
    """Renames a folder; object stores have none, and move its files one by one."""
    if files.type_name in ("local", "hdfs", "abfs"):
        files.move(source, target)
        return
    for info in files.get_file_info(fs.FileSelector(source, recursive=True)):
        if info.type == fs.FileType.File:
            files.copy_file(info.path, target + info.path[len(source):])
    files.delete_dir(source)
