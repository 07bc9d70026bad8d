-- Why did the app die, run by run?
select log, process, manner, exit_reason, class, cause, code, audience, state, dur / 1e9 as seconds,
  explained_kind, explained_label, verdict
from processes
where ended and class is not null and normal is not true
order by log, process
