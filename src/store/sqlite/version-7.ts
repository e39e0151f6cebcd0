/** What a restored state searches for before it sends. */
export const VERSION_7 = `
create table restored (at_ms integer not null, copied_ms integer not null, until_ms integer) strict;

alter table delivery add column search_ms integer;
`;
