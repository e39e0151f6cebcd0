/**
 * Indexes and counters, so that lists and counts of deliveries and decisions do not read all rows.
 *
 * No delivery is inserted as sent, so inserts do not change the counter.
 */
export const VERSION_9 = `
create index delivery_rule on delivery (rule);
create index delivery_failed on delivery (seq, rule, created_ms) where state = 'failed';
create index delivery_skipped on delivery (seq, rule) where state = 'skipped' and not (section = 'while' and since_ms is null);

create table sent_count (count integer not null) strict;
insert into sent_count select count(*) from delivery where state = 'sent';
create trigger sent_updated after update of state on delivery when (new.state = 'sent') <> (old.state = 'sent') begin
  update sent_count set count = count + iif(new.state = 'sent', 1, -1);
end;
create trigger sent_deleted after delete on delivery when old.state = 'sent' begin
  update sent_count set count = count - 1;
end;

create table decision_count (
  rule text not null,
  outcome text not null,
  count integer not null,
  primary key (rule, outcome)
) strict, without rowid;
insert into decision_count select rule, outcome, count(*) from decision group by rule, outcome;
create trigger decision_inserted after insert on decision begin
  insert into decision_count (rule, outcome, count) values (new.rule, new.outcome, 1)
  on conflict do update set count = count + 1;
end;
create trigger decision_deleted after delete on decision begin
  update decision_count set count = count - 1 where rule = old.rule and outcome = old.outcome;
end;
`;
