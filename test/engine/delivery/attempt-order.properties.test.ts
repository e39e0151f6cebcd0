import { expect, test } from 'vitest';
import { creating, firing, keysOf } from '../../support/firings.ts';
import { fc, runs } from '../../support/property.ts';
import { runEngine } from './running-engine.ts';

const OVERTAKE_AFTER_MS = 2_000;
/** More than all attempts take if they are made one after the other. */
const END_MS = 10 * 60_000;

const message = fc.record({
  /** Messages of a channel have an order; undefined: a post, which has none. */
  channel: fc.constantFrom('live', 'news', undefined),
  tookMs: fc.integer({ min: 0, max: 5_000 }),
});
const scenario = fc.record({
  atOnce: fc.integer({ min: 1, max: 4 }),
  commits: fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 6_000 }), messages: fc.array(message, { minLength: 1, maxLength: 6 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

/** A delivery as readers of the log see it. */
interface Observed {
  readonly channel: string | undefined;
  readonly committedMs: number;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** Sends the messages and resolves with them, in the order of their commits. */
async function observe({ atOnce, commits }: Scenario): Promise<readonly Observed[]> {
  await using running = await runEngine({ writesAtOnce: () => atOnce });
  const { clock, platform } = running;
  const sent = new Map<string, { readonly channel: string | undefined; readonly committedMs: number }>();
  for (const { afterMs, messages } of commits) {
    await clock.advance(afterMs);
    const firings = messages.map(({ channel, tookMs: ms }) => {
      const text = `message ${sent.size}`;
      sent.set(text, { channel, committedMs: clock.nowMs() });
      const verb = channel === undefined ? 'social.createPost' : 'discord.send';
      const fired = firing([creating(['x'], { do: verb, with: { text, ...(channel && { channel }) } })], { episode: `${text}@1` });
      for (const key of keysOf(fired)) platform.answerAfterMs.set(key, ms);
      return fired;
    });
    await running.commit(firings);
  }
  await clock.advance(END_MS);
  return [...sent].map(([text, one]) => {
    const [attempt, ...more] = running.attempts.filter(({ delivery }) => delivery.params?.['text'] === text);
    if (!attempt || more.length > 0) throw new Error(`${text} was attempted ${1 + more.length} times`);
    return { ...one, beganMs: attempt.beganMs, endedMs: attempt.endedMs };
  });
}

/** When an attempt may begin: after the one before it in its channel has ended, or has taken too long. */
function readyMs(one: Observed, before: readonly Observed[]): number {
  const last = one.channel === undefined ? undefined : before.findLast(({ channel }) => channel === one.channel);
  return Math.max(one.committedMs, last ? Math.min(last.endedMs, last.beganMs + OVERTAKE_AFTER_MS) : 0);
}

/** The number of attempts under way at an instant, without those that begin or end then. */
function underWay(all: readonly Observed[], atMs: number): number {
  return all.filter(({ beganMs, endedMs }) => beganMs < atMs && atMs < endedMs).length;
}

test('attempts of an account begin as soon as their order and the bound allow, and never before', async () => {
  const property = fc.asyncProperty(scenario, async (played) => {
    const all = await observe(played);
    for (const [index, one] of all.entries()) {
      const fromMs = readyMs(one, all.slice(0, index));
      expect(one.beganMs).toBeGreaterThanOrEqual(fromMs);
      // Between two events, nothing changes.
      const events = all.flatMap(({ beganMs, endedMs }) => [beganMs, endedMs]).filter((ms) => ms > fromMs && ms < one.beganMs);
      const instants = [fromMs, ...events.toSorted((a, b) => a - b), one.beganMs];
      const between = instants.slice(1).flatMap((ms, at) => (ms > (instants[at] ?? ms) ? [(ms + (instants[at] ?? ms)) / 2] : []));
      // While it waits although it is ready, all places are taken.
      for (const ms of between) expect(underWay(all, ms)).toBe(played.atOnce);
    }
    const instants = all.flatMap(({ beganMs, endedMs }) => [beganMs + 0.5, endedMs - 0.5]);
    for (const ms of instants) expect(underWay(all, ms)).toBeLessThanOrEqual(played.atOnce);
  });

  await fc.assert(property, { numRuns: runs(15, 400) });
});
