-- How long does the app run after it left the foreground, until it is suspended?
with turns as (
  select log, process, event, ts, 'background' as turn, ended
  from states
  where subject = 'app' and state = 'background'
  union all
  select log, process, event, ts, verb as turn, null as ended
  from events
  where verb in ('suspend', 'gap')
), follows as (
  select log, process, event, ts, turn, ended,
    lead(turn) over (partition by log, process order by event) as next_turn,
    lead(ts) over (partition by log, process order by event) as next_ts
  from turns
)
select f.log, f.process, f.event, f.ts / 1e9 as at_s, (f.next_ts - f.ts) / 1e9 as seconds
from follows f
join states b on b.log = f.log and b.event = f.event and b.subject = 'app' and b.state = 'background'
where f.turn = 'background' and f.next_turn = 'suspend' and b.ts + b.dur >= f.next_ts
order by f.log, f.event
