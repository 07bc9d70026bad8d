-- What could not be told, and why?
select reason, count(distinct rule) as rules, count(distinct log) as logs
from rules
where verdict = 'cannot-tell'
group by reason
order by rules desc, logs desc, reason nulls last
