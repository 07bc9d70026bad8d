-- Which rules found most, over all logs?
select rule, severity, count(*) as n, sum(occurrences) as occurrences, count(distinct log) as logs
from findings
where parent is null and accepted is not true
group by rule, severity
order by n desc, rule, severity
