-- How often does the app end for which cause, in 1,000 runs and in 100 hours awake?
with total as (select count(*) as n, sum(awake) as awake from processes)
select coalesce(p.exit_reason, p.manner, case when p.ended then 'not judged' else 'alive' end) as cause, p.normal, count(*) as n,
  1000.0 * count(*) / max(t.n) as per_1000, 3.6e14 * count(*) / nullif(max(t.awake), 0) as per_100_hours
from processes p
cross join total t
group by coalesce(p.exit_reason, p.manner, case when p.ended then 'not judged' else 'alive' end), p.normal
order by n desc, cause, p.normal nulls last
