import { expect, test } from 'vitest';
import { expectedDeliveries } from '#src/engine/simulation/replay/expected-deliveries.ts';
import { creating, firing, SLOT_MS } from '../../support/firings.ts';
import { makeRule } from '../../support/rules.ts';

const MINUTE_MS = 60_000;

/** The deliveries of a firing with one step, which was done. */
function deliveriesOf(more: Parameters<typeof firing>[1]) {
  const fired = firing([creating(['bluesky'])], more);
  const [planned] = fired.steps;
  if (!planned) throw new Error('the firing has no step');
  const done = { planned, firing: fired.id, part: 1, params: { text: 'hello' }, reads: false };
  return expectedDeliveries(makeRule())({
    firings: [fired],
    done: [done as never], // the other fields of a step that was done are not read
    undone: [],
    decisions: [],
  });
}

const at = (ms: number): string => new Date(ms).toISOString();

test.for([
  ['that began earlier', `ada@${at(SLOT_MS - 5 * MINUTE_MS)}`, SLOT_MS - 5 * MINUTE_MS],
  ['that begins later, with a clock that was set back', `ada@${at(SLOT_MS + MINUTE_MS)}`, SLOT_MS],
  ['whose beginning is unknown', 'ada@1x', SLOT_MS],
] as const)('a delivery of an episode %s has its beginning', ([, episode, sinceMs]) => {
  expect(deliveriesOf({ episode })).toMatchObject([{ atMs: SLOT_MS, sinceMs, about: '' }]);
});

test('a delivery is about the item of its firing, or the one before, by name or key', () => {
  const scope = { rule: { id: 'live' }, now: at(SLOT_MS) };

  expect(deliveriesOf({ scope: { ...scope, item: {} } })).toMatchObject([{ about: 'ada' }]);
  expect(deliveriesOf({ scope: { ...scope, previous: { title: 'Before' } } })).toMatchObject([{ about: 'Before' }]);
  expect(deliveriesOf({ scope: { ...scope, item: { title: 'Now' }, previous: { title: 'Before' } } })).toMatchObject([{ about: 'Now' }]);
});
