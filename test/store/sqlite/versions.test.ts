import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from '#src/store/sqlite/migrate.ts';
import { SCHEMA } from '#src/store/sqlite/schema.ts';
import { openStore } from '#src/store/store.ts';
import { committing, creating, episodeOf, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const STATES = ['pending', 'sending', 'sent', 'failed', 'unknown', 'skipped'];

/** A database as Fanfare left it in an earlier version: a firing with a delivery in each state, where each reads the one before. */
function writeVersion2(file: string): void {
  using database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  migrate(database, { file, schema: SCHEMA.slice(0, 2) });
  const scope = JSON.stringify({ rule: { id: 'live' }, now: '2026-11-20T18:00:00.000Z' });
  database.prepare("insert into firing values ('f1', 'live', 'ada@1', 'then', ?, ?, '{\"steps\":{}}')").run(SLOT_MS, scope);
  database.prepare("insert into episode values ('live', 'ada@1', ?)").run(JSON.stringify(episodeOf('ada@1')));
  database.prepare('insert into rule_state values (\'live\', ?, \'{"firings":1,"firedMs":{}}\')').run(SLOT_MS);
  const insert = database.prepare(`
    insert into delivery (id, firing, rule, episode, queue, section, occasion, step, verb, account, creates, afresh, plan, state, attempts,
      created_ms, due_ms, expires_ms, since_ms, attempted_ms, give_up_ms, sent_ms, params, result, record, fault, message, reason)
    values (?, 'f1', 'live', 'ada@1', 'live/ada@1', 'then', '1', ?, 'social.createPost', 'x', 1, 0, ?, ?, 2,
      ?, ?, ?, ?, ?, ?, ?, '{"text":"hello"}', '{"id":"r1"}', 'r1', 'unavailable', 'down', 'because')
  `);
  const plan = JSON.stringify(creating(['x']));
  for (const [index, state] of STATES.entries()) {
    const times = Array.from({ length: 7 }, (_, n) => SLOT_MS + index * 10 + n);
    insert.run(state, `s${index}`, plan, state, ...times);
    if (index > 0) database.prepare('insert into need values (?, ?, 1)').run(state, STATES[index - 1] ?? '');
  }
}

test('a database of version 2 keeps its deliveries, what they read, its episodes and its slots', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  writeVersion2(file);

  await using store = await openStore({ file, clock: new ManualClock(SLOT_MS) });

  const { items } = await store.deliveryLog.list();
  expect(items.toReversed().map(({ id, state }) => [id, state])).toEqual(STATES.map((state) => [state, state]));
  expect(items.at(-2)).toEqual({
    id: 'sending',
    firing: 'f1',
    rule: 'live',
    episode: 'ada@1',
    queue: 'live/ada@1',
    section: 'then',
    occasion: '1',
    step: 's1',
    do: 'social.createPost',
    account: 'x',
    creates: true,
    evenIfUnchanged: false,
    state: 'sending',
    attempts: 2,
    createdAt: new Date(SLOT_MS + 10),
    dueAt: new Date(SLOT_MS + 11),
    expiresAt: new Date(SLOT_MS + 12),
    since: new Date(SLOT_MS + 13),
    attemptedAt: new Date(SLOT_MS + 14),
    giveUpAt: new Date(SLOT_MS + 15),
    sentAt: new Date(SLOT_MS + 16),
    params: { text: 'hello' },
    result: { id: 'r1' },
    error: { fault: 'unavailable', message: 'down' },
    message: 'because',
  });
  const failed = items.find(({ id }) => id === 'failed');
  expect(failed && (await store.deliveries.prepare(failed)).results).toEqual({ s2: [{ account: 'x', result: { id: 'r1' } }] });
  expect(await store.ruleStates.lastSlots()).toEqual(new Map([['live', { slotMs: SLOT_MS }]]));
  expect((await store.episodes.list({ rule: 'live' })).map(({ id }) => id)).toEqual(['ada@1']);
});

test('a database of version 2 goes on where it was', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  writeVersion2(file);
  await using store = await openStore({ file, clock: new ManualClock(SLOT_MS) });
  const next = firing([creating(['x'])], { occasion: '2' });

  await store.ruleStates.commit(committing([next], { slotMs: SLOT_MS + 1 }));

  const due = await store.deliveries.due('x', { nowMs: SLOT_MS + 1_000, limit: 10 });
  expect(due.map(({ id }) => id)).toEqual(['sending', 'pending']);
  for (const delivery of due) await store.deliveries.change(delivery, { state: 'asked', dueAt: new Date(SLOT_MS + 2_000) });
  expect((await store.deliveries.due('x', { nowMs: SLOT_MS + 1_000, limit: 10 })).map(({ id }) => id)).toEqual(keysOf(next));
});

test('a database of version 4 keeps the sentences that it has of its reasons', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  writeVersion2(file);
  {
    using database = new DatabaseSync(file);
    migrate(database, { file, schema: SCHEMA.slice(0, 4) });
    database
      .prepare("insert into decision (rule, at_ms, outcome, item, reason) values ('live', ?, 'fired', 'ada', 'ada entered at #1')")
      .run(SLOT_MS);
  }

  await using store = await openStore({ file, clock: new ManualClock(SLOT_MS) });

  expect((await store.decisions.list()).items).toEqual([
    { rule: 'live', atMs: SLOT_MS, outcome: 'fired', item: 'ada', message: 'ada entered at #1' },
  ]);
  expect((await store.deliveryLog.list({ state: 'failed' })).items).toMatchObject([{ message: 'because', reason: undefined }]);
});

test('a database of version 10 names the visibility of posts for followers as records do', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  writeVersion2(file);
  {
    using database = new DatabaseSync(file);
    migrate(database, { file, schema: SCHEMA.slice(0, 10) });
    const plan = JSON.stringify({ ...creating(['x']), with: { text: 'private', visibility: 'private' } });
    database.prepare('update delivery set plan = ?, params = ?').run(plan, JSON.stringify({ text: 'private', visibility: 'private' }));
  }

  await using store = await openStore({ file, clock: new ManualClock(SLOT_MS) });

  const { items } = await store.deliveryLog.list({ state: 'pending' });
  expect(items).toMatchObject([{ params: { text: 'private', visibility: 'followers' } }]);
  const [pending] = items;
  expect(pending && (await store.deliveries.prepare(pending)).due.step.with).toEqual({ text: 'private', visibility: 'followers' });
});
