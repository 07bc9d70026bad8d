-- What share of the launches has which reason?
select launch, count(*) as n, 100.0 * count(*) / (select count(*) from processes) as percent
from processes
group by launch
order by n desc, launch nulls last
