-- How long do callbacks take at the 95th percentile, in release A and in release B, and how many take longer than A's?
with buckets as (
  select s.side, d.name, d.bucket, sum(d.count) as n
  from durations d join sides s on s.version = d.version
  where d.kind = 'callback'
  group by s.side, d.name, d.bucket
), running as (
  select side, name, bucket,
    sum(n) over (partition by side, name order by bucket) as upto,
    sum(n) over (partition by side, name) as total
  from buckets
), percentiles as (
  select side, name, max(total) as total, min(case when upto >= 0.95 * total then bucket end) as p95
  from running
  group by side, name
)
select
  a.name, a.total as a_count, b.total as b_count, a.p95 / 1e6 as a_p95_ms, b.p95 / 1e6 as b_p95_ms,
  sum(case when n.side = 'a' and n.bucket > a.p95 then n.n else 0 end) as a_above,
  sum(case when n.side = 'b' and n.bucket > a.p95 then n.n else 0 end) as b_above
from percentiles a
join percentiles b on b.side = 'b' and b.name = a.name
join buckets n on n.name = a.name
where a.side = 'a'
group by a.name, a.total, b.total, a.p95, b.p95
order by a.name
