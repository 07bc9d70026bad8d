-- Which background tasks were there?
select log, span, process, kind, name, label, subject, ts, dur, awake, ended, app, allowed, background,
  event, end_event
from spans
where kind in ('task', 'bgtask')
order by log, span
