import * as additions from '../additions.ts';
import * as discord from '../discord-additions.ts';
import * as history from '../history-additions.ts';
import { addToSchema, createTables, type DdlDialect } from '../schema/table.ts';
import { COUNTERS, STATE_TABLES } from '../tables.ts';
import type { Schema } from '../schema/versions.ts';

const DIALECT: DdlDialect = {
  types: { text: 'text', integer: 'integer', bigint: 'integer', bytes: 'blob', sequence: 'integer primary key autoincrement' },
  field: (column, field) => `${column} ->> '$.${field}'`,
  computed: 'virtual',
  ending: ({ withoutRowId = false }) => (withoutRowId ? ' strict, without rowid' : ' strict'),
};

/** Counters, so that counts of deliveries and decisions do not read all rows. No delivery is inserted as sent. */
const TRIGGERS = `
create table sent_count (count integer not null) strict;
insert into sent_count values (0);
create trigger sent_updated after update of state on delivery when (new.state = 'sent') <> (old.state = 'sent') begin
  update sent_count set count = count + iif(new.state = 'sent', 1, -1);
end;
create trigger sent_deleted after delete on delivery when old.state = 'sent' begin
  update sent_count set count = count - 1;
end;

create trigger decision_inserted after insert on decision begin
  insert into decision_count (rule, outcome, count) values (new.rule, new.outcome, 1)
  on conflict do update set count = count + 1;
end;
create trigger decision_deleted after delete on decision begin
  update decision_count set count = count - 1 where rule = old.rule and outcome = old.outcome;
end;
`;

/**
 * An index of the words of deliveries. It has no copy of them. A write to it costs much more than one to a table, so triggers only note the
 * deliveries whose entry is out of date, and a later transaction renews many entries. States of earlier commits may have other triggers.
 */
const DELIVERY_WORDS = `
create virtual table if not exists delivery_words using fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
drop trigger if exists delivery_words_inserted;
drop trigger if exists delivery_words_updated;
drop trigger if exists delivery_words_deleted;
create table unindexed_delivery (seq integer primary key) strict;
create trigger words_inserted after insert on delivery when new.words is not null begin
  insert into unindexed_delivery values (new.seq) on conflict do nothing;
end;
create trigger words_updated after update of words on delivery when new.words is not old.words begin
  insert into unindexed_delivery values (new.seq) on conflict do nothing;
end;
create trigger words_deleted after delete on delivery when old.words is not null begin
  insert into unindexed_delivery values (old.seq) on conflict do nothing;
end;
`;

const FAILED_ATTEMPTS = `
create trigger attempt_failed after update of fault on delivery when new.fault is not null begin
  insert into failed_attempt values (new.id, coalesce(new.attempted_ms, new.since_ms, new.due_ms), new.fault, coalesce(new.error, '')) on conflict do nothing;
end;
`;

/**
 * The names of items by rule. Each new name costs some microseconds, so a trigger only notes the begin and the end of an episode, and a later
 * transaction reads the names.
 */
const ITEM_NAMES = `
create table item_name (name text not null, rule text not null, seen_ms integer not null, primary key (name, rule)) strict, without rowid;
create index item_name_seen on item_name (seen_ms);
create table unindexed_episode (seq integer primary key, rule text not null, id text not null) strict;
create table indexed_decision (seq integer not null) strict;
insert into unindexed_episode (rule, id) select rule, id from episode union all select rule, id from past_episode;
create trigger episode_began after insert on episode begin
  insert into unindexed_episode (rule, id) values (new.rule, new.id);
end;
create trigger episode_ended after insert on past_episode begin
  insert into unindexed_episode (rule, id) values (new.rule, new.id);
end;
`;

/** Fills the column `settled` of deliveries that come from elsewhere. */
export const NOTE_SETTLED = "update delivery set settled = 1 where state not in ('pending', 'sending', 'asked')";

/**
 * A condition with the state makes SQLite renew an index at the begin and at the end of each attempt. The check refuses an open delivery that
 * is not in these indexes.
 */
const SETTLED = `
alter table delivery add column settled integer check (settled is null or state not in ('pending', 'sending', 'asked'));
drop index delivery_due;
drop index delivery_order;
${NOTE_SETTLED};
create index delivery_due on delivery (account, due_ms) where settled is null;
create index delivery_order on delivery (account, position, part, due_ms) where settled is null;
`;

/** The generation of the state: at most one row. */
const GENERATION = 'create table generation (id text not null, number integer not null) strict;';

/** The counter of sent deliveries has a row for each operation, so that those that only read can be left out. */
const SENT_BY_VERB = `
drop trigger sent_updated;
drop trigger sent_deleted;
drop table sent_count;
create table sent_count (verb text primary key, count integer not null) strict, without rowid;
insert into sent_count (verb, count) select verb, count(*) from delivery where state = 'sent' group by verb;
create trigger sent_updated after update of state on delivery when (new.state = 'sent') <> (old.state = 'sent') begin
  insert into sent_count (verb, count) values (new.verb, iif(new.state = 'sent', 1, -1)) on conflict do update set count = count + excluded.count;
end;
create trigger sent_deleted after delete on delivery when old.state = 'sent' begin
  update sent_count set count = count - 1 where verb = old.verb;
end;
`;

/** The schema of version 0.1.0, and the migrations since then. A released migration never changes; add a new one at the end. */
export const SCHEMA: Schema = {
  base: { version: 12, sql: createTables({ ...STATE_TABLES, ...COUNTERS }, DIALECT) + TRIGGERS },
  migrations: [
    { sql: addToSchema(additions.ACTIONS_ADDITION, DIALECT) },
    { sql: addToSchema(additions.ACCESS_ADDITION, DIALECT) },
    { sql: addToSchema(additions.REQUESTS_ADDITION, DIALECT) },
    { sql: addToSchema(additions.DELIVERY_LIST_ADDITION, DIALECT) },
    { sql: DELIVERY_WORDS },
    { sql: addToSchema(additions.SERVERS_ADDITION, DIALECT) },
    { sql: addToSchema(additions.LISTS_ADDITION, DIALECT) },
    { sql: addToSchema(additions.MUTES_ADDITION, DIALECT) },
    { sql: addToSchema(additions.LIST_SOURCES_ADDITION, DIALECT) },
    { sql: addToSchema(discord.COMMAND_USES_ADDITION, DIALECT) },
    { sql: addToSchema(discord.MEMBER_STATES_ADDITION, DIALECT) },
    { sql: addToSchema(history.OUTAGES_ADDITION, DIALECT) },
    { sql: addToSchema(history.TOTALS_ADDITION, DIALECT) },
    { sql: addToSchema(history.WEBHOOKS_ADDITION, DIALECT) },
    { sql: addToSchema(history.PLANNED_PAUSES_ADDITION, DIALECT) },
    { sql: addToSchema(history.FAILED_ATTEMPTS_ADDITION, DIALECT) + FAILED_ATTEMPTS },
    { sql: ITEM_NAMES },
    { sql: addToSchema(history.ACCOUNT_USAGE_ADDITION, DIALECT) },
    { sql: SETTLED },
    { sql: addToSchema(history.NOTIFIERS_ADDITION, DIALECT) },
    { sql: addToSchema(history.SUBSCRIPTIONS_ADDITION, DIALECT) },
    { sql: GENERATION },
    { sql: addToSchema(history.ENVIRONMENT_ADDITION, DIALECT) },
    { sql: SENT_BY_VERB },
    { sql: history.FAILURES_WITH_END },
  ],
};
