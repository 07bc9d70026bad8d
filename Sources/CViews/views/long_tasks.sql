-- Which background tasks use more than half of their time?
select log, process, kind, name, label, background / 1e9 as used_s,
  coalesce(allowed, 30000000000) / 1e9 as allowed_s, ended
from spans
where kind = 'task' and 2 * background > coalesce(allowed, 30000000000)
order by background desc, log, span
