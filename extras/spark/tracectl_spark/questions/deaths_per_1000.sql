-- How many sessions end in a death, in 1,000 and in 100 hours awake, by release, and how much could rules tell?
select
  version,
  count(*) as sessions,
  sum(death) as deaths,
  sum(unclear) as unclear,
  sum(awake) / 3.6e12 as hours,
  1e3 * sum(death) / count(*) as per_1000,
  3.6e14 * sum(death) / nullif(sum(awake), 0) as per_100_h,
  1e0 * sum(rules_told) / nullif(sum(rules_told) + sum(rules_untold), 0) as told
from (
  select
    coalesce(p.version, l.version) as version, p.awake, p.rules_told, p.rules_untold,
    case when p.ended and not p.normal then 1 else 0 end as death,
    case when p.ended and p.normal is null then 1 else 0 end as unclear
  from processes p join logs l on l.day = p.day and l.log = p.log
) as sessions
group by version
order by version nulls first
