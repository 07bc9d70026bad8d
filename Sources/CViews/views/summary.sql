-- What does the log contain: the app, the time, processes and their ends, and counts?
with facts as (
  select log, 1 as place, 'events' as fact, cast(null as text) as word, events as number from logs
  union all select log, 2, 'app', app, null from logs
  union all select log, 3, 'platform', platform, null from logs
  union all select log, 4, 'os', os, null from logs
  union all select log, 5, 'mode', mode, null from logs
  union all select log, 6, 'from_ns', null, ts from logs
  union all select log, 7, 'dur_ns', null, dur from logs
  union all select log, 8, 'suspended_ns', null, dur - awake from logs
  union all select log, 9, 'origin_ns', null, origin from logs
  union all select log, 10, 'log id', id, null from logs
  union all select log, 11, 'process', coalesce(launch, 'launch not recorded'), pid from processes
  union all select log, 12, 'ended', class || ': ' || cause, count(*) from processes
    where class is not null group by log, class, cause
  union all select log, 13, 'writer', writer, sum(events) from writers where first is not null group by log, writer
  union all select log, 14, 'verb', verb, sum(events) from writers group by log, verb
  union all select log, 15, 'missing', cause, coalesce(sum(missing), 0) from gaps group by log, cause
  union all select log, 16, 'not read', error, null from logs
)
select log, fact, word, number
from facts
where word is not null or number is not null
order by log, place, number desc nulls last, word nulls last
