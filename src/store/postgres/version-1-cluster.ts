import { TEXT } from './text-type.ts';

/**
 * What the workers share: who is alive, when each rule is due, who sends through which account, the timeline of the database, and the
 * pictures of posts that are not sent yet.
 *
 * `now_ms` is the time of the database, which decides about leases whatever the clocks of the workers show.
 */
export const CLUSTER = `
create function now_ms() returns bigint language sql volatile
  as $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $$;

create table worker (
  id ${TEXT} primary key,
  role text not null,
  host text not null,
  schema_version integer not null,
  started_ms bigint not null,
  seen_ms bigint not null,
  -- By which workers notice that their keys differ; empty for a worker without a key.
  key_fingerprint ${TEXT} not null
);

create table agenda (
  rule ${TEXT} primary key,
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
  account ${TEXT} primary key,
  token bigint not null,
  holder text,
  since_ms bigint not null,
  until_ms bigint not null
) with (fillfactor = 50);

create table timeline (name text primary key);

create table picture (name ${TEXT} primary key, bytes bytea not null, stored_ms bigint not null);
`;
