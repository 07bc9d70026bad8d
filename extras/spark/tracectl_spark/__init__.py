"""Logs of tracectl as tables of Spark."""
from tracectl_spark.source import TracectlDataSource

__all__ = ["TracectlDataSource", "register"]


def register(spark):
    """Makes `spark.read.format("tracectl")` known to this session."""
    spark.dataSource.register(TracectlDataSource)
