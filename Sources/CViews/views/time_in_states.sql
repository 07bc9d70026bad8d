-- How much time did the app spend in each state?
select log, state, count(*) as visits, sum(dur) / 1e9 as seconds
from states
where subject = 'app'
group by log, state
order by log, sum(dur) desc, state nulls last
