import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import type { Clock } from '#src/clock.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import { createUsageStore, dropUsage } from '#src/store/account-usage.ts';
import { changeDelivery } from '#src/store/change-delivery.ts';
import { createDecisionLog } from '#src/store/decision-log.ts';
import { createDeliveries } from '#src/store/deliveries.ts';
import { createDeliveryLog } from '#src/store/delivery-log.ts';
import { createEpisodeLog } from '#src/store/episode-log.ts';
import { createItemNames } from '#src/store/item-names.ts';
import { findPausedBy } from '#src/store/pauses.ts';
import { createRetiredRules } from '#src/store/retired-rules.ts';
import { createRuleStates } from '#src/store/rule-states.ts';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { migrate } from '#src/store/sqlite/migrate.ts';
import { SCHEMA } from '#src/store/sqlite/schema.ts';
import type { Tables } from '#src/store/tables.ts';
import { creating, firing, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { collectStatements } from '../support/statement-plans.ts';

/** The query plans on an empty database. Without statistics, they depend on the SQL alone. */
async function plansOf(run: (db: Kysely<Tables>, clock: Clock) => Promise<unknown>): Promise<readonly string[]> {
  const database = new DatabaseSync(':memory:');
  migrate(database, { file: ':memory:', schema: SCHEMA });
  using collected = collectStatements();
  await using db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  // A query for one row throws, because the database is empty.
  await run(db, new ManualClock()).catch(() => undefined);
  return [...collected.statements].flatMap((sql) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
}

/** The position behind an episode. */
const CURSOR = Buffer.from('[5,"ada@1"]').toString('base64url');

const sender = { claim: () => Promise.reject(new Error('the sender has no lock')) };

const open = {
  id: '1',
  firing: 'f',
  account: 'x',
  queue: 'q',
  section: 'then',
  state: 'pending',
  order: 9,
  part: 0,
  beginsMs: 1,
  isBegun: false,
} as const;
const fired = firing([creating(['x'])], { section: 'while' });
const delivery = newDelivery(fired.steps[0] ?? expect.fail('the firing has no step'), fired, { nowMs: SLOT_MS });
const after = { order: 1, part: 0 };

test.for([
  ['the first candidates', (db) => createDeliveries({ db, sender }).candidates('x', { nowMs: 1, heldQueues: [], limit: 20 })],
  ['later candidates', (db) => createDeliveries({ db, sender }).candidates('x', { nowMs: 1, after, heldQueues: ['q'], limit: 20 })],
  ['the deliveries ahead', (db) => createDeliveries({ db, sender }).ahead(open, { limit: 20 })],
  ['later deliveries ahead', (db) => createDeliveries({ db, sender }).ahead(open, { after, limit: 20 })],
  ['deliveries that wait for others', (db) => createDeliveries({ db, sender }).behind(['1'])],
  ['deliveries by id', (db) => createDeliveries({ db, sender }).load(['1'])],
  ['needs', (db) => createDeliveries({ db, sender }).needs(['1'])],
  ['waiting needs', (db) => createDeliveries({ db, sender }).waitingNeeds()],
  ['dependents', (db) => createDeliveries({ db, sender }).dependents(['1'])],
  ['needed deliveries', (db) => createDeliveries({ db, sender }).needed('1')],
  ['the deliveries of firings', (db) => createDeliveries({ db, sender }).ofFirings(['f'])],
  ['the last results of an episode', (db) => createDeliveries({ db, sender }).ofEpisode({ rule: 'r', episode: 'e' }, ['card'])],
  ['the plan of a delivery', (db) => createDeliveries({ db, sender }).plan(delivery)],
  ['open deliveries of a section', (db) => createDeliveries({ db, sender }).hasOpen(delivery)],
  ['the last sent edit', (db) => createDeliveries({ db, sender }).lastSent(delivery)],
  ['an unedited message', (db) => createDeliveries({ db, sender }).unedited(delivery, '1/2')],
  ['an edited record', (db) => createDeliveries({ db, sender }).edited(delivery, '1')],
  ['a missing message', (db) => createDeliveries({ db, sender }).isKnownMissing(delivery, '1/2')],
  ['the role changes of open episodes', (db) => createDeliveries({ db, sender }).roleChanges(delivery, '1')],
  ['the next due time', (db) => createDeliveries({ db, sender }).nextDueMs('x', 1)],
  ['accounts with open deliveries', (db) => createDeliveries({ db, sender }).accounts()],
  ['begun deliveries', (db) => createDeliveries({ db, sender }).begun('x')],
  ['records of other deliveries', (db) => createDeliveries({ db, sender }).taken({ id: '1', account: 'x' })],
  ['the state of a rule', (db, clock) => createRuleStates({ db, clock, prune: () => Promise.resolve() }).load('live')],
  ['the deliveries of a message', (db) => createDeliveryLog(db).of('1/2')],
  ['the due deliveries', (db) => createDeliveryLog(db).dueByAccount(1)],
  ['the pause of a rule', (db) => findPausedBy(db, 'live', 1)],
  ['the use of an account', (db) => createUsageStore(db).days('x', 1)],
  ['old hours of the use of accounts', (db) => dropUsage(db, { beforeMs: 1, limit: 100 })],
  ['the counts of decisions of rules', (db) => createDecisionLog(db).counts(['live'])],
  ['open episodes', (db) => createEpisodeLog(db).open([{ rule: 'live', id: 'ada@1' }])],
  ['the episodes of a rule', (db) => createEpisodeLog(db).list({ rule: 'live', sinceMs: 1 })],
] as const satisfies (readonly [string, (db: Kysely<Tables>, clock: Clock) => Promise<unknown>])[])(
  'an index finds %s without a scan of the table',
  async ([, run]) => {
    const plans = await plansOf(run);

    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((line) => line.startsWith('SCAN') && !line.includes('INDEX'))).toEqual([]);
  },
);

test('a commit that begins an attempt reads only the open deliveries of its account', async () => {
  const plans = await plansOf((db) => changeDelivery(db, delivery, { state: 'sending', attempts: 1 }, { ifAlone: { nowMs: 1 } }));

  expect(plans).toContain('SEARCH other USING INDEX delivery_order (account=? AND position<?)');
});

test('a search for old deleted rules reads the small indexes of open and unknown deliveries', async () => {
  const plans = await plansOf((db, clock) => createRetiredRules(db, 100)(clock.nowMs()));

  expect(plans.filter((line) => line.includes(' delivery'))).toEqual([
    expect.stringMatching(/^SCAN delivery USING .*INDEX delivery_open$/u),
    expect.stringMatching(/^SCAN delivery USING .*INDEX delivery_unknown$/u),
  ]);
});

test('a search by a name scans only the few episodes that are not in the index', async () => {
  const plans = await plansOf((db) => createItemNames(db).rulesWith('ada', ['live']));

  expect(plans.filter((line) => line.startsWith('SCAN')).toSorted()).toEqual(['SCAN indexed_decision', 'SCAN noted', 'SCAN noted']);
  expect(plans).toContain('SEARCH item_name USING PRIMARY KEY (name=?)');
  expect(plans).toContain('SEARCH decision USING INTEGER PRIMARY KEY (rowid>?)');
});

test('an index has the order of a page of episodes, so that SQLite sorts at most the rows of one instant', async () => {
  const plans = await plansOf((db) => createEpisodeLog(db).page({ rule: 'live', cursor: CURSOR, limit: 20 }));

  expect(plans).toContain('SEARCH episode USING INDEX episode_started (rule=? AND started_ms<?)');
  expect(plans).toContain('SEARCH past_episode USING INDEX past_episode_started (rule=? AND started_ms<?)');
  expect(plans.filter((line) => line === 'USE TEMP B-TREE FOR LAST TERM OF ORDER BY')).toHaveLength(2);
});

test('an index has the order of attempts, so that SQLite does not sort candidates', async () => {
  const plans = await plansOf(async (db) => {
    const rows = createDeliveries({ db, sender });
    await rows.candidates('x', { nowMs: 1, heldQueues: ['q'], limit: 20 });
    await rows.candidates('x', { nowMs: 1, after, heldQueues: [], limit: 20 });
    await rows.ahead(open, { limit: 20 });
    await rows.ahead(open, { after, limit: 20 });
    await rows.begun('x');
  });

  expect(plans.filter((line) => line.includes('TEMP B-TREE'))).toEqual([]);
  expect(plans.filter((line) => /SEARCH delivery USING .*INDEX delivery_(order|queue|sending)/.test(line))).toHaveLength(5);
});
