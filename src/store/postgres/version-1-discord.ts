import { TEXT } from './text-type.ts';

/** How several processes share the bot in Discord. */
export const DISCORD = `
-- The gateways and their shards, in one row. Each change replaces the version that it read.
create table shard_state (
  id integer primary key check (id = 1),
  version bigint not null,
  state jsonb not null
) with (fillfactor = 50);

-- Interactions and messages that a process handles or has handled.
create table handled_event (id ${TEXT} primary key, handled_ms bigint not null);
create index handled_event_handled on handled_event (handled_ms);

-- The process that writes an open answer of the assistant.
create table answer_writer (answer ${TEXT} primary key, process ${TEXT} not null);
`;
