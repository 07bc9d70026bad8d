-- Which locks were held at a suspension?
select h.log, h.process, h.name, h.label, h.writer, (s.ts - h.ts) / 1e9 as held_s, s.ts / 1e9 as suspended_s,
  h.ended
from spans s
join spans h on h.log = s.log and h.process = s.process and h.kind = 'held' and h.name = 'lock'
  and h.event < s.event
  and (h.end_event is null or h.end_event > s.event)
where s.kind = 'suspended'
order by h.log, s.span, h.span
