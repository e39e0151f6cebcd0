/** Restores, lost answers, omitted parts of deliveries, and stated length limits. */
export const VERSION_7 = `
create table restored (at_ms integer not null, copied_ms integer not null, until_ms integer) strict;

alter table delivery add column search_ms integer;
alter table delivery add column lost_ms integer;
alter table delivery add column omitted text;
alter table delivery add column strict integer not null default 0;

create table text_limit (server text primary key, most integer not null) strict, without rowid;
`;
