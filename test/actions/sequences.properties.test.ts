import { expect, test } from 'vitest';
import { resend } from '#src/admin/actions/resend.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { silentLog } from '#src/log.ts';
import { openEmptyStore } from '../support/postgres-stores.ts';
import { FakePlatform, type AttemptFailure } from '../support/fake-platform.ts';
import { creating, firing, renderPlainly, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { fc, runs } from '../support/property.ts';
import { makeRule } from '../support/rules.ts';
import { inMemory, inSqlite, inStore, type Stored } from './stored.ts';

const SECOND_MS = 1_000;
/** Longer than all retries of a run. */
const RUN_OUT_MS = 3 * 86_400_000;
/** The lives that share a store, because opening one takes longer than a life. */
const RUNS_IN_A_STORE = 20;
/** More steps mean that the engine never becomes idle. */
const MOST_STEPS = 5_000;

const attemptFailure = fc.constantFrom<AttemptFailure | undefined>(
  ...([
    undefined,
    'answerLost',
    'unanswered',
    'unavailable',
    'doneAndUnavailable',
    'rateLimited',
    'unreachable',
    'forbidden',
    'malformed',
  ] as const),
);
const action = fc.constantFrom('pause', 'resume', 'delete', 'resend', 'sent', 'again', 'work', 'during pause');

/** A thread, a list and a post, and actions of people during their deliveries. */
const life = fc.record({
  nextFailures: fc.array(attemptFailure, { maxLength: 12 }),
  isHidden: fc.boolean(),
  actions: fc.array(fc.record({ action, afterMs: fc.nat(40).map((seconds) => seconds * SECOND_MS) }), { minLength: 1, maxLength: 14 }),
});

const STEPS = [
  creating(['x'], { id: 'thread', fit: 'thread', with: { text: 'one|two|three' } }),
  creating(['x'], { id: 'list', forEach: 'a,b', with: { text: 'each' } }),
  creating(['x'], { id: 'post', with: { text: 'post' } }),
];

interface Life {
  readonly nextFailures: readonly (AttemptFailure | undefined)[];
  readonly isHidden: boolean;
  readonly actions: readonly { readonly action: string; readonly afterMs: number }[];
}

/** Lives a life. A person looks on the platform before a resolution. */
async function live(
  { nextFailures, isHidden, actions }: Life,
  stored: Stored,
  { clock, name }: { readonly clock: ManualClock; readonly name: string },
) {
  const platform = new FakePlatform(clock, { deduplicates: false, finds: 'content' });
  platform.nextFailures.set('x', [...nextFailures]);
  const rule = makeRule({ id: name, then: STEPS });
  const fired = firing(STEPS, { rule: name, queue: name, episode: name, atMs: clock.nowMs() });
  let stop: 'paused' | 'deleted' | undefined;
  let isBegun = false;
  let duringNext: (() => Promise<void>) | undefined;
  const resendCounts = new Map<string, number>();
  const textOf = ({ text, it }: { readonly text?: unknown; readonly it?: unknown }): string => JSON.stringify([text, it]);

  const engine = createDeliveryEngine({
    deliveries: stored.deliveries,
    async perform(attempt) {
      // A begun thread is completed after any action.
      const isTail = 'replyTo' in attempt.params;
      if (stop !== undefined && !isTail) throw new Error(`sent although the rule was ${stop}`);
      isBegun = true;
      const act = duringNext;
      duringNext = undefined;
      await act?.();
      return platform.perform(attempt);
    },
    recover: (attempt) => (isHidden ? Promise.resolve('cannotTell') : platform.recover(attempt)),
    render: renderPlainly,
    visibleAfterMs: () => 10_000,
    random: () => 0.5,
    clock: { nowMs: () => clock.nowMs(), sleep: () => Promise.reject(new Error('nothing waits')) },
    log: silentLog,
  });

  async function work(forMs: number): Promise<void> {
    const untilMs = clock.nowMs() + forMs;
    for (let step = 0; ; step++) {
      if (step > MOST_STEPS) throw new Error('the engine never becomes idle');
      if (await engine.deliverNext()) continue;
      const nextMs = (await stored.deliveries.nextDueMs('x', clock.nowMs())) ?? Infinity;
      if (nextMs > untilMs) break;
      clock.set(nextMs);
    }
    clock.set(untilMs);
  }

  async function actOn(state: 'failed' | 'unknown', act: (id: string) => Promise<unknown>): Promise<void> {
    const all = await stored.deliveries.ofFirings([fired.id]);
    for (const { id } of all.filter((one) => one.state === state)) await act(id);
  }

  async function isThere(id: string): Promise<boolean> {
    const { params = {} } = (await stored.deliveries.find(id)) ?? {};
    return platform.records.some((record) => textOf(record.params) === textOf(params));
  }

  async function pause(): Promise<void> {
    await stored.pause(name);
    stop ??= 'paused';
  }

  async function act(kind: string): Promise<void> {
    if (kind === 'pause') await pause();
    if (kind === 'during pause') duringNext = pause;
    if (kind === 'resume') {
      await stored.resume(name);
      if (stop === 'paused') stop = undefined;
    }
    if (kind === 'delete') {
      await stored.delete(name);
      // The file may return for a minute.
      clock.set(clock.nowMs() + 60 * SECOND_MS);
      stop = 'deleted';
    }
    if (kind === 'resend') {
      const options = {
        deliveries: { ...stored.deliveries, reopen: engine.reopen },
        ruleStates: stored,
        findRule: () => (stop === 'deleted' ? undefined : { rule, isOn: true }),
        isPost: () => false,
        clock,
      };
      await actOn('failed', async (id) => {
        const outcomes = await Promise.all([resend(id, 'ada', options), resend(id, 'grace', options)]);
        const accepted = outcomes.filter((outcome) => outcome !== undefined && 'resent' in outcome).length;
        expect(accepted, 'of two people, one resends').toBeLessThanOrEqual(1);
        resendCounts.set(id, (resendCounts.get(id) ?? 0) + accepted);
      });
    }
    if (kind === 'sent') await actOn('unknown', async (id) => (await isThere(id)) && engine.resolve(id, 'sent'));
    if (kind === 'again' && stop === undefined) await actOn('unknown', async (id) => !(await isThere(id)) && engine.resolve(id, 'again'));
  }

  await stored.commit(fired, clock.nowMs());
  for (const { action: kind, afterMs } of actions) {
    await work(afterMs);
    await act(kind);
  }
  duringNext = undefined;
  await work(RUN_OUT_MS);
  const all = await stored.deliveries.load((await stored.deliveries.ofFirings([fired.id])).map(({ id }) => id));
  return { all, records: platform.records.map(({ params }) => textOf(params)), resendCounts, isBegun };
}

/** Returns the number of runs in which an attempt began. */
async function check(numRuns: number, open: (clock: ManualClock) => Promise<Stored>): Promise<number> {
  let clock = new ManualClock(SLOT_MS);
  let stored = await open(clock);
  let count = 0;
  let begun = 0;
  await fc.assert(
    fc.asyncProperty(life, async (one) => {
      // Deliveries that wait for a resolution stay open, and every life would examine those of all lives before it.
      if (++count % RUNS_IN_A_STORE === 0) {
        await stored[Symbol.asyncDispose]();
        clock = new ManualClock(SLOT_MS);
        stored = await open(clock);
      }
      const { all, records, resendCounts, isBegun } = await live(one, stored, { clock, name: `rule ${count}` });
      if (isBegun) begun++;

      expect(records, 'no message is sent twice').toHaveLength(new Set(records).size);
      for (const { id, state, message, error, resends = [] } of all) {
        // A later part of a thread waits for the resolution of an unknown part.
        const isExplained = state === 'pending' ? all.some((one) => one.state === 'unknown') : (error?.message ?? message) !== undefined;
        expect(state === 'sent' || isExplained, `${state} has a reason`).toBe(true);
        expect(resends, 'each accepted resend is recorded once').toHaveLength(resendCounts.get(id) ?? 0);
      }
    }),
    { numRuns },
  );
  await stored[Symbol.asyncDispose]();
  return begun;
}

// If too few attempts begin, the actions prevent the tested deliveries.
test.each([
  ['memory', runs(30, 1_500), inMemory],
  ['SQLite', runs(5, 60), inSqlite],
] as const)('no sequence of actions sends a message twice, or sends one of a paused rule, in %s', async (_, numRuns, open) => {
  expect(await check(numRuns, open)).toBeGreaterThan(numRuns / 4);
});

test.runIf(runs(0, 1) > 0)('no sequence of actions sends a message twice, or sends one of a paused rule, in PostgreSQL', async () => {
  const numRuns = runs(0, 15);

  expect(await check(numRuns, async (clock) => inStore(await openEmptyStore({ clock })))).toBeGreaterThan(numRuns / 4);
});
