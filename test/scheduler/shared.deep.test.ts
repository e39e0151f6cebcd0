import { afterAll, expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createSharedScheduler, type SharedScheduler } from '#src/scheduler/shared-scheduler.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { startPostgres } from '../support/postgres.ts';
import { makeRule } from '../support/rules.ts';
import { decided, nothing } from './fixture.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

interface Worker extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly scheduler: SharedScheduler;
  /** The committed slots, for example `rule instant`. */
  readonly ran: string[];
}

interface Setting {
  readonly schema: string;
  readonly worker: string;
  readonly rules: readonly Rule[];
  /** What a poll waits for. */
  readonly until?: (rule: string) => Promise<void>;
}

async function startWorker({ schema, worker, rules, until = () => Promise.resolve() }: Setting): Promise<Worker> {
  const cluster = await openCluster({ url: postgres.url, schema, worker, role: 'worker', log: silentLog });
  const { store, agenda, clock } = cluster;
  const ran: string[] = [];
  const scheduler = await createSharedScheduler({
    rules,
    states: store.ruleStates,
    agenda,
    read: async (due, onPoll) => {
      await Promise.all(
        due.map(async ({ rule }) => {
          await until(rule.id);
          await onPoll(rule.id, nothing);
        }),
      );
    },
    advance: decided,
    onCommit: ({ rule, slotMs }) => ran.push(`${rule} ${slotMs}`),
    clock,
    log: silentLog,
  });
  const stop = new AbortController();
  const running = Promise.all([scheduler.work(stop.signal), cluster.run(stop.signal)]);
  return {
    cluster,
    scheduler,
    ran,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await cluster[Symbol.asyncDispose]();
    },
  };
}

const RULES = Array.from({ length: 120 }, (_, index) => makeRule({ id: `rule-${index}`, schedule: { everyMs: 5_000 } }));

test('each slot runs once, whoever ticks', async () => {
  const schema = postgres.newSchema();
  await using first = await startWorker({ schema, worker: 'one', rules: RULES });
  await using second = await startWorker({ schema, worker: 'two', rules: RULES });
  const tick = async (): Promise<number> => {
    await Promise.all([first.scheduler.tick(), second.scheduler.tick()]);
    return first.ran.length + second.ran.length;
  };

  await expect.poll(tick, { interval: 200 }).toBeGreaterThanOrEqual(2 * RULES.length);

  const all = [...first.ran, ...second.ran];
  expect(new Set(all).size).toBe(all.length);
  expect(new Set(all.map((slot) => slot.split(' ')[0])).size).toBe(RULES.length);
});

test('a rule that an operator runs waits for the slot that another worker runs', async () => {
  const schema = postgres.newSchema();
  const rules = [makeRule({ id: 'live' })];
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { promise: began, resolve: begin } = Promise.withResolvers<void>();
  const until = (): Promise<void> => (begin(), hold);
  await using first = await startWorker({ schema, worker: 'one', rules, until });
  await using second = await startWorker({ schema, worker: 'two', rules, until });
  // The first poll of a rule is due at once.
  await first.scheduler.tick();
  await began;

  const made = second.scheduler.run('live');
  release();

  expect(await made).toMatchObject({ rule: 'live' });
  const all = [...first.ran, ...second.ran];
  expect(new Set(all).size).toBe(2);
});

test('a changed rule runs in its new version everywhere, and a deleted rule no longer', async () => {
  const schema = postgres.newSchema();
  const rules = [makeRule({ id: 'live' }), makeRule({ id: 'gone' })];
  await using first = await startWorker({ schema, worker: 'one', rules });
  await using second = await startWorker({ schema, worker: 'two', rules });
  const changed = makeRule({ id: 'live', version: '2' });

  await Promise.all([first, second].map(({ scheduler }) => scheduler.apply({ put: [changed], drop: ['gone'] })));
  const made = await second.scheduler.run('live');

  expect(made?.decisions[0]?.details).toMatchObject({ version: '2' });
  expect(await first.scheduler.run('gone')).toBeUndefined();
  expect(await first.cluster.agenda.has('gone')).toBe(false);
});

test('a process that brings a new version keeps the slot that is due', async () => {
  const schema = postgres.newSchema();
  const rule = makeRule({ id: 'live', schedule: { everyMs: 5_000 } });
  await using first = await startWorker({ schema, worker: 'one', rules: [rule] });
  await first.scheduler.run('live');
  // No process ticks at the next slot.
  await first.cluster.clock.sleep(5_000);
  await using second = await startWorker({ schema, worker: 'two', rules: [{ ...rule, version: '2' }] });

  await second.scheduler.tick();

  await expect.poll(() => second.ran.length, { timeout: 3_000 }).toBe(1);
});
