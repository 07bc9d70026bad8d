-- Where are events missing, and how many?
select log, event, process, ts / 1e9 as at_s, dur / 1e9 as seconds, cause, missing, writer
from gaps
order by log, event
