import { DatabaseSync } from 'node:sqlite';
import { Kysely, type CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import type { Clock } from '#src/clock.ts';
import { createDeliveries } from '#src/store/deliveries.ts';
import { createDeliveryLog } from '#src/store/delivery-log.ts';
import { createEpisodeLog } from '#src/store/episode-log.ts';
import { findPausedBy } from '#src/store/pauses.ts';
import { createRuleStates } from '#src/store/rule-states.ts';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { migrate } from '#src/store/sqlite/migrate.ts';
import { SCHEMA } from '#src/store/sqlite/schema.ts';
import type { Tables } from '#src/store/tables.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** What is asked of an empty database, and how it would look for the answers: without statistics that depends on the words alone. */
async function plansOf(ask: (db: Kysely<Tables>, clock: Clock) => Promise<unknown>): Promise<readonly string[]> {
  const database = new DatabaseSync(':memory:');
  migrate(database, { file: ':memory:', schema: SCHEMA });
  const queries: CompiledQuery[] = [];
  await using db = new Kysely<Tables>({ dialect: sqliteDialect(database), log: ({ query }) => void queries.push(query) });
  await ask(db, new ManualClock());
  return queries.flatMap(({ sql, parameters }) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all(...parameters.map(String))
      .map(({ detail }) => String(detail)),
  );
}

const sender = { claim: () => Promise.reject(new Error('nobody sends here')) };

test.for([
  ['what is due', (db) => createDeliveries(db, sender).candidates('x', { nowMs: 1, heldQueues: ['q'], limit: 20 })],
  ['when the next is due', (db) => createDeliveries(db, sender).nextDueMs('x', 1)],
  ['who has something to do', (db) => createDeliveries(db, sender).accounts()],
  ['what was begun', (db) => createDeliveries(db, sender).begun('x')],
  ['what others made since', (db) => createDeliveries(db, sender).taken({ id: '1', account: 'x' })],
  ['the state of a rule', (db, clock) => createRuleStates({ db, clock, prune: () => Promise.resolve() }).load('live')],
  ['what made and changed a message', (db) => createDeliveryLog(db).of('1/2')],
  ['who paused a rule', (db) => findPausedBy(db, 'live')],
  ['what a rule followed', (db) => createEpisodeLog(db).list({ rule: 'live', sinceMs: 1 })],
] as const satisfies (readonly [string, (db: Kysely<Tables>, clock: Clock) => Promise<unknown>])[])(
  '%s is found by an index, however much there is',
  async ([, ask]) => {
    const plans = await plansOf(ask);

    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((line) => line.startsWith('SCAN') && !/INDEX|on_operator|on_person/.test(line))).toEqual([]);
  },
);
