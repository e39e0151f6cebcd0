import { expect, test } from 'vitest';
import { createCoverage } from '#src/engine/coverage.ts';
import { createNotifiedRules } from '#src/engine/notified-rules.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeRule, makeWatched } from '../support/rules.ts';

test('the names of a rule are compared again only after the notifications of a platform changed', () => {
  const coverage = createCoverage();
  let compared = 0;
  const counting: typeof coverage = { ...coverage, covers: (query) => (compared++, coverage.covers(query)) };
  const operations = [{ operation: 'getStreams', parameter: 'users', fields: ['title'] }];
  const cover = (...names: string[]) =>
    coverage.set({ account: 'twitch', client: 'streaming', operations, names: new Map([['getStreams', names]]) });
  const rule = makeRule({ watched: makeWatched({ with: { users: ['ada', 'grace'] }, decidingFields: ['viewerCount'] }) });
  const { isNotified } = createNotifiedRules({ coverage: counting, clock: new ManualClock() });
  const ask = () => [true, false].map((isEmpty) => isNotified(rule, { sinceMs: 0, isEmpty }));
  cover('ada', 'grace');

  expect([ask(), ask()]).toEqual([
    [true, false],
    [true, false],
  ]);
  expect(compared).toBe(2);

  cover('ada');
  expect(ask()).toEqual([false, false]);
  cover('ada', 'grace');
  expect(ask()).toEqual([true, false]);
  coverage.setElsewhere('twitch', undefined);
  coverage.clear('twitch');
  expect(ask()).toEqual([false, false]);
  coverage.setElsewhere('twitch', {
    account: 'twitch',
    client: 'streaming',
    operations,
    names: new Map(),
    presenceOnly: new Map([['getStreams', ['ada', 'grace']]]),
  });
  expect(ask()).toEqual([true, false]);
});
