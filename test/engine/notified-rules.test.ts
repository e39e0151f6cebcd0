import { expect, test } from 'vitest';
import { createCoverage } from '#src/engine/coverage.ts';
import { createNotifiedRules } from '#src/engine/notified-rules.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { ListEntry } from '#src/rules/lists.ts';
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

test('a query without a name needs its polls, although its platform notifies about names of other rules', () => {
  const coverage = createCoverage();
  const operations = [{ operation: 'getStreams', parameter: 'users', fields: ['title'] }];
  coverage.set({ account: 'twitch', client: 'streaming', operations, names: new Map([['getStreams', ['ada']]]) });
  const { isNotified } = createNotifiedRules({ coverage, clock: new ManualClock() });
  const isPassedOver = (params: JsonObject) => {
    const rule = makeRule({ watched: makeWatched({ with: params, decidingFields: ['title'] }) });
    return [true, false].map((isEmpty) => isNotified(rule, { sinceMs: 0, isEmpty }));
  };

  expect(isPassedOver({ games: ['Chess'] })).toEqual([false, false]);
  expect(isPassedOver({ users: ['ada'] })).toEqual([true, true]);
  // A query for no one needs no request.
  expect(isPassedOver({ users: [] })).toEqual([true, true]);
});

test('an empty list of streams in a category needs its polls until its platform notifies about changed categories', () => {
  const coverage = createCoverage();
  const operations = [{ operation: 'getStreams', parameter: 'users', fields: ['owner', 'game'], lastingFields: ['owner'] }];
  const [all, none] = [new Map([['getStreams', ['ada']]]), new Map<string, string[]>()];
  const { isNotified } = createNotifiedRules({ coverage, clock: new ManualClock() });
  const rule = makeRule({ watched: makeWatched({ with: { users: ['ada'], games: ['Chess'] }, decidingFields: ['game', 'owner'] }) });
  const isPassedOver = () => isNotified(rule, { sinceMs: 0, isEmpty: true });

  coverage.set({ account: 'twitch', client: 'streaming', operations, names: none, presenceOnly: all });
  const before = isPassedOver();
  coverage.set({ account: 'twitch', client: 'streaming', operations, names: all });

  expect([before, isPassedOver()]).toEqual([false, true]);
});

test('a rule with a list needs a poll after the list changed, even if a platform notifies about all of its entries', async () => {
  const entry = (id: string): ListEntry => ({ id, list: 'team', server: undefined, fields: { twitch: id } });
  const clock = new ManualClock();
  const coverage = createCoverage();
  coverage.set({
    account: 'twitch',
    client: 'streaming',
    operations: [{ operation: 'getStreams', parameter: 'users', fields: ['title'] }],
    names: new Map([['getStreams', ['ada', 'grace']]]),
  });
  let ids: readonly string[] = ['ada'];
  const current = async () => ({ revision: ids.join(), entries: () => ids.map(entry), names: () => ['team'] });
  const rule = makeRule({
    watched: makeWatched({ with: {}, people: { list: 'team', platforms: { twitch: 'twitch' } }, decidingFields: ['title'] }),
  });
  const notified = createNotifiedRules({ coverage, lists: { current }, clock });
  const needsNoPoll = async (revision: string) => {
    await clock.advance(10_000);
    await notified.refresh();
    return notified.isNotified(rule, { sinceMs: 0, isEmpty: false, revision });
  };

  const first = await needsNoPoll('ada');
  const before = await needsNoPoll('ada');
  ids = ['ada', 'grace'];

  expect([first, before, await needsNoPoll('ada'), await needsNoPoll('ada,grace')]).toEqual([false, true, false, true]);
});
