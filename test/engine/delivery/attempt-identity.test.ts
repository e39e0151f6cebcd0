import { expect, test } from 'vitest';
import { attemptIdentity } from '#src/engine/delivery/attempt-identity.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import { creating, firing } from '../../support/firings.ts';

const context = { isQuestion: () => false };

function identityIn(episode: string, nowMs: number) {
  const fired = firing([creating(['bluesky'])], { episode });
  const [planned] = fired.steps;
  if (!planned) throw new Error('the firing has a step');
  return attemptIdentity(newDelivery(planned, fired, { nowMs }), context);
}

test.each([
  ['a slot', '2026-11-20T18:00:00.000Z', new Date('2026-11-20T18:00:00Z')],
  ['an episode', 'ada@2026-11-20T18:00:00.000Z', new Date('2026-11-20T18:00:00Z')],
  ['an episode whose key has an @', '@ada@social.test@2026-11-20T18:00:00.000Z', new Date('2026-11-20T18:00:00Z')],
  ['a post of a person', '0e3f7b9e', undefined],
])('a lost state that decided %s decides it with the same key and time again', (_, episode, decidedAt) => {
  const lost = identityIn(episode, 1);

  expect(identityIn(episode, 2)).toEqual(lost);
  expect(lost.decidedAt).toEqual(decidedAt);
});
