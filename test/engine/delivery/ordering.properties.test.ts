import { expect, test } from 'vitest';
import { firstSteps } from '#src/engine/delivery/first-attempt.ts';
import { createMemoryDeliveries } from '#src/engine/delivery/memory-deliveries.ts';
import { MemoryTable } from '#src/engine/delivery/memory-table.ts';
import type { DeliveryChange, Part } from '#src/engine/delivery/delivery.ts';
import { openStore } from '#src/store/store.ts';
import { attemptsAt } from '../../contract/begun-attempts.ts';
import { find, type StoredDeliveries } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';
import { fc, runs } from '../../support/property.ts';
import { ASKED, BEGUN, EACH, events, FULL, LATER_MS, waiting, WAITING, WITHDRAWN, type Event, type Outcome } from './ordering-events.ts';
import { OrderingModel, type ModelDelivery } from './ordering-model.ts';

const ACCOUNTS = ['x', 'y'];
/** Below, at about and above the pages in which a store is read. */
const LIMITS = [2, 40, 5_000];

type Open = (clock: ManualClock) => Promise<StoredDeliveries & AsyncDisposable>;

/** Runs the events on the model and on a store, and compares the due deliveries after each event. */
async function compare(all: readonly Event[], open: Open): Promise<ReadonlySet<string>> {
  const clock = new ManualClock(SLOT_MS);
  await using store = await open(clock);
  const model = new OrderingModel();
  const firings: string[] = [];
  const seen = new Set<string>();

  async function change(one: ModelDelivery, to: DeliveryChange, parts: readonly Part[] = []): Promise<void> {
    const { state, dueAt } = to;
    const isEnd = ['sent', 'failed', 'skipped', 'unknown'].includes(state);
    const settledAt = isEnd ? { settledAt: new Date(clock.nowMs()) } : {};
    expect(await store.deliveries.change(await find(store, one.id), { ...to, ...settledAt }, { parts })).toBeDefined();
    one.state = state;
    if (dueAt) one.dueMs = dueAt.getTime();
    if (isEnd) one.settledMs = clock.nowMs();
    if (to.since) one.isBegun = true;
    seen.add(state);
  }

  async function begin(one: ModelDelivery, parts: readonly Part[] = []): Promise<void> {
    const now = new Date(clock.nowMs());
    await change(one, { state: 'sending', attempts: 1, params: { text: 'hello' }, since: now, attemptedAt: now }, parts);
  }

  async function carryOut(one: ModelDelivery, outcome: Outcome): Promise<void> {
    const laterAt = new Date(clock.nowMs() + LATER_MS);
    const isNew = one.state === 'pending' && !one.isBegun && !one.isTail;
    const ids = [`${one.id} 1`, `${one.id} 2`];
    // Only a step has a list; an element is one text.
    if (outcome === 'elements' && isNew && !one.id.includes(' ')) {
      const parts = ids.map((id, index) => ({ id, element: { key: id, it: id, index } }));
      await change(one, { state: 'skipped' }, parts);
      return model.addElements(one, ids);
    }
    if (outcome === 'postponed' && one.state === 'pending') return change(one, { state: 'pending', dueAt: laterAt });
    if (outcome === 'thread' && isNew) {
      await begin(
        one,
        ids.map((id, index) => ({ id, params: { text: id }, after: ids[index - 1] ?? one.id })),
      );
      return model.addTails(one, ids);
    }
    if (one.state === 'unknown')
      return change(one, outcome === 'sent' ? { state: 'sent' } : { state: 'pending', dueAt: new Date(clock.nowMs()) });
    if (one.state === 'asked') return change(one, { state: outcome === 'sent' ? 'sent' : 'skipped' });
    if (one.state === 'pending') await begin(one);
    if (outcome === 'retry') return change(one, { state: 'pending', dueAt: laterAt });
    if (outcome === 'asked') return change(one, { state: 'asked', dueAt: laterAt });
    if (outcome === 'lost') return change(one, { state: 'sending', dueAt: laterAt });
    return change(one, { state: outcome === 'failed' || outcome === 'skipped' || outcome === 'unknown' ? outcome : 'sent' });
  }

  for (const [index, event] of all.entries()) {
    const nextMs = Math.min(...ACCOUNTS.map((account) => model.nextDueMs(account, clock.nowMs()) ?? Infinity));
    const passedMs = event.kind === 'advance' && event.ms !== 'next' ? event.ms : 1;
    clock.set(event.kind === 'advance' && event.ms === 'next' && nextMs < Infinity ? nextMs : clock.nowMs() + passedMs);
    const nowMs = clock.nowMs();
    if (event.kind === 'commit') {
      const steps = event.steps.map((one, position) => ({ ...one, id: `${event.prefix}${position}` }));
      const sees = event.sees.flatMap((number) => firings[number] ?? []);
      const planned = steps.map(({ stops, ...one }) => creating(one.as, { ...one, onError: stops ? 'stop' : undefined }));
      const fired = firing(planned, { episode: `e${index}`, queue: event.queue, sees, atMs: nowMs });
      const first = new Set(event.begins ? firstSteps(fired, { isQuestion: () => false }).map(({ key }) => key) : []);
      // Without a disk, no attempt begins with a commit.
      const begun = open === inMemory ? [] : attemptsAt(fired, { nowMs }).filter(({ delivery }) => first.has(delivery.id));
      await store.ruleStates.commit(committing([fired], { slotMs: nowMs, begun }));
      model.commit({ ...fired, steps }, keysOf(fired), nowMs);
      for (const { delivery } of begun) {
        const alone = model.alone(delivery.id);
        expect((await find(store, delivery.id)).state).toBe(alone ? 'sending' : 'pending');
        if (!alone) continue;
        expect(model.due(alone.account, nowMs)[0]).toBe(alone);
        Object.assign(alone, { state: 'sending', isBegun: true });
        seen.add('begun');
      }
      firings.push(fired.id);
    } else if (event.kind === 'work') {
      const undecided = model.all.filter(({ state }) => state === 'sending' || state === 'asked' || state === 'unknown');
      const candidates = [...new Set([...ACCOUNTS.flatMap((account) => model.due(account, nowMs)), ...undecided])];
      const one = candidates[event.delivery % Math.max(1, candidates.length)];
      if (one) await carryOut(one, event.outcome);
    } else if (event.kind === 'withdraw') {
      const pending = model.all.filter(({ state, isTail }) => state === 'pending' && !isTail);
      const one = pending[event.delivery % Math.max(1, pending.length)];
      if (one) await change(one, { state: 'skipped' });
    }
    for (const account of ACCOUNTS) {
      const due = model.due(account, nowMs).map(({ id }) => id);
      for (const limit of LIMITS) expect(await idsOf(store, account, { nowMs, limit })).toEqual(due.slice(0, limit));
      expect(await store.deliveries.nextDueMs(account, nowMs)).toBe(model.nextDueMs(account, nowMs));
    }
  }
  return seen;
}

async function idsOf(store: StoredDeliveries, account: string, options: { readonly nowMs: number; readonly limit: number }) {
  return (await store.deliveries.due(account, options)).map(({ id }) => id);
}

const inMemory: Open = (clock) => {
  const table = new MemoryTable();
  return Promise.resolve({
    deliveries: createMemoryDeliveries(table),
    ruleStates: {
      commit({ withdrawals, firings, change }) {
        table.commit({ withdrawals, firings, change, nowMs: clock.nowMs() });
        return Promise.resolve(true);
      },
    },
    deliveryLog: { list: () => Promise.resolve({ items: [] }) },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
};

const STORES: readonly (readonly [string, Open, number, number])[] = [
  ['memory', inMemory, 200, 600],
  ['SQLite', (clock) => openStore({ clock }), 8, 80],
  ...(runs(0, 1) > 0 ? [['PostgreSQL', (clock) => openEmptyStore({ clock }), 0, 20] as [string, Open, number, number]] : []),
];

/** Runs a property on a store. Resolves with the states that occurred. */
async function follow(open: Open, all: fc.Arbitrary<readonly Event[]>, parameters: fc.Parameters<[readonly Event[]]>) {
  const states = new Set<string>();
  const property = fc.asyncProperty(all, async (one) => {
    for (const state of await compare(one, open)) states.add(state);
  });
  await fc.assert(property, parameters);
  return states;
}

test.for(STORES)('due deliveries equal the model of the ordering: %s', async ([, open, quick, deep]) => {
  const states = await follow(open, fc.oneof(events, waiting([2, 4, 6])), {
    numRuns: runs(quick, deep),
    examples: [...WAITING, ...WITHDRAWN, EACH, BEGUN].map((one) => [one]),
  });

  expect(states.size).toBeGreaterThan(3);
  expect(states.has('begun')).toBe(open !== inMemory);
});

test.for(STORES)('due deliveries equal the model if hundreds of deliveries wait: %s', async ([, open, quick, deep]) => {
  const states = await follow(open, waiting([51, 120, 520]), {
    numRuns: 3 + Math.ceil(runs(quick, deep) / 50),
    examples: [[FULL], [ASKED]],
  });

  expect(states).toContain('unknown');
});
