import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { createMemoryDeliveries } from '#src/engine/delivery/memory-deliveries.ts';
import { MemoryTable } from '#src/engine/delivery/memory-table.ts';
import { resendFailed } from '#src/engine/delivery/resolution.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Recovery } from '#src/clients/operation/platform.ts';
import { NEW_STATE, type Episode, type RuleMemory, type StateChange } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Firing, Withdrawal } from '#src/rules/firing.ts';
import { renderStep } from '#src/rules/render.ts';
import { CaseWorld } from '#src/engine/testing/world/case-world.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openStore } from '#src/store/store.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres-database.ts';
import { fc, runs } from '../../support/property.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { catalogue } from '../../support/rule-language.ts';
import { life, MINUTE, START_MS, type Life } from '../testing/restarts.ts';

/** Longer than every wait and every retry of the rules. */
const RUN_OUT_MS = 20 * MINUTE;
/** More steps between two polls mean that the engine never becomes idle. */
const MOST_STEPS = 5_000;

const textLimit = { most: 60, lengthOf: (text: string): number => text.length };

/** The deliveries of one run, in memory or in SQLite. */
interface Stored extends AsyncDisposable {
  readonly deliveries: DeliveryStore;
  commit(slot: {
    readonly slotMs: number;
    readonly firings: readonly Firing[];
    readonly withdrawals: readonly Withdrawal[];
    readonly change?: StateChange | undefined;
  }): Promise<void>;
  delivering(): Promise<ReadonlyMap<string, number>>;
  all(): Promise<readonly Delivery[]>;
  /** The deliveries after a restart: the same rows behind a new table, or behind the reopened file. */
  restart(): Promise<DeliveryStore>;
}

function inMemory(nowMs: () => number): Stored {
  let table = new MemoryTable();
  return {
    deliveries: createMemoryDeliveries(table),
    commit: (slot) => Promise.resolve(table.commit({ ...slot, nowMs: nowMs() })),
    delivering: () => table.delivering(),
    all: () => Promise.resolve(table.all().map(({ delivery }) => delivery)),
    restart() {
      table = new MemoryTable(table.snapshot());
      return Promise.resolve(createMemoryDeliveries(table));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function inSqlite(rule: string, nowMs: () => number): Promise<Stored> {
  const folder = temporaryFolder({ inMemory: true });
  const file = join(folder.path, 'fanfare.sqlite');
  const clock = { nowMs, sleep: () => Promise.reject(new Error('nothing waits')) };
  let store = await openStore({ file, clock });
  return {
    deliveries: store.deliveries,
    commit: async (slot) => void (await store.ruleStates.commit({ rule, ...slot, decisions: [] })),
    delivering: async () => (await store.ruleStates.load(rule)).delivering ?? new Map(),
    all: async () => (await store.deliveryLog.list({ limit: 10_000, idle: true })).items.toReversed(),
    async restart() {
      await store[Symbol.asyncDispose]();
      store = await openStore({ file, clock });
      return store.deliveries;
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The deliveries of one run in a schema of `postgres`. */
async function inPostgres(postgres: TestDatabase, rule: string, nowMs: () => number): Promise<Stored> {
  const options = { url: postgres.url, schema: postgres.newSchema(), maxConnections: 2 };
  const clock = { nowMs, sleep: () => Promise.reject(new Error('nothing waits')) };
  let store = await openPostgresStore({ ...options, clock });
  return {
    deliveries: store.deliveries,
    commit: async (slot) => void (await store.ruleStates.commit({ rule, ...slot, decisions: [] })),
    delivering: async () => (await store.ruleStates.load(rule)).delivering ?? new Map(),
    all: async () => (await store.deliveryLog.list({ limit: 10_000, idle: true })).items.toReversed(),
    async restart() {
      await store[Symbol.asyncDispose]();
      store = await openPostgresStore({ ...options, clock });
      return store.deliveries;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

type Attempted = 'ok' | Extract<Fault, 'rateLimited' | 'unavailable' | 'unanswered' | 'rejected' | 'duplicate'>;

/** The faults, answers and restarts of one run. */
interface Run extends Life {
  /** The outcomes of the attempts, in their order, again and again. */
  readonly attempts: readonly Attempted[];
  readonly recoveries: readonly ('found' | 'absent' | 'cannotTell')[];
  /** The polls before which Fanfare restarts, by their number. */
  readonly restarts: readonly number[];
}

const run: fc.Arbitrary<Run> = fc
  .record({
    life,
    attempts: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant<Attempted>('ok') },
        { weight: 3, arbitrary: fc.constantFrom<Attempted>('rateLimited', 'unavailable', 'unanswered', 'rejected', 'duplicate') },
      ),
      { minLength: 1, maxLength: 12 },
    ),
    recoveries: fc.array(fc.constantFrom('found' as const, 'absent' as const, 'cannotTell' as const), { minLength: 1, maxLength: 4 }),
    restarts: fc.uniqueArray(fc.nat(20), { maxLength: 4 }),
  })
  .map(({ life: { rule, lines }, ...rest }) => ({ ...rest, rule, lines: lines.slice(0, 12) }));

/** Compares the engine over memory with the engine over a database. Resolves with the sections and states of all deliveries. */
async function compare(numRuns: number, open: (rule: string, nowMs: () => number) => Promise<Stored>): Promise<ReadonlySet<string>> {
  const states = new Set<string>();
  await fc.assert(
    fc.asyncProperty(run, async (one) => {
      const memory = await follow(one, (nowMs) => Promise.resolve(inMemory(nowMs)));
      const stored = await follow(one, (nowMs) => open(one.rule.id, nowMs));

      expect(memory.log).toEqual(stored.log);
      // The store drops edits that were replaced long ago.
      const inMemoryById = new Map(memory.all.map((delivery) => [delivery.id, delivery]));
      expect(stored.all.map(({ id }) => inMemoryById.get(id))).toEqual(stored.all);
      for (const { state, section } of memory.all) states.add(`${section} ${state}`);
    }),
    { numRuns },
  );
  return states;
}

test('the delivery engine does the same over memory and over SQLite', async () => {
  const states = await compare(runs(25, 400), inSqlite);

  expect(states.size).toBeGreaterThan(10);
});

test.runIf(runs(0, 1) > 0)('the delivery engine does the same over memory and over PostgreSQL', async () => {
  await using postgres = await createDatabase();

  const states = await compare(runs(1, 25), (rule, nowMs) => inPostgres(postgres, rule, nowMs));

  expect(states.size).toBeGreaterThan(1);
});

/** Runs a rule, and logs every attempt, every search and every answer. */
async function follow(
  { rule, lines, attempts, recoveries, restarts }: Run,
  open: (nowMs: () => number) => Promise<Stored>,
): Promise<{ readonly log: readonly string[]; readonly all: readonly Delivery[] }> {
  let nowMs = START_MS;
  await using stored = await open(() => nowMs);
  const log: string[] = [];
  const world = new CaseWorld({ rule, catalogue, reportError: () => undefined });
  let attempted = 0;
  let recovered = 0;

  const engineOver = (deliveries: DeliveryStore) =>
    createDeliveryEngine({
      deliveries,
      perform({ do: verb, account, params, key }): Promise<Json> {
        const outcome = attempts[attempted++ % attempts.length] ?? 'ok';
        log.push(JSON.stringify([nowMs, outcome, verb, account, params]));
        // The store drops edits that were replaced long ago: they make no record.
        if (outcome === 'ok' && verb === 'discord.edit') return Promise.resolve({});
        if (outcome === 'ok') return Promise.resolve({ id: `r${key}`, url: `https://example.invalid/${account}`, items: [] });
        return Promise.reject(new PlatformError(outcome, { platform: account, fault: outcome }));
      },
      recover({ do: verb, account, key, taken }): Promise<Recovery<Json>> {
        const outcome = recoveries[recovered++ % recoveries.length] ?? 'absent';
        log.push(JSON.stringify([nowMs, outcome, account, key, [...taken].toSorted()]));
        return Promise.resolve(outcome === 'found' ? { found: verb === 'discord.edit' ? {} : { id: `r${key}` } } : outcome);
      },
      render: ({ delivery: { section, account }, ...due }, results) =>
        renderStep({ ...due, section, account, results, textLimit, catalogue }),
      isQuestion: (verb) => verb === 'discord.ask',
      random: () => 0.5,
      clock: { nowMs: () => nowMs, sleep: () => Promise.reject(new Error('nothing waits')) },
      log: silentLog,
    });
  let { deliveries } = stored;
  let engine = engineOver(deliveries);

  async function workUntil(untilMs: number): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step++) {
      if (await engine.deliverNext()) continue;
      const nextMs: (number | undefined)[] = [];
      for (const account of await deliveries.accounts()) nextMs.push(await deliveries.nextDueMs(account, nowMs));
      const next = Math.min(...nextMs.map((ms) => ms ?? Infinity));
      if (next > untilMs) {
        nowMs = untilMs;
        while (await engine.deliverNext());
        return;
      }
      nowMs = next;
    }
    throw new Error('the engine never becomes idle');
  }

  async function resendNow(failed: Delivery): Promise<string | undefined> {
    const planned = failed.after === undefined ? await deliveries.plan(failed) : undefined;
    const change = resendFailed(failed, { step: planned?.step, by: 'ada', nowMs });
    return (await engine.reopen(failed, change, { planned }))?.state;
  }

  let memory: RuleMemory = NEW_STATE.memory;
  const episodes = new Map<string, Episode>();
  for (const [index, line] of lines.entries()) {
    const slotMs = START_MS + line.atMs;
    await workUntil(slotMs);
    if (restarts.includes(index)) {
      deliveries = await stored.restart();
      engine = engineOver(deliveries);
    }
    for (const { id, state, step } of await stored.all()) {
      const answer = line.answers[step];
      if (state === 'asked' && isJsonObject(answer)) log.push(`answer ${(await engine.answer(id, answer))?.state}`);
      const failed = state === 'failed' ? await deliveries.find(id) : undefined;
      if (failed && (failed.resends?.length ?? 0) < 2) log.push(`resend ${await resendNow(failed)}`);
      if (state === 'unknown') log.push(`resolve ${(await engine.resolve(id, index % 2 === 0 ? 'sent' : 'again'))?.state}`);
    }
    const delivering = await stored.delivering();
    log.push(JSON.stringify([...delivering].toSorted(([one], [other]) => one.localeCompare(other))));
    const poll = world.pollOf(line, slotMs);
    const { change, firings, withdrawals } = advance({ rule, state: { memory, episodes, delivering }, poll, slotMs });
    if (change) memory = change.memory;
    for (const id of change?.drop ?? []) episodes.delete(id);
    for (const episode of change?.put ?? []) episodes.set(episode.id, episode);
    await stored.commit({ slotMs, firings, withdrawals, change });
    await workUntil(slotMs);
  }
  await workUntil(nowMs + RUN_OUT_MS);
  return { log, all: await stored.all() };
}
