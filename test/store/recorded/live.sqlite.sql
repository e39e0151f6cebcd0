-- A state of version 0.1.0 in SQLite: two open episodes of live-rule.ts, and deliveries that are sent, pending, begun and failed.
-- It was recorded in a database that was migrated from the versions before. It never changes.
CREATE TABLE rule_state (rule text primary key, slot_ms integer not null, memory text, wake_ms integer, retired_ms integer, resumes integer not null default 0, last_poll_ms integer generated always as (memory ->> '$.lastPollMs') virtual, blown_ms integer generated always as (memory ->> '$.blownMs') virtual, clock_set_back text generated always as (memory ->> '$.clockSetBack') virtual) strict;
CREATE TABLE episode (rule text not null, id text not null, body text not null, started_ms integer generated always as (body ->> '$.startedMs') virtual, opened_ms integer generated always as (body ->> '$.openedMs') virtual, closed_ms integer generated always as (body ->> '$.closedMs') virtual, primary key (rule, id)) strict;
CREATE TABLE firing (
    id text primary key,
    rule text not null,
    episode text not null,
    section text not null,
    at_ms integer not null,
    scope text,
    names text not null
  ) strict;
CREATE TABLE decision (
    seq integer primary key autoincrement,
    rule text not null,
    at_ms integer not null,
    outcome text not null,
    item text,
    episode text,
    message text not null,
    details text
  , reason text) strict;
CREATE TABLE transcript (
    seq integer primary key autoincrement,
    conversation text not null,
    id text not null,
    role text not null,
    text text not null,
    created_ms integer not null, note text, after text, asker text,
    unique (conversation, id)
  ) strict;
CREATE TABLE conversation (id text primary key, begun_ms integer not null) strict;
CREATE TABLE past_episode (
    rule text not null,
    id text not null,
    started_ms integer not null,
    closed_ms integer not null,
    body text not null,
    primary key (rule, id)
  ) strict;
CREATE TABLE delivery (
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
    position integer generated always as (coalesce(head, seq)) virtual,
    part integer not null default 0,
    after text,
    verb text not null,
    account text not null,
    creates integer not null,
    even_if_unchanged integer not null,
    plan text not null,
    element_value text,
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
    error text,
    message text
  , reason text, search_ms integer, lost_ms integer, omitted text, strict integer not null default 0, params_message text generated always as (params ->> '$.message') virtual, origins text, withdrawn text, answer_within_ms integer, settled_ms integer, resends text, names text) strict;
CREATE TABLE need (
    delivery text not null references delivery (id) on delete cascade,
    needed text not null,
    reads integer not null,
    stops integer not null,
    primary key (delivery, needed)
  ) strict, without rowid;
CREATE TABLE rule_source (file text primary key, source text not null, saved_ms integer not null) strict;
CREATE TABLE recorded_poll (
    seq integer primary key autoincrement,
    query text not null,
    slot_ms integer not null,
    body blob not null
  ) strict;
CREATE TABLE standing_message (
    account text not null,
    name text not null,
    message text not null,
    primary key (account, name)
  ) strict, without rowid;
CREATE TABLE "saved_view" (
    id text primary key,
    command text not null,
    options text not null,
    made_ms integer not null
  ) strict, without rowid;
CREATE TABLE paused_rule (rule text primary key, person text not null, at_ms integer not null) strict, without rowid;
CREATE TABLE post (
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
CREATE TABLE post_draft (id text primary key, owner text not null, body text not null, kept_ms integer not null) strict, without rowid;
CREATE TABLE counted_question (id text primary key, person text not null, server text, asked_ms integer not null) strict, without rowid;
CREATE TABLE answer_message (
    message text primary key,
    conversation text not null,
    answer text not null,
    at_ms integer not null
  ) strict, without rowid;
CREATE TABLE answer_place (
    place text primary key,
    conversation text not null,
    answer text not null,
    at_ms integer not null
  ) strict, without rowid;
CREATE TABLE conversation_cost (conversation text primary key, tokens integer not null, at_ms integer not null) strict, without rowid;
CREATE TABLE open_answer (
    id text primary key,
    channel text not null,
    token text,
    message text,
    locale text not null,
    asked_ms integer not null
  ) strict, without rowid;
CREATE TABLE draft (
    id text primary key,
    conversation text not null,
    asker text,
    content text not null,
    state text not null check (state in ('open', 'approved', 'dropped')),
    made_ms integer not null,
    decided_by text
  ) strict, without rowid;
CREATE TABLE sealed_token (account text primary key, sealed text not null, saved_ms integer not null) strict, without rowid;
CREATE TABLE spent (account text not null, month text not null, micro_usd integer not null, primary key (account, month)) strict, without rowid;
CREATE TABLE watched_user (
  account text not null,
  user text not null,
  since_ms integer not null,
  primary key (account, user)
) strict, without rowid;
CREATE TABLE billed_row (account text not null, day text not null, row text not null, primary key (account, day, row)) strict, without rowid;
CREATE TABLE restored (at_ms integer not null, copied_ms integer not null, until_ms integer) strict;
CREATE TABLE text_limit (server text primary key, most integer not null) strict, without rowid;
CREATE TABLE sent_count (count integer not null) strict;
CREATE TABLE decision_count (
  rule text not null,
  outcome text not null,
  count integer not null,
  primary key (rule, outcome)
) strict, without rowid;
CREATE INDEX firing_at on firing (at_ms);
CREATE INDEX firing_scope on firing (at_ms) where scope is not null;
CREATE INDEX firing_while on firing (at_ms) where section = 'while';
CREATE INDEX decision_rule on decision (rule, outcome, seq);
CREATE INDEX transcript_conversation on transcript (conversation, seq);
CREATE INDEX episode_started on episode (rule, started_ms);
CREATE INDEX past_episode_started on past_episode (rule, started_ms);
CREATE INDEX past_episode_closed on past_episode (closed_ms);
CREATE INDEX delivery_due on delivery (account, due_ms) where state in ('pending', 'sending', 'asked');
CREATE INDEX delivery_open on delivery (rule, section, queue, firing, id) where state in ('pending', 'sending', 'asked');
CREATE INDEX delivery_asked on delivery (id) where state = 'asked';
CREATE INDEX delivery_unknown on delivery (id) where state = 'unknown';
CREATE INDEX delivery_while on delivery (created_ms) where section = 'while';
CREATE INDEX delivery_firing on delivery (firing);
CREATE INDEX delivery_episode on delivery (rule, episode, section, step, account, seq);
CREATE INDEX delivery_sent on delivery (account, sent_ms) where record is not null;
CREATE INDEX need_needed on need (needed);
CREATE INDEX recorded_poll_query on recorded_poll (query, slot_ms);
CREATE INDEX delivery_record on delivery (record, seq) where record is not null;
CREATE INDEX post_server on post (server, at_ms);
CREATE INDEX post_at on post (at_ms);
CREATE UNIQUE INDEX post_queue on post (server, at_ms) where queued = 1 and cancelled_by is null;
CREATE INDEX post_draft_kept on post_draft (kept_ms);
CREATE INDEX post_draft_owner on post_draft (owner, kept_ms);
CREATE INDEX counted_question_person on counted_question (person, asked_ms);
CREATE INDEX counted_question_server on counted_question (server, asked_ms);
CREATE INDEX counted_question_asked on counted_question (asked_ms);
CREATE INDEX answer_message_at on answer_message (at_ms);
CREATE INDEX answer_message_conversation on answer_message (conversation);
CREATE INDEX answer_place_at on answer_place (at_ms);
CREATE INDEX answer_place_conversation on answer_place (conversation);
CREATE INDEX conversation_cost_at on conversation_cost (at_ms);
CREATE INDEX transcript_after on transcript (conversation, after);
CREATE INDEX transcript_asker on transcript (asker, conversation) where asker is not null;
CREATE INDEX draft_made on draft (made_ms);
CREATE INDEX draft_open on draft (asker, made_ms) where state = 'open';
CREATE INDEX delivery_order on delivery (account, position, part, due_ms) where state in ('pending', 'sending', 'asked');
CREATE INDEX delivery_sending on delivery (account, position, part) where state = 'sending';
CREATE INDEX delivery_queue on delivery (account, queue, position, part) where state in ('pending', 'sending');
CREATE INDEX delivery_rule on delivery (rule);
CREATE INDEX delivery_failed on delivery (seq, rule, created_ms) where state = 'failed';
CREATE INDEX delivery_skipped on delivery (seq, rule) where state = 'skipped' and not (section = 'while' and since_ms is null);
CREATE INDEX saved_view_made on saved_view (made_ms);
insert into rule_state ("rule", "slot_ms", "memory", "wake_ms", "retired_ms", "resumes") values ('live', 1795197120000, '{"firings":2,"firedMs":{"ada":1795197060000,"grace":1795197120000},"fusedMs":[1795197060000,1795197120000],"fingerprint":"QvHP7YG4gKsXKReM3FZM9X1O","definition":{"query":"TGz1EJwy","users":"OQ2DSHr3","accounts":["twitch"],"where":"owmR72ql"},"uncounted":"","lastPollMs":1795197120000,"ruleFiredMs":1795197120000}', null, null, 0);
insert into episode ("rule", "id", "body") values ('live', 'ada@2026-11-20T17:51:00.000Z', '{"id":"ada@2026-11-20T17:51:00.000Z","key":"ada","itemId":"s-ada","phase":"open","item":{"key":"ada","id":"s-ada","platform":"twitch","title":"ada plays","viewerCount":10,"startedAt":"2026-11-20T17:50:00.000Z","owner":{"id":"ada","displayName":"ada","platform":"twitch"},"rank":1},"firstSeenMs":1795197060000,"startedMs":1795197000000,"lastSeenMs":1795197120000,"hits":1,"misses":0,"polls":2,"peak":{"viewerCount":10},"closes":0,"evenIfUnchanged":true,"openedMs":1795197060000,"announcedBy":"e1k6VqG5GV6o9gcAXojMywf-"}');
insert into episode ("rule", "id", "body") values ('live', 'grace@2026-11-20T17:52:00.000Z', '{"id":"grace@2026-11-20T17:52:00.000Z","key":"grace","itemId":"s-grace","phase":"open","item":{"key":"grace","id":"s-grace","platform":"twitch","title":"grace plays","viewerCount":10,"startedAt":"2026-11-20T17:50:00.000Z","owner":{"id":"grace","displayName":"grace","platform":"twitch"},"rank":2},"firstSeenMs":1795197120000,"startedMs":1795197000000,"lastSeenMs":1795197120000,"hits":1,"misses":0,"polls":1,"peak":{"viewerCount":10},"closes":0,"evenIfUnchanged":true,"openedMs":1795197120000,"announcedBy":"XDClBHcx3Ixzlg6k8XQWWWPw"}');
insert into firing ("id", "rule", "episode", "section", "at_ms", "scope", "names") values ('e1k6VqG5GV6o9gcAXojMywf-', 'live', 'ada@2026-11-20T17:51:00.000Z', 'then', 1795197060000, '{"rule":{"id":"live"},"now":"2026-11-20T17:51:00.000Z","item":{"key":"ada","id":"s-ada","platform":"twitch","title":"ada plays","viewerCount":10,"startedAt":"2026-11-20T17:50:00.000Z","owner":{"id":"ada","displayName":"ada","platform":"twitch"},"rank":1},"change":{"kind":"entered","item":{"key":"ada","id":"s-ada","platform":"twitch","title":"ada plays","viewerCount":10,"startedAt":"2026-11-20T17:50:00.000Z","owner":{"id":"ada","displayName":"ada","platform":"twitch"},"rank":1},"rank":1},"episode":{"id":"ada@2026-11-20T17:51:00.000Z","open":true,"startedAt":"2026-11-20T17:50:00.000Z","lengthMs":60000,"polls":1,"peak":{"viewerCount":10}}}', '{"watch":"streaming.getStreams","per":"item","steps":{"post":"social.createPost","card":"discord.send"},"accounts":{"post":["x","mastodon"],"card":["discord"]}}');
insert into firing ("id", "rule", "episode", "section", "at_ms", "scope", "names") values ('XDClBHcx3Ixzlg6k8XQWWWPw', 'live', 'grace@2026-11-20T17:52:00.000Z', 'then', 1795197120000, '{"rule":{"id":"live"},"now":"2026-11-20T17:52:00.000Z","item":{"key":"grace","id":"s-grace","platform":"twitch","title":"grace plays","viewerCount":10,"startedAt":"2026-11-20T17:50:00.000Z","owner":{"id":"grace","displayName":"grace","platform":"twitch"},"rank":2},"change":{"kind":"entered","item":{"key":"grace","id":"s-grace","platform":"twitch","title":"grace plays","viewerCount":10,"startedAt":"2026-11-20T17:50:00.000Z","owner":{"id":"grace","displayName":"grace","platform":"twitch"},"rank":2},"rank":2},"episode":{"id":"grace@2026-11-20T17:52:00.000Z","open":true,"startedAt":"2026-11-20T17:50:00.000Z","lengthMs":120000,"polls":1,"peak":{"viewerCount":10}}}', '{"watch":"streaming.getStreams","per":"item","steps":{"post":"social.createPost","card":"discord.send"},"accounts":{"post":["x","mastodon"],"card":["discord"]}}');
insert into decision ("seq", "rule", "at_ms", "outcome", "item", "episode", "message", "details", "reason") values (1, 'live', 1795197000000, 'unchanged', null, null, 'nothing changed: 0 items read, 0 of them followed', null, '{"kind":"unchanged","read":0,"followed":0}');
insert into decision ("seq", "rule", "at_ms", "outcome", "item", "episode", "message", "details", "reason") values (2, 'live', 1795197060000, 'fired', 'ada', 'ada@2026-11-20T17:51:00.000Z', 'ada is live with 10 viewers', '{"firing":"e1k6VqG5GV6o9gcAXojMywf-"}', '{"kind":"itemChanged","name":"ada","change":{"kind":"entered","standing":{"rank":1,"viewers":10},"live":true}}');
insert into decision ("seq", "rule", "at_ms", "outcome", "item", "episode", "message", "details", "reason") values (3, 'live', 1795197120000, 'fired', 'grace', 'grace@2026-11-20T17:52:00.000Z', 'grace is live with 10 viewers', '{"firing":"XDClBHcx3Ixzlg6k8XQWWWPw"}', '{"kind":"itemChanged","name":"grace","change":{"kind":"entered","standing":{"rank":2,"viewers":10},"live":true}}');
insert into delivery ("seq", "id", "firing", "rule", "episode", "queue", "section", "occasion", "step", "element", "head", "part", "after", "verb", "account", "creates", "even_if_unchanged", "plan", "element_value", "state", "attempts", "created_ms", "begins_ms", "due_ms", "expires_ms", "max_age_ms", "retry_ms", "retry_attempts", "since_ms", "attempted_ms", "give_up_ms", "sent_ms", "params", "result", "record", "fault", "error", "message", "reason", "search_ms", "lost_ms", "omitted", "strict", "origins", "withdrawn", "answer_within_ms", "settled_ms", "resends", "names") values (1, 'NGW7IYClygX8M7flCVAiJBgd', 'e1k6VqG5GV6o9gcAXojMywf-', 'live', 'ada@2026-11-20T17:51:00.000Z', 'live/ada', 'then', '1', 'post', '', null, 0, null, 'social.createPost', 'x', 1, 1, '{"id":"post","number":1,"do":"social.createPost","creates":true,"with":{"text":"${{ item.owner.displayName }} is live"},"as":["x","mastodon"],"reads":[],"maxAgeMs":3600000}', null, 'sent', 1, 1795197060000, 1795197060000, 1795197060000, 1795200660000, 3600000, null, null, 1795197130000, 1795197130000, null, 1795197130000, '{"text":"ada is live"}', '{"id":"x/1","url":"https://x.test/1"}', 'x/1', null, null, null, null, null, null, null, 0, null, null, null, 1795197130000, null, null);
insert into delivery ("seq", "id", "firing", "rule", "episode", "queue", "section", "occasion", "step", "element", "head", "part", "after", "verb", "account", "creates", "even_if_unchanged", "plan", "element_value", "state", "attempts", "created_ms", "begins_ms", "due_ms", "expires_ms", "max_age_ms", "retry_ms", "retry_attempts", "since_ms", "attempted_ms", "give_up_ms", "sent_ms", "params", "result", "record", "fault", "error", "message", "reason", "search_ms", "lost_ms", "omitted", "strict", "origins", "withdrawn", "answer_within_ms", "settled_ms", "resends", "names") values (2, 'InuxBGVtC1kUtoc3btNqG69a', 'e1k6VqG5GV6o9gcAXojMywf-', 'live', 'ada@2026-11-20T17:51:00.000Z', 'live/ada', 'then', '1', 'post', '', null, 0, null, 'social.createPost', 'mastodon', 1, 1, '{"id":"post","number":1,"do":"social.createPost","creates":true,"with":{"text":"${{ item.owner.displayName }} is live"},"as":["x","mastodon"],"reads":[],"maxAgeMs":3600000}', null, 'pending', 1, 1795197060000, 1795197060000, 1795197200000, 1795200660000, 3600000, null, null, null, null, null, null, null, null, null, 'unavailable', 'Mastodon is out of order.', null, null, null, null, null, 0, null, null, null, null, null, null);
insert into delivery ("seq", "id", "firing", "rule", "episode", "queue", "section", "occasion", "step", "element", "head", "part", "after", "verb", "account", "creates", "even_if_unchanged", "plan", "element_value", "state", "attempts", "created_ms", "begins_ms", "due_ms", "expires_ms", "max_age_ms", "retry_ms", "retry_attempts", "since_ms", "attempted_ms", "give_up_ms", "sent_ms", "params", "result", "record", "fault", "error", "message", "reason", "search_ms", "lost_ms", "omitted", "strict", "origins", "withdrawn", "answer_within_ms", "settled_ms", "resends", "names") values (3, 'xFiOieIuBlOvpQzw0YkwsSlK', 'e1k6VqG5GV6o9gcAXojMywf-', 'live', 'ada@2026-11-20T17:51:00.000Z', 'live/ada', 'then', '1', 'card', '', null, 0, null, 'discord.send', 'discord', 1, 1, '{"id":"card","number":2,"do":"discord.send","creates":true,"with":{"channel":"live","content":"${{ item.title }}"},"as":["discord"],"reads":[],"maxAgeMs":3600000}', null, 'pending', 0, 1795197060000, 1795197060000, 1795197060000, 1795200660000, 3600000, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 0, null, null, null, null, null, null);
insert into delivery ("seq", "id", "firing", "rule", "episode", "queue", "section", "occasion", "step", "element", "head", "part", "after", "verb", "account", "creates", "even_if_unchanged", "plan", "element_value", "state", "attempts", "created_ms", "begins_ms", "due_ms", "expires_ms", "max_age_ms", "retry_ms", "retry_attempts", "since_ms", "attempted_ms", "give_up_ms", "sent_ms", "params", "result", "record", "fault", "error", "message", "reason", "search_ms", "lost_ms", "omitted", "strict", "origins", "withdrawn", "answer_within_ms", "settled_ms", "resends", "names") values (4, 'qE5jfk_k2Mxg5SCSViitexcU', 'XDClBHcx3Ixzlg6k8XQWWWPw', 'live', 'grace@2026-11-20T17:52:00.000Z', 'live/grace', 'then', '2', 'post', '', null, 0, null, 'social.createPost', 'x', 1, 1, '{"id":"post","number":1,"do":"social.createPost","creates":true,"with":{"text":"${{ item.owner.displayName }} is live"},"as":["x","mastodon"],"reads":[],"maxAgeMs":3600000}', null, 'sending', 1, 1795197120000, 1795197120000, 1795197120000, 1795200720000, 3600000, null, null, 1795197130000, 1795197130000, null, null, '{"text":"grace is live"}', null, null, null, null, null, null, null, null, null, 0, null, null, null, null, null, null);
insert into delivery ("seq", "id", "firing", "rule", "episode", "queue", "section", "occasion", "step", "element", "head", "part", "after", "verb", "account", "creates", "even_if_unchanged", "plan", "element_value", "state", "attempts", "created_ms", "begins_ms", "due_ms", "expires_ms", "max_age_ms", "retry_ms", "retry_attempts", "since_ms", "attempted_ms", "give_up_ms", "sent_ms", "params", "result", "record", "fault", "error", "message", "reason", "search_ms", "lost_ms", "omitted", "strict", "origins", "withdrawn", "answer_within_ms", "settled_ms", "resends", "names") values (5, 'EjvcP_kFfPX2T1ofxH7RWET2', 'XDClBHcx3Ixzlg6k8XQWWWPw', 'live', 'grace@2026-11-20T17:52:00.000Z', 'live/grace', 'then', '2', 'post', '', null, 0, null, 'social.createPost', 'mastodon', 1, 1, '{"id":"post","number":1,"do":"social.createPost","creates":true,"with":{"text":"${{ item.owner.displayName }} is live"},"as":["x","mastodon"],"reads":[],"maxAgeMs":3600000}', null, 'failed', 1, 1795197120000, 1795197120000, 1795197120000, 1795200720000, 3600000, null, null, null, null, null, null, null, null, null, 'forbidden', 'Mastodon refuses the post.', null, null, null, null, null, 0, null, null, null, 1795197130000, null, null);
insert into delivery ("seq", "id", "firing", "rule", "episode", "queue", "section", "occasion", "step", "element", "head", "part", "after", "verb", "account", "creates", "even_if_unchanged", "plan", "element_value", "state", "attempts", "created_ms", "begins_ms", "due_ms", "expires_ms", "max_age_ms", "retry_ms", "retry_attempts", "since_ms", "attempted_ms", "give_up_ms", "sent_ms", "params", "result", "record", "fault", "error", "message", "reason", "search_ms", "lost_ms", "omitted", "strict", "origins", "withdrawn", "answer_within_ms", "settled_ms", "resends", "names") values (6, 'jF-maX1M0g41ui7CXCbfV7Cy', 'XDClBHcx3Ixzlg6k8XQWWWPw', 'live', 'grace@2026-11-20T17:52:00.000Z', 'live/grace', 'then', '2', 'card', '', null, 0, null, 'discord.send', 'discord', 1, 1, '{"id":"card","number":2,"do":"discord.send","creates":true,"with":{"channel":"live","content":"${{ item.title }}"},"as":["discord"],"reads":[],"maxAgeMs":3600000}', null, 'pending', 0, 1795197120000, 1795197120000, 1795197120000, 1795200720000, 3600000, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 0, null, null, null, null, null, null);
insert into sent_count ("count") values (1);
insert into decision_count ("rule", "outcome", "count") values ('live', 'fired', 2);
insert into decision_count ("rule", "outcome", "count") values ('live', 'unchanged', 1);
CREATE TRIGGER sent_updated after update of state on delivery when (new.state = 'sent') <> (old.state = 'sent') begin
  update sent_count set count = count + iif(new.state = 'sent', 1, -1);
end;
CREATE TRIGGER sent_deleted after delete on delivery when old.state = 'sent' begin
  update sent_count set count = count - 1;
end;
CREATE TRIGGER decision_inserted after insert on decision begin
  insert into decision_count (rule, outcome, count) values (new.rule, new.outcome, 1)
  on conflict do update set count = count + 1;
end;
CREATE TRIGGER decision_deleted after delete on decision begin
  update decision_count set count = count - 1 where rule = old.rule and outcome = old.outcome;
end;
pragma user_version = 12;
