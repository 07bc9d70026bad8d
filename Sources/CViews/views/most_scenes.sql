-- How many scenes were connected at a time, at the most?
with changes as (
  select log, ts as at_ns, 1 as change from states
  where subject like 'scene:%' and state <> 'unattached'
  union all
  select log, ts + dur as at_ns, -1 as change from states
  where subject like 'scene:%' and state <> 'unattached'
), counted as (
  select log, sum(change) over (partition by log order by at_ns nulls last, change rows unbounded preceding) as n
  from changes
)
select log, max(n) as most
from counted
group by log
order by most desc, log
