import { expect, test } from 'vitest';
import type { AttemptFailure } from '../../support/fake-platform.ts';
import { creating, firing } from '../../support/firings.ts';
import { fc, runs } from '../../support/property.ts';
import { runEngine } from './running-engine.ts';

const SECOND_MS = 1_000;
/** Longer than all attempts, searches and pauses of the lost posts of a run. */
const WITHIN_SECONDS = 600;

const lost = fc.constantFrom<AttemptFailure>('answerLost', 'answerLost', 'unanswered');

const someLosses = fc.record({
  /** The outcome of the first attempt at each of the identical posts. */
  losses: fc.array(lost, { minLength: 2, maxLength: 5 }),
  /** The outcomes of further attempts. */
  further: fc.array(fc.option(lost, { nil: undefined, freq: 2 }), { maxLength: 3 }),
  searchMs: fc.constantFrom(0, 500, 1_000, 2_500, 8_000),
  visibleAfterMs: fc.constantFrom(0, 4_000, 20_000),
  latencyMs: fc.constantFrom(0, 0, 1_000, 5_000),
  finds: fc.constantFrom('key', 'content', 'content'),
  /** Other posts that are due with them: with twenty and more, posts do not wait for each other. */
  others: fc.constantFrom(0, 0, 25),
});

test('identical posts that were lost at the same time do not postpone each other: each is sent once', async () => {
  const property = fc.asyncProperty(someLosses, async ({ losses, further, searchMs, visibleAfterMs, latencyMs, finds, others }) => {
    await using running = await runEngine({
      traits: { deduplicates: false, finds, searchMs, visibleAfterMs },
      visibleAfterMs: () => visibleAfterMs + latencyMs,
    });
    const { platform, clock } = running;
    platform.nextFailures.set('x', [...losses, ...further]);
    platform.latencyMs = () => latencyMs;
    const identical = losses.map((_, index) => firing([creating(['x'])], { episode: `ada@${index + 1}` }));
    const different = Array.from({ length: others }, (_, index) =>
      firing([creating(['x'], { with: { text: `post ${index}` } })], { episode: `grace@${index + 1}` }),
    );
    await running.commit([...identical, ...different]);

    for (let seconds = 0; seconds < WITHIN_SECONDS; seconds += 5) {
      await clock.advance(5 * SECOND_MS);
      if ((await running.states()).every(([, state]) => state === 'sent')) break;
    }

    expect(await running.states()).toEqual(Array.from({ length: losses.length + others }, () => ['x', 'sent']));
    expect(platform.records).toHaveLength(losses.length + others);
    // Each record belongs to one delivery.
    const claimed = running.changes.flatMap(({ state, result }) => (state === 'sent' ? [JSON.stringify(result)] : []));
    expect(new Set(claimed).size).toBe(losses.length + others);
    // A post that waits for another one costs no search.
    const searches = running.attempts.filter(({ kind }) => kind === 'reconcile').length;
    expect(searches).toBeLessThan(40 * losses.length);
  });
  await fc.assert(property, { numRuns: runs(8, 400) });
});
