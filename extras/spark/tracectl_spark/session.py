"""Sessions of Spark that know the data source."""
import io
import os
import sys
import tempfile
import zipfile
from pathlib import Path

from pyspark import SparkConf
from pyspark.sql import SparkSession

import tracectl_spark


def session(master=None, **settings):
    """A session; on this machine with all its cores, unless spark-submit or `master` says otherwise."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("tracectl-fleet")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    if master or not SparkConf().contains("spark.master"):
        builder = builder.master(master or "local[*]")
    for name, value in settings.items():
        builder = builder.config(name.replace("_", "."), value)
    spark = builder.getOrCreate()
    _ship(spark)
    tracectl_spark.register(spark)
    return spark


def _ship(spark):
    """Gives the package to the workers, where it need not be installed."""
    packed = io.BytesIO()
    folder = Path(__file__).parent
    with zipfile.ZipFile(packed, "w") as archive:
        for file in sorted(folder.glob("*.py")):
            archive.writestr(zipfile.ZipInfo(f"{folder.name}/{file.name}"), file.read_bytes())
    path = Path(tempfile.mkdtemp(prefix="tracectl-spark-")) / "tracectl_spark.zip"
    path.write_bytes(packed.getvalue())
    spark.sparkContext.addPyFile(str(path))
