-- Which callbacks are the slowest?
with ranked as (
  select name, awake, ended, row_number() over (partition by name, ended = 'closed' order by awake, log, span) as place,
    count(*) over (partition by name, ended = 'closed') as n
  from spans
  where kind = 'callback'
)
select name, count(*) as n, count(case when ended <> 'closed' then 1 end) as not_closed,
  min(case when ended = 'closed' and 100 * place >= 50 * n then awake end) / 1e6 as p50_ms,
  min(case when ended = 'closed' and 100 * place >= 95 * n then awake end) / 1e6 as p95_ms, max(case when ended = 'closed' then awake end) / 1e6 as max_ms
from ranked
group by name
order by max_ms desc nulls last, name nulls last
