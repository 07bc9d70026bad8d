-- Who sends logs: sessions and logs by release, system and device?
select
  l.version, l.os, l.device, count(*) as sessions, count(distinct concat(l.day, ' ', l.log)) as logs
from processes p join logs l on l.day = p.day and l.log = p.log
group by l.version, l.os, l.device
order by sessions desc, l.version nulls first, l.os nulls first, l.device nulls first
