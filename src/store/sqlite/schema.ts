import { VERSION_3 } from './version-3.ts';
import { VERSION_4 } from './version-4.ts';
import { VERSION_5 } from './version-5.ts';
import { VERSION_6 } from './version-6.ts';
import { VERSION_7 } from './version-7.ts';
import { VERSION_8 } from './version-8.ts';
import { VERSION_9 } from './version-9.ts';
import { VERSION_10 } from './version-10.ts';
import { VERSION_11 } from './version-11.ts';

/** The versions of the schema, oldest first. A released version never changes; add a new one below. */
export const SCHEMA: readonly string[] = [
  `
  create table rule_state (rule text primary key, slot_ms integer not null, memory text) strict;

  create table episode (rule text not null, id text not null, body text not null, primary key (rule, id)) strict;

  create table firing (
    id text primary key,
    rule text not null,
    episode text not null,
    section text not null,
    at_ms integer not null,
    scope text,
    names text not null
  ) strict;
  create index firing_at on firing (at_ms);
  create index firing_scope on firing (at_ms) where scope is not null;
  create index firing_while on firing (at_ms) where section = 'while';

  create table delivery (
    seq integer primary key autoincrement,
    id text not null unique,
    firing text not null references firing (id) on delete cascade,
    rule text not null,
    episode text not null,
    queue text not null,
    section text not null,
    occasion text not null,
    step text not null,
    verb text not null,
    account text not null,
    creates integer not null,
    afresh integer not null,
    plan text not null,
    state text not null check (state in ('pending', 'sending', 'sent', 'failed', 'unknown', 'skipped')),
    attempts integer not null,
    created_ms integer not null,
    due_ms integer not null,
    expires_ms integer,
    since_ms integer,
    attempted_ms integer,
    give_up_ms integer,
    sent_ms integer,
    params text,
    result text,
    record text,
    fault text,
    message text,
    reason text
  ) strict;
  create index delivery_open on delivery (account, queue, seq) where state in ('pending', 'sending');
  create index delivery_unknown on delivery (id) where state = 'unknown';
  create index delivery_while on delivery (created_ms) where section = 'while';
  create index delivery_firing on delivery (firing);
  create index delivery_episode on delivery (rule, episode, section, step, account, seq);
  create index delivery_sent on delivery (account, sent_ms) where record is not null;

  create table need (
    delivery text not null references delivery (id) on delete cascade,
    needed text not null,
    reads integer not null,
    primary key (delivery, needed)
  ) strict, without rowid;
  create index need_needed on need (needed);

  create table decision (
    seq integer primary key autoincrement,
    rule text not null,
    at_ms integer not null,
    outcome text not null,
    item text,
    episode text,
    reason text not null,
    details text
  ) strict;
  create index decision_rule on decision (rule, outcome, seq);

  create table transcript (
    seq integer primary key autoincrement,
    conversation text not null,
    id text not null,
    role text not null,
    text text not null,
    created_ms integer not null,
    unique (conversation, id)
  ) strict;
  create index transcript_conversation on transcript (conversation, seq);
  `,
  `
  create table conversation (id text primary key, begun_ms integer not null) strict;
  alter table transcript add column note text;
  `,
  VERSION_3,
  VERSION_4,
  VERSION_5,
  VERSION_6,
  VERSION_7,
  VERSION_8,
  VERSION_9,
  VERSION_10,
  VERSION_11,
];
