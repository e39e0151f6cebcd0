import { expect, test } from 'vitest';
import type { Poll } from '#src/rules/poll.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule } from '../../support/rules.ts';
import { schedule } from './fixture.ts';

test('the poll of a rule is released when the rule is done, even if other rules of the tick still wait', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  let list: WeakRef<Poll> | undefined;
  const answer = async (): Promise<Poll> => {
    const poll: Poll = { items: [{ id: 'ada' }], complete: true };
    list = new WeakRef(poll);
    return poll;
  };
  const rules = [makeRule({ id: 'slow' }), makeRule({ id: 'fast' })];
  const { scheduler, ran } = await schedule({
    rules,
    clock,
    answer: ({ id }) => (id === 'slow' ? new Promise(() => undefined) : answer()),
  });

  void scheduler.tick();
  await clock.advance(1_000);
  collectGarbage();

  expect(ran()).toEqual(['fast 18:00:00']);
  expect(list?.deref()).toBeUndefined();
});
