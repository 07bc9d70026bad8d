// Who imports TraceReport makes reports of results, and needs their names.
@_exported import TraceResults
