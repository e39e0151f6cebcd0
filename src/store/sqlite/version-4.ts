/** Pauses, posts of people, and the tables of the assistant. */
export const VERSION_4 = `
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
`;
