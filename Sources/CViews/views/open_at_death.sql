-- What was still open when the app died, and for how long?
select s.log, s.process, s.kind, s.name, s.label, s.subject, s.dur / 1e9 as open_s,
  s.allowed / 1e9 as allowed_s
from spans s
join processes p on p.log = s.log and p.process = s.process
where s.ended = 'process-ended' and p.ended and p.normal is not true
order by s.dur desc, s.log, s.span
