-- How long does the app run after it left the foreground, until it is suspended?
with turns as (
  select log, process, event, ts, verb, name,
    lead(verb) over (partition by log, process order by event) as next_verb,
    lead(ts) over (partition by log, process order by event) as next_ts
  from events
  where verb in ('suspend', 'gap') or (verb = 'state' and subject = 'app')
)
select log, process, event, ts / 1e9 as at_s, (next_ts - ts) / 1e9 as seconds
from turns
where verb = 'state' and name like '%->background' and next_verb = 'suspend'
order by log, event
