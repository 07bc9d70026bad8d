-- What was not saved when the app went to the background?
select s.log, s.process, s.name, s.label, b.ts / 1e9 as at_s, (b.ts - s.ts) / 1e9 as unsaved_s, s.ended
from states b
join spans s on s.log = b.log and s.process = b.process and s.kind = 'unsaved' and s.event < b.event
  and (s.end_event is null or s.end_event > b.event)
where b.subject = 'app' and b.state = 'background'
order by s.log, b.event, s.span
