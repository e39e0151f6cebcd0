import { VERSION_5 } from './version-5.ts';

/** The versions of the database, oldest first. A version that was released is never changed: what follows it goes below it. */
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
  `
  alter table rule_state add column wake_ms integer;
  alter table rule_state add column retired_ms integer;
  alter table rule_state add column resumes integer not null default 0;

  alter table episode add column started_ms integer generated always as (body ->> '$.startedMs') virtual;
  alter table episode add column opened_ms integer generated always as (body ->> '$.openedMs') virtual;
  alter table episode add column closed_ms integer generated always as (body ->> '$.closedMs') virtual;
  create index episode_started on episode (rule, started_ms);

  create table past_episode (
    rule text not null,
    id text not null,
    started_ms integer not null,
    closed_ms integer not null,
    body text not null,
    primary key (rule, id)
  ) strict;
  create index past_episode_started on past_episode (rule, started_ms);
  create index past_episode_closed on past_episode (closed_ms);

  alter table delivery rename to delivery_before;
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
    element text not null default '',
    head integer,
    turn integer generated always as (coalesce(head, seq)) virtual,
    part integer not null default 0,
    after text,
    verb text not null,
    account text not null,
    creates integer not null,
    afresh integer not null,
    plan text not null,
    it text,
    state text not null check (state in ('pending', 'sending', 'asked', 'sent', 'failed', 'unknown', 'skipped')),
    attempts integer not null,
    created_ms integer not null,
    begins_ms integer not null,
    due_ms integer not null,
    expires_ms integer,
    max_age_ms integer,
    retry_ms integer,
    retry_attempts integer,
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
  insert into delivery (
    seq, id, firing, rule, episode, queue, section, occasion, step, verb, account, creates, afresh, plan, state, attempts, created_ms,
    begins_ms, due_ms, expires_ms, since_ms, attempted_ms, give_up_ms, sent_ms, params, result, record, fault, message, reason
  )
  select
    seq, id, firing, rule, episode, queue, section, occasion, step, verb, account, creates, afresh, plan, state, attempts, created_ms,
    created_ms, due_ms, expires_ms, since_ms, attempted_ms, give_up_ms, sent_ms, params, result, record, fault, message, reason
  from delivery_before;

  alter table need rename to need_before;
  create table need (
    delivery text not null references delivery (id) on delete cascade,
    needed text not null,
    reads integer not null,
    stops integer not null,
    primary key (delivery, needed)
  ) strict, without rowid;
  insert into need (delivery, needed, reads, stops) select delivery, needed, reads, 0 from need_before;
  drop table need_before;
  drop table delivery_before;

  create index delivery_due on delivery (account, due_ms) where state in ('pending', 'sending', 'asked');
  create index delivery_queue on delivery (account, queue, begins_ms, turn, part, id) where state in ('pending', 'sending');
  create index delivery_open on delivery (rule, section, queue, firing, id) where state in ('pending', 'sending', 'asked');
  create index delivery_asked on delivery (id) where state = 'asked';
  create index delivery_unknown on delivery (id) where state = 'unknown';
  create index delivery_while on delivery (created_ms) where section = 'while';
  create index delivery_firing on delivery (firing);
  create index delivery_episode on delivery (rule, episode, section, step, account, seq);
  create index delivery_sent on delivery (account, sent_ms) where record is not null;
  create index need_needed on need (needed);

  create table rule_source (file text primary key, source text not null, saved_ms integer not null) strict;

  create table recorded_poll (
    seq integer primary key autoincrement,
    query text not null,
    slot_ms integer not null,
    body blob not null
  ) strict;
  create index recorded_poll_query on recorded_poll (query, slot_ms);

  create table standing_message (
    account text not null,
    name text not null,
    message text not null,
    primary key (account, name)
  ) strict, without rowid;
  `,
  `
  create table kept_view (
    id text primary key,
    command text not null,
    options text not null,
    made_ms integer not null
  ) strict, without rowid;

  create table paused_rule (rule text primary key, person text not null, at_ms integer not null) strict, without rowid;
  create index delivery_record on delivery (record, seq) where record is not null;
  create index kept_view_made on kept_view (made_ms);

  create table post (
    id text primary key,
    server text not null,
    by_id text not null,
    by_name text not null,
    body text not null,
    at_ms integer not null,
    queued integer not null,
    made_ms integer not null,
    cancelled_by text
  ) strict, without rowid;
  create index post_server on post (server, at_ms);
  create index post_at on post (at_ms);
  create unique index post_queue on post (server, at_ms) where queued = 1 and cancelled_by is null;

  create table post_draft (id text primary key, owner text not null, body text not null, kept_ms integer not null) strict, without rowid;
  create index post_draft_kept on post_draft (kept_ms);
  create index post_draft_owner on post_draft (owner, kept_ms);

  create table counted_question (id text primary key, person text not null, server text, asked_ms integer not null) strict, without rowid;
  create index counted_question_person on counted_question (person, asked_ms);
  create index counted_question_server on counted_question (server, asked_ms);
  create index counted_question_asked on counted_question (asked_ms);

  create table answer_message (
    message text primary key,
    conversation text not null,
    turn text not null,
    at_ms integer not null
  ) strict, without rowid;
  create index answer_message_at on answer_message (at_ms);
  create index answer_message_conversation on answer_message (conversation);

  create table answer_place (
    place text primary key,
    conversation text not null,
    turn text not null,
    at_ms integer not null
  ) strict, without rowid;
  create index answer_place_at on answer_place (at_ms);
  create index answer_place_conversation on answer_place (conversation);

  create table conversation_cost (conversation text primary key, tokens integer not null, at_ms integer not null) strict, without rowid;
  create index conversation_cost_at on conversation_cost (at_ms);

  create table open_answer (
    id text primary key,
    channel text not null,
    token text,
    message text,
    locale text not null,
    asked_ms integer not null
  ) strict, without rowid;

  alter table transcript add column after text;
  alter table transcript add column asker text;
  update transcript set after = (
    select id from transcript as before
    where before.conversation = transcript.conversation and before.seq < transcript.seq order by before.seq desc limit 1
  );
  create index transcript_after on transcript (conversation, after);
  create index transcript_asker on transcript (asker, conversation) where asker is not null;

  create table draft (
    id text primary key,
    conversation text not null,
    asker text,
    content text not null,
    state text not null check (state in ('open', 'approved', 'dropped')),
    made_ms integer not null,
    decided_by text
  ) strict, without rowid;
  create index draft_made on draft (made_ms);
  create index draft_open on draft (asker, made_ms) where state = 'open';
  `,
  VERSION_5,
];
