-- Which callbacks did UIKit call, and how long did they take?
select log, span, process, name, subject, writer, ts, dur, awake, ended, app, allowed, background,
  inactive, event, end_event, parent
from spans
where kind = 'callback'
order by log, span
