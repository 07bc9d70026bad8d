-- What was not saved when the app had gone to the background, its callback done?
with backgrounds as (
  select b.log, b.process, b.event, b.ts, coalesce(c.end_event, b.event) as done
  from states b
  left join spans c on c.log = b.log and c.event = b.event and c.kind = 'callback'
  where b.subject = 'app' and b.state = 'background'
)
select s.log, s.process, s.name, s.label, b.ts / 1e9 as at_s, (b.ts - s.ts) / 1e9 as unsaved_s, s.ended
from backgrounds b
join spans s on s.log = b.log and s.process = b.process and s.kind = 'unsaved' and s.event < b.event
  and (s.end_event is null or s.end_event > b.done)
order by s.log, b.event, s.span
