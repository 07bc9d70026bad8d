-- Is a callback slower in one version of the app or the system than in another?
select s.name, l.version, l.os, count(*) as n, avg(s.awake) / 1e6 as mean_ms, max(s.awake) / 1e6 as max_ms
from spans s
join logs l on l.log = s.log
where s.kind = 'callback' and s.ended = 'closed'
group by s.name, l.version, l.os
order by s.name nulls last, l.version nulls last, l.os nulls last
