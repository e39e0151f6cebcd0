import { expect, test } from 'vitest';
import { createMemoryDeliveries } from '#src/engine/delivery/memory-deliveries.ts';
import { MemoryTable } from '#src/engine/delivery/memory-table.ts';
import type { DeliveryChange, Part } from '#src/engine/delivery/delivery.ts';
import { openStore } from '#src/store/store.ts';
import { find, type StoredDeliveries } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';
import { fc, runs } from '../../support/property.ts';
import { OrderingModel, type ModelDelivery, type ModelStep } from './ordering-model.ts';

const ACCOUNTS = ['x', 'y'];
const LATER_MS = 60_000;
/** Below, at about and above the pages in which a store is read. */
const LIMITS = [2, 40, 5_000];

const SENDER = { as: ['x'], reads: [], stops: false } as const;
const READER = { ...SENDER, reads: ['a0'] } as const;

const OUTCOMES = ['failed', 'skipped', 'unknown', 'asked', 'retry', 'lost', 'postponed', 'elements', 'thread', 'sent'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The events of a run, in order. Numbers select existing firings and deliveries. */
type Event =
  | {
      readonly kind: 'commit';
      readonly prefix: string;
      readonly queue: string;
      readonly steps: readonly Omit<ModelStep, 'id'>[];
      readonly sees: readonly number[];
    }
  | { readonly kind: 'work'; readonly delivery: number; readonly outcome: Outcome }
  /** Withdraws a delivery that was not sent. */
  | { readonly kind: 'withdraw'; readonly delivery: number }
  /** `next`: until the next delivery is due. */
  | { readonly kind: 'advance'; readonly ms: number | 'next' };

const step: fc.Arbitrary<Omit<ModelStep, 'id'>> = fc.record({
  as: fc.oneof({ weight: 4, arbitrary: fc.constant(['x']) }, fc.constantFrom(['y'], ['x', 'y'], ['y', 'x'])),
  reads: fc.array(fc.constantFrom('a0', 'a0.own', 'a0.on.y', 'a1', 'a1.own', 'b0', 'b1.own', 'b0.on.x'), { maxLength: 2 }),
  stops: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  afterMs: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.constantFrom(30_000, 2 * LATER_MS)),
  maxAgeMs: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.constantFrom(1_000, LATER_MS)),
});

const commit: fc.Arbitrary<Event> = fc.record({
  kind: fc.constant('commit'),
  prefix: fc.constantFrom('a', 'b'),
  queue: fc.constantFrom('ada', 'grace', 'kay'),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  sees: fc.array(fc.nat(5), { maxLength: 2 }),
});

const work: fc.Arbitrary<Event> = fc.record({
  kind: fc.constant('work'),
  delivery: fc.nat(5),
  outcome: fc.constantFrom(...OUTCOMES, 'sent', 'sent'),
});

const advance: fc.Arbitrary<Event> = fc.record({
  kind: fc.constant('advance'),
  ms: fc.constantFrom<number | 'next'>('next', 'next', 1_000, 30_000, LATER_MS),
});

const withdraw: fc.Arbitrary<Event> = fc.record({ kind: fc.constant('withdraw'), delivery: fc.nat(5) });

const events = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: commit },
    { weight: 8, arbitrary: work },
    { weight: 2, arbitrary: advance },
    { weight: 1, arbitrary: withdraw },
  ),
  { minLength: 5, maxLength: 30 },
);

/** Deliveries in two queues, most of which wait for the outcome of one. */
function waiting(sizes: readonly number[]): fc.Arbitrary<readonly Event[]> {
  return fc
    .record({
      size: fc.constantFrom(...sizes),
      pattern: fc.array(step, { minLength: 1, maxLength: 4 }),
      first: fc.constantFrom<Outcome>('unknown', 'asked', 'retry', 'sent'),
      queue: fc.constantFrom('ada', 'grace'),
      sees: fc.constantFrom([], [0, 1]),
      rest: events,
    })
    .map(({ size, pattern, first, queue, sees, rest }) => {
      const steps = Array.from({ length: size }, (_, index) => ({ ...READER, ...pattern[index % (2 * pattern.length)] }));
      return [...afterOutcome(first, { queue, steps, sees }), ...rest];
    });
}

interface Later {
  readonly queue: string;
  readonly steps: readonly Omit<ModelStep, 'id'>[];
  readonly sees: readonly number[];
}

/** A post, its events, steps of a later firing that can read it, and a firing after them. */
function afterOutcome(outcome: Outcome, { queue, steps, sees }: Later) {
  return [
    { kind: 'commit', prefix: 'a', queue: 'ada', steps: [{ ...SENDER, as: ['y'] }], sees: [] },
    { kind: 'work', delivery: 0, outcome },
    { kind: 'commit', prefix: 'b', queue, steps, sees: [0] },
    { kind: 'commit', prefix: 'b', queue: 'ada', steps: [SENDER], sees },
  ] as const satisfies readonly Event[];
}

function crowded(size: number, senders: readonly number[]): readonly Event[] {
  const steps = Array.from({ length: size }, (_, index) => (senders.includes(index) ? SENDER : READER));
  return afterOutcome('unknown', { queue: 'ada', steps, sees: [] });
}

/** Hundreds of deliveries wait for a resolution. Two among them do not: the last one of the first page, and one behind 500 others. */
const FULL: readonly Event[] = [
  ...crowded(520, [49, 509]),
  { kind: 'work', delivery: 0, outcome: 'sent' },
  { kind: 'work', delivery: 0, outcome: 'retry' },
];

/** The time of a question is over that is on the second page of a queue that is held up. */
const ASKED: readonly Event[] = [
  ...crowded(60, [55]),
  { kind: 'work', delivery: 0, outcome: 'asked' },
  { kind: 'work', delivery: 1, outcome: 'sent' },
  { kind: 'advance', ms: LATER_MS },
];

/** Later deliveries that do not wait for deliveries that wait for a resolution or an answer. */
const WAITING = (['unknown', 'asked'] as const).map((outcome): readonly Event[] => [
  ...afterOutcome(outcome, { queue: 'ada', steps: [READER], sees: [0, 1] }),
  { kind: 'commit', prefix: 'a', queue: 'ada', steps: [SENDER], sees: [] },
]);

/** A step that waits for a resolution is withdrawn. The step that reads it no longer waits, and holds up its queue. */
const WITHDRAWN = [0, 1].map((delivery): readonly Event[] => [
  ...afterOutcome('unknown', { queue: 'ada', steps: [READER, { ...SENDER, reads: ['b0'] }, { ...SENDER, reads: ['b1'] }], sees: [] }),
  { kind: 'withdraw', delivery },
]);

/** Every outcome once. */
const EACH: readonly Event[] = OUTCOMES.flatMap((outcome): readonly Event[] => [
  { kind: 'commit', prefix: 'a', queue: 'kay', steps: [SENDER, READER], sees: [] },
  { kind: 'work', delivery: 0, outcome },
  { kind: 'advance', ms: 'next' },
]);

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
      await store.ruleStates.commit(committing([fired], { slotMs: nowMs }));
      model.commit({ ...fired, steps }, keysOf(fired), nowMs);
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
    examples: [...WAITING, ...WITHDRAWN, EACH].map((one) => [one]),
  });

  expect(states.size).toBeGreaterThan(3);
});

test.for(STORES)('due deliveries equal the model if hundreds of deliveries wait: %s', async ([, open, quick, deep]) => {
  const states = await follow(open, waiting([51, 120, 520]), {
    numRuns: 3 + Math.ceil(runs(quick, deep) / 50),
    examples: [[FULL], [ASKED]],
  });

  expect(states).toContain('unknown');
});
