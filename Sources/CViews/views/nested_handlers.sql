-- Which handlers ran inside of a callback?
select b.log, b.span, a.name as outer_call, b.kind, b.name as inner_call, b.label, b.dur / 1e6 as ms,
  b.ended
from spans b
join spans a on a.log = b.log and a.span = b.parent and a.kind = 'callback'
where b.kind in ('callback', 'observer', 'work')
order by b.dur desc, b.log, b.span
