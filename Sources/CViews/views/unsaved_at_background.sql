-- What was not saved when the app went to the background?
select s.log, s.process, s.name, s.label, e.ts / 1e9 as at_s, (e.ts - s.ts) / 1e9 as unsaved_s, s.ended
from events e
join spans s on s.log = e.log and s.process = e.process and s.kind = 'unsaved' and s.event < e.event
  and (s.end_event is null or s.end_event > e.event)
where e.verb = 'state' and e.subject = 'app' and e.name like '%->background'
order by s.log, e.event, s.span
