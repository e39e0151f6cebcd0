-- Notes that a state in PostgreSQL is a restored copy, so that Fanfare searches the platforms before it sends. See docs/operating/many-machines.md.
begin;
set local search_path = fanfare;

insert into restored (at_ms, copied_ms, until_ms)
select now_ms(), coalesce(max(ms), 0), null
from (
  select max(slot_ms) as ms from rule_state
  union all select max(created_ms) from delivery
  union all select max(sent_ms) from delivery
) as latest;

-- A delivery that was due at the time of the copy may have been sent right after it.
update delivery set search_ms = (select copied_ms from restored order by at_ms desc limit 1), lost_ms = null
where state = 'pending' and creates = 1;
commit;
