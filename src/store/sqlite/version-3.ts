/** Waking and retired rules, past episodes, parts and questions of deliveries, recorded polls. */
export const VERSION_3 = `
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
`;
