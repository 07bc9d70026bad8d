-- Which rules could not tell, in what share of the logs, by release?
select
  version, rule,
  sum(case when verdict = 'cannot-tell' then logs else 0 end) as untold,
  sum(logs) as logs,
  1e2 * sum(case when verdict = 'cannot-tell' then logs else 0 end) / sum(logs) as percent
from rules
group by version, rule
having sum(case when verdict = 'cannot-tell' then logs else 0 end) > 0
order by untold desc, percent desc, rule, version nulls first
