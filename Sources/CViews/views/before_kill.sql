-- What happened in the last two seconds before the system killed the app?
select e.log, e.process, e.event, (p.ts + p.dur - e.ts) / 1e9 as before_s, e.writer, e.verb, e.name,
  e.subject, e.label
from processes p
join events e on e.log = p.log and e.process = p.process and e.ts > p.ts + p.dur - 2000000000
where p.manner = 'kill'
order by e.log, e.event
