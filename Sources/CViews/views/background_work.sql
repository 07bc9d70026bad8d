-- What did the app do while it was not active?
select app, name, label, count(*) as n, count(distinct log) as logs
from events
where verb in ('work', 'work.begin') and app <> 'active'
group by app, name, label
order by n desc, app, name nulls last, label nulls last
