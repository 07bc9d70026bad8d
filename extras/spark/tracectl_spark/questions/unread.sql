-- Which logs could not be read, and why?
select day, log, error
from received
where error is not null
order by day, log
