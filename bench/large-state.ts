import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '#src/store/sqlite/open.ts';

export interface LargeState {
  /** The database file; created in the newest version if it does not exist. */
  readonly file: string;
  /** The ids of the rules that fired. */
  readonly rules: readonly string[];
  /** The number of deliveries. Most are sent; one of a hundred failed, 40 are unknown, and the newest 50 are pending. */
  readonly deliveries: number;
  /** The number of stored decisions of each rule. */
  readonly decisionsPerRule?: number;
  /** The instant of the newest delivery. */
  readonly nowMs: number;
}

/** Deliveries are spread over this period, which is shorter than their retention. */
const PERIOD_MS = 80 * 86_400_000;
const ACCOUNTS = ['discord', 'x', 'mastodon', 'bluesky', 'sandbox'];
const OUTCOMES = ['fired', 'suppressed', 'deferred', 'unchanged', 'closed'];
const UNKNOWN = 40;
const PENDING = 50;

/** Writes the state of an installation that ran for months, in bulk: firings, deliveries, needs, episodes and decisions. */
export function writeLargeState({ file, rules, deliveries, decisionsPerRule = 100, nowMs }: LargeState): void {
  const hasRules = rules.length > 0;
  openDatabase(file).close();
  using database = new DatabaseSync(file);
  database.exec(`
    pragma synchronous = off;
    pragma cache_size = -400000;
    begin;
    create temp table one_rule (place integer primary key, id text not null);
    create temp table one_account (place integer primary key, id text not null);
    create temp table one_outcome (place integer primary key, id text not null);
  `);
  const lookups = [
    ['one_rule', hasRules ? rules : ['removed']],
    ['one_account', ACCOUNTS],
    ['one_outcome', OUTCOMES],
  ] as const;
  for (const [table, values] of lookups) {
    database.prepare(`insert into ${table} select key, value from json_each(?)`).run(JSON.stringify(values));
  }
  const firstMs = nowMs - PERIOD_MS;
  const bound = { count: deliveries, rules: Math.max(1, rules.length), firstMs, stepMs: PERIOD_MS / Math.max(1, deliveries) };
  database.prepare(FIRINGS).run({ ...bound, count: Math.ceil(deliveries / 2) });
  database.prepare(DELIVERIES).run({ ...bound, unknownEvery: Math.max(3, Math.floor(deliveries / UNKNOWN)), pending: PENDING });
  database.exec(NEEDS);
  database.exec("update sent_count set count = (select count(*) from delivery where state = 'sent')");
  if (hasRules) {
    database.prepare(DECISIONS).run({ rules: rules.length, count: rules.length * decisionsPerRule, firstMs });
    database.prepare(EPISODES).run({ nowMs });
    database.prepare(RULE_STATES).run({ nowMs });
  }
  database.exec('commit; pragma wal_checkpoint(truncate)');
}

/** Counts from 0. */
const NUMBERS = 'with recursive number (n) as (select 0 where :count > 0 union all select n + 1 from number where n + 1 < :count)';

const FIRINGS = `${NUMBERS}
insert into firing (id, rule, episode, section, at_ms, scope, names)
select 'firing-' || n, one_rule.id, 'episode-' || (n / (2 * :rules)), iif(n % 10 = 0, 'while', 'then'),
  cast(:firstMs + 2 * n * :stepMs as integer), null, '{"steps":{}}'
from number join one_rule on one_rule.place = n % :rules`;

/** Two deliveries for each firing. */
const DELIVERIES = `${NUMBERS},
planned as (
  select n, n / 2 as f, cast(:firstMs + n * :stepMs as integer) as at,
    case
      when n >= :count - :pending then 'pending'
      when n % :unknownEvery = 2 then 'unknown'
      when n % 100 = 7 then 'failed'
      when n % 20 = 11 or n % 400 = 1 then 'skipped'
      else 'sent'
    end as state
  from number
)
insert into delivery (
  id, firing, rule, episode, queue, section, occasion, step, verb, account, creates, even_if_unchanged, plan, state, attempts,
  created_ms, begins_ms, due_ms, since_ms, attempted_ms, sent_ms, params, result, record, fault, error, message, settled
)
select lower(hex(randomblob(11))), 'firing-' || f, one_rule.id, 'episode-' || (f / (2 * :rules)), one_rule.id || '/' || (f / (2 * :rules)),
  iif(f % 10 = 0, 'while', 'then'), '1', cast(n % 2 as text), iif(f % 10 = 0, 'discord.edit', 'social.createPost'), one_account.id,
  f % 10 <> 0, 0, '{"do":"social.createPost","creates":true,"with":{"text":"\${{ item.owner.displayName }} is live"},"as":["x"],"reads":[]}',
  state, iif(state in ('pending', 'skipped'), 0, 1), at, at, at, iif(state in ('pending', 'skipped'), null, at + 5),
  iif(state in ('pending', 'skipped'), null, at + 5), iif(state = 'sent', at + 300, null),
  iif(state in ('pending', 'skipped'), null, '{"text":"Streamer ' || n || ' is live with 1,200 viewers: https://example.test/' || n || '"}'),
  iif(state = 'sent', '{"id":"1/' || n || '","url":"https://example.test/post/' || n || '"}', null), iif(state = 'sent', '1/' || n, null),
  iif(state in ('failed', 'unknown'), 'rejected', null), iif(state in ('failed', 'unknown'), 'the platform rejected it', null),
  iif(state = 'skipped', 'the condition is false', null), iif(state = 'pending', null, 1)
from planned join one_rule on one_rule.place = f % :rules join one_account on one_account.place = n % ${ACCOUNTS.length}`;

/** Pending deliveries need the delivery before them, and some settled ones did. */
const NEEDS = `insert into need (delivery, needed, reads, stops)
select later.id, earlier.id, 1, 0 from delivery as later join delivery as earlier on earlier.seq = later.seq - 1
where later.seq % 2 = 0 and (later.state = 'pending' or later.seq % 10 = 0)`;

const DECISIONS = `${NUMBERS}
insert into decision (rule, at_ms, outcome, item, episode, message, details)
select one_rule.id, cast(:firstMs + n * 1000 as integer), one_outcome.id, 'item-' || (n % 7), 'episode-1', 'it was announced',
  iif(one_outcome.place = 0, '{"firing":"firing-' || (n % :rules) || '"}', null)
from number join one_rule on one_rule.place = n % :rules join one_outcome on one_outcome.place = (n / :rules) % ${OUTCOMES.length}`;

const EPISODES = `insert into past_episode (rule, id, started_ms, closed_ms, body)
select id, 'past-' || place, :nowMs - 7200000, :nowMs - 3600000, json_object('id', 'past-' || place, 'key', 'ada', 'startedMs', :nowMs - 7200000)
from one_rule`;

const RULE_STATES = `insert or ignore into rule_state (rule, slot_ms, memory)
select id, :nowMs - 60000, json_object('firedMs', json_object('ada', :nowMs - 9000000), 'fusedMs', json_array(:nowMs - 9000000)) from one_rule`;
