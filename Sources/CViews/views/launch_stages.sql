-- How long does each stage of a launch take?
with marks as (
  select log, process,
    min(case when verb = 'call' and name = 'applicationDidFinishLaunching' then ts end) as called,
    min(case when verb = 'return' and name = 'applicationDidFinishLaunching' then ts end) as finished,
    min(case when verb = 'call' and name = 'sceneWillConnect' then ts end) as connected,
    min(case when verb = 'call' and name in ('sceneDidBecomeActive', 'applicationDidBecomeActive')
      then ts end) as active,
    min(case when verb in ('work', 'work.begin') and name = 'frame' then ts end) as frame
  from events
  group by log, process
  having count(case when verb = 'process.start' then 1 end) > 0
)
select p.log, p.process, p.launch, (m.called - p.ts) / 1e6 as to_did_finish_ms,
  (m.finished - m.called) / 1e6 as did_finish_ms, (m.connected - p.ts) / 1e6 as to_scene_ms,
  (m.active - p.ts) / 1e6 as to_active_ms, (m.frame - p.ts) / 1e6 as to_frame_ms
from processes p
join marks m on m.log = p.log and m.process = p.process
order by p.log, p.process
