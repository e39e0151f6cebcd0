import type { SchemaVersion } from './migrate.ts';

/**
 * What the workers share: who is alive, when each rule is due, and who sends through which account.
 *
 * `now_ms` is the time of the database, which decides about leases whatever the clocks of the workers show.
 */
export const VERSION_2: SchemaVersion = {
  worksWith: 2,
  sql: `
create function now_ms() returns bigint language sql volatile
  as $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $$;

create table worker (
  id text collate "C" primary key,
  role text not null,
  host text not null,
  schema_version integer not null,
  started_ms bigint not null,
  seen_ms bigint not null
);

create table agenda (
  rule text collate "C" primary key,
  version text not null,
  entry text not null,
  next_ms bigint,
  batch uuid,
  batched_ms bigint,
  stuck smallint not null default 0
) with (fillfactor = 70);
create index agenda_next on agenda (next_ms) where batch is null;
create index agenda_batch on agenda (batch) where batch is not null;
create index agenda_stuck on agenda (rule) where stuck = 1;

create table lane (
  account text collate "C" primary key,
  token bigint not null,
  holder text,
  since_ms bigint not null,
  until_ms bigint not null
) with (fillfactor = 50);
`,
};
