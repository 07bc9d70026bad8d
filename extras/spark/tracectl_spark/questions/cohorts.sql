-- Who sends logs: sessions and logs by release, system and device?
select
  version, os, device, count(*) as sessions, count(distinct log) as logs
from (
  select
    coalesce(p.version, l.version) as version, coalesce(p.os, l.os) as os, l.device, concat(l.day, ' ', l.log) as log
  from processes p join logs l on l.day = p.day and l.log = p.log
) as sessions
group by version, os, device
order by sessions desc, version nulls first, os nulls first, device nulls first
