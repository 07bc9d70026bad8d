-- What was held: locks, files, timers, sockets?
select log, span, process, name, label, writer, ts, dur, awake, ended, app, event, end_event
from spans
where kind = 'held'
order by log, span
