-- In how many logs does each cause stand, in release A and in release B, of those in which its rule could tell?
with able as (
  select r.rule,
    sum(case when s.side = 'a' then r.logs else 0 end) as a,
    sum(case when s.side = 'b' then r.logs else 0 end) as b
  from rules r join sides s on s.version = r.version
  where r.verdict in ('violated', 'satisfied')
  group by r.rule
), found as (
  select f.rule, f.severity, f.fingerprint, min(f.message) as example,
    count(distinct case when s.side = 'a' then concat(f.day, ' ', f.log) end) as a,
    count(distinct case when s.side = 'b' then concat(f.day, ' ', f.log) end) as b
  from findings f
  join logs l on l.day = f.day and l.log = f.log
  join sides s on s.version = l.version
  where f.parent is null and f.accepted is not true
  group by f.rule, f.severity, f.fingerprint
)
select
  found.rule, found.severity, found.fingerprint, found.example,
  found.a as a_logs, greatest(coalesce(able.a, 0), found.a) as a_able,
  found.b as b_logs, greatest(coalesce(able.b, 0), found.b) as b_able
from found left join able on able.rule = found.rule
order by found.rule, found.fingerprint
