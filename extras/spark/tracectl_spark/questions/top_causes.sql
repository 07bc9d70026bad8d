-- Which causes do most sessions have?
select
  f.rule, f.severity, f.fingerprint, min(f.message) as example,
  count(distinct concat(f.day, ' ', f.log, '#', coalesce(f.process, 0))) as sessions,
  count(distinct concat(f.day, ' ', f.log)) as logs
from findings f
where f.parent is null and f.accepted is not true
group by f.rule, f.severity, f.fingerprint
order by sessions desc, f.rule, f.fingerprint
limit 20
