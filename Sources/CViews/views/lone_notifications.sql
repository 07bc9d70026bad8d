-- Which notification of resigning active stands alone, with no callback of it within a second?
with heard as (
  select log, event, process, ts, verb, name,
    max(case when verb = 'gap' or name like '%WillResignActive' then ts end)
      over (partition by log, process order by event) as earlier,
    min(case when verb = 'gap' or name like '%WillResignActive' then ts end)
      over (partition by log, process order by event desc) as later,
    count(case when verb = 'call' then 1 end) over (partition by log, process) as calls
  from events
  where verb in ('call', 'gap')
    or (verb = 'notify' and name = 'UIApplication.willResignActiveNotification')
)
select log, process, event, ts / 1e9 as at_s, name
from heard
where verb = 'notify' and calls > 0 and (earlier is null or earlier < ts - 1000000000)
  and (later is null or later > ts + 1000000000)
order by log, event
