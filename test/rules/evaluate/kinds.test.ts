import { describe, expect, test } from 'vitest';
import { advance } from '#src/rules/evaluate/advance.ts';
import { testCases } from './cases.ts';
import { cardRule, HOUR, MINUTE, START_MS, type RuleOptions } from './fixture.ts';
import { runPolls } from './run-polls.ts';

const goneAtOnce = { confirm: { new: 1, gone: 1 } };
const quietly: RuleOptions = { while: [], finally: [] };

function byId({ id }: { readonly id?: unknown }): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

describe('a feed', () => {
  const feed: RuleOptions = { ...quietly, maxAgeMs: HOUR, watched: { kind: 'feed', key: byId, ...goneAtOnce } };

  testCases([
    { promise: 'an item that was never seen is new', rule: feed, polls: ['0m ada/1', '1m ada/2 ada/1'], fires: ['1m then entered ada-2'] },
    {
      promise: 'an item that returns is not new',
      rule: feed,
      polls: ['0m ada/1', '1m ada/2', '2m', '3m ada/1 ada/2'],
      fires: ['1m then entered ada-2'],
    },
    {
      promise: 'an item that was created before `maxAge` is not announced',
      rule: feed,
      polls: ['0m', '1m ada/1@-59m grace/1@-60m'],
      fires: ['1m then entered ada-1'],
    },
    {
      promise: 'an old item is not announced on a later day',
      rule: feed,
      polls: ['0m', '1m ada/1@-2h', '2m ada/1@-2h', '3h ada/1@-2h'],
      fires: [],
    },
    {
      promise: 'an item without a date is as old as its first poll',
      rule: feed,
      polls: ['0m', '9h ada/1'],
      fires: ['9h then entered ada-1'],
    },
    {
      promise: 'an item that settles may be missing from a poll',
      rule: { ...feed, watched: { ...feed.watched, settleMs: 2 * MINUTE } },
      polls: ['0m', '1m ada/1', '2m', '3m ada/1'],
      fires: ['3m then entered ada-1'],
    },
    {
      promise: 'another id of the same key continues the episode',
      rule: { ...feed, watched: { kind: 'feed' } },
      polls: ['0m', '1m ada/1', '2m ada/2'],
      fires: ['1m then entered ada'],
    },
    { promise: 'keys are remembered for 90 days', rule: feed, polls: ['0m ada/1', '1m', '90d ada/1'], fires: [] },
    {
      promise: 'keys are forgotten after 90 days',
      rule: feed,
      polls: ['0m ada/1', '1m', '91d', '92d ada/1'],
      fires: ['92d then entered ada-1'],
    },
  ]);

  describe('with its newest items first', () => {
    const newestFirst: RuleOptions = { ...feed, watched: { ...feed.watched, isNewestFirst: true } };

    testCases([
      {
        promise: 'the announcements begin with the oldest item',
        rule: newestFirst,
        polls: ['0m', '5m joan/1@4m ada/1@3m grace/1@2m'],
        fires: ['5m then entered grace-1', '5m then entered ada-1', '5m then entered joan-1'],
      },
      {
        promise: 'items of several accounts are announced by their date, and as listed if the dates are equal',
        rule: newestFirst,
        polls: ['0m', '5m joan/1@4m ada/1@1m grace/1@3m mary/1@1m'],
        fires: ['5m then entered ada-1', '5m then entered mary-1', '5m then entered grace-1', '5m then entered joan-1'],
      },
      {
        promise: 'items without a date are announced as the list has them',
        rule: newestFirst,
        polls: ['0m', '5m joan/1@4m ada/1 grace/1@2m'],
        fires: ['5m then entered joan-1', '5m then entered ada-1', '5m then entered grace-1'],
      },
      {
        promise: '`limit` lets the oldest items pass and defers the newer ones',
        rule: { ...newestFirst, limit: { firings: 2, perMs: HOUR, then: 'hold' }, maxAgeMs: 4 * HOUR },
        polls: ['0m', '5m joan/1@4m ada/1@3m grace/1@2m', '2h mary/1@119m joan/1@4m ada/1@3m grace/1@2m'],
        fires: ['5m then entered grace-1', '5m then entered ada-1', '2h then entered joan-1', '2h then entered mary-1'],
      },
    ]);
  });

  test('ids that are numbers order the announcements of one second', () => {
    const rule = cardRule({ ...feed, watched: { ...feed.watched, isNewestFirst: true } });
    const { state } = runPolls(rule, ['0m']);
    const items = ['1000', 'abc', '999'].map((id) => ({ id, createdAt: '2026-11-20T18:00:30.000Z' }));
    const firedOf = (listed: readonly (typeof items)[number][]): readonly (string | undefined)[] =>
      advance({ rule, state, poll: { complete: true, items: listed }, slotMs: START_MS + MINUTE }).firings.map(({ item }) => item?.key);

    expect(firedOf([items[0], items[2]].flatMap((item) => item ?? []))).toEqual(['999', '1000']);
    expect(firedOf([items[0], items[1]].flatMap((item) => item ?? []))).toEqual(['1000', 'abc']);
  });

  // A feed like that of the releases of GitHub states edits only.
  test.each(['createdAt', 'publishedAt', 'updatedAt', 'followedAt', 'decidedAt', 'startsAt'])('%s orders the announcements', (field) => {
    const rule = cardRule({ ...feed, readsList: true, watched: { ...feed.watched, isNewestFirst: true } });
    const { state } = runPolls(rule, ['0m']);
    const items = ['new', 'middle', 'old'].map((id, index) => ({ id, [field]: new Date(START_MS - index * 1_000).toISOString() }));
    const { firings } = advance({ rule, state, poll: { complete: true, items }, slotMs: START_MS + MINUTE });

    expect(firings.map(({ item }) => item?.key)).toEqual(['old', 'middle', 'new']);
    // Texts choose from the list with `top`.
    expect(firings[0]?.scope.changes).toMatchObject({ entered: items.map(({ id }) => ({ item: { id } })) });
  });

  test('the suppression of an old item has its age', () => {
    const { suppressions } = runPolls(cardRule(feed), ['0m', '10m ada/1@-2h']);

    expect(suppressions).toEqual([['10m', 'ada-1', { kind: 'olderThanMaxAge', ageMs: 130 * MINUTE, maxAgeMs: 60 * MINUTE }]]);
  });

  test('the date that counts is createdAt, else publishedAt, else startedAt', () => {
    const old = { createdAt: '2026-11-20T10:00:00Z', publishedAt: '2026-11-20T17:59:00Z' };
    const fresh = { publishedAt: '2026-11-20T17:59:00Z', startedAt: '2026-11-20T10:00:00Z' };
    const rule = cardRule(feed);
    const { state } = runPolls(rule, ['0m']);

    const fired = [old, fresh].map((dates) => {
      const poll = { complete: true, items: [{ id: 'clip', ...dates }] };
      return advance({ rule, state, poll, slotMs: START_MS + MINUTE }).firings.length;
    });

    expect(fired).toEqual([0, 1]);
  });

  test('the stored episode of an announced item has little more than its key and its name', () => {
    const { state } = runPolls(cardRule(feed), ['0m', '1m ada/1', '2m grace/1']);

    expect([...state.episodes.values()].map(({ key, item, peak }) => [key, item, peak])).toEqual([
      ['ada-1', { owner: { displayName: 'ada' } }, {}],
      ['grace-1', { owner: { displayName: 'grace' } }, {}],
    ]);
  });
});

describe('lists with unread pages', () => {
  for (const kind of ['set', 'live'] as const) {
    test(`a ${kind} with unread pages closes no episode`, () => {
      const rule = cardRule({ ...quietly, watched: { kind, changes: [{ kind: 'left' }], ...goneAtOnce } });

      const { lines, advances } = runPolls(rule, ['0m ada grace', '1m ada +++', '2m ada']);

      expect(lines).toEqual(['2m then left grace']);
      expect(advances[1]?.decisions).toMatchObject([
        { outcome: 'unchanged', reason: { kind: 'unchanged', read: 1, followed: 1, cut: 'pages' } },
      ]);
    });
  }

  test('an item below the read part of a ranking has left', () => {
    const rule = cardRule({ ...quietly, watched: { kind: 'ranking', changes: [{ kind: 'left' }], ...goneAtOnce } });

    expect(runPolls(rule, ['0m ada grace', '1m ada +++']).lines).toEqual(['1m then left grace']);
  });

  test('an item that a complete set lacks has left', () => {
    const rule = cardRule({ ...quietly, watched: { kind: 'set', changes: [{ kind: 'left' }] } });

    expect(runPolls(rule, ['0m ada grace', '1m ada', '2m ada']).lines).toEqual(['2m then left grace']);
  });
});

describe('a list of one', () => {
  test('announces changes of its item', () => {
    const rule = cardRule({ ...quietly, watched: { kind: 'one', changes: [{ kind: 'changed', fields: ['title'] }] } });

    expect(runPolls(rule, ['0m ada:a', '1m ada:b', '2m ada:b']).lines).toEqual(['1m then changed ada']);
  });

  test.for([
    { kind: 'rose', field: 'viewerCount', every: 1000 },
    { kind: 'rose', field: 'viewerCount', lines: [2000, 10_000].map((at) => ({ at, rearm: at })) },
  ] as const)('a record that the platform refused in the first poll has not reached its numbers when it can be read', (change) => {
    const rule = cardRule({ ...quietly, watched: { kind: 'one', changes: [change] } });

    expect(runPolls(rule, ['0m ada=5000', '1m ada=5000 grace=9000', '2m ada=5000 grace=10001']).lines).toEqual(['2m then rose grace']);
  });
});

describe('stored episodes', () => {
  const stored = (rule: RuleOptions, ...polls: readonly string[]): readonly number[] =>
    runPolls(cardRule(rule), polls).advances.map(({ change }) => change?.put.length ?? 0);

  test('a rule with `entered` only writes an episode when it opens and when its item leaves or changes its id', () => {
    expect(stored(quietly, '0m', '1m ada grace', '2m ada grace', '3m ada', '4m ada grace', '5m ada/2 grace')).toEqual([0, 2, 0, 1, 1, 2]);
  });

  test('a rule with `while` writes an episode in each poll with its item', () => {
    expect(stored({}, '0m', '1m ada', '2m ada')).toEqual([0, 1, 1]);
  });

  test('the last sight of a compact episode is known, even after incomplete polls', () => {
    const rule = cardRule({ ...quietly, watched: { graceMs: 10 * MINUTE } });

    const { lines, advances } = runPolls(rule, ['0m', '1m ada', '60m ada', '61m ...', '75m ada/2@71m', '76m', '86m']);

    expect(lines).toEqual(['1m then entered ada', '75m then entered ada']);
    expect(advances[4]?.decisions[0]).toMatchObject({ outcome: 'closed', item: 'ada', reason: { kind: 'closed', seenMs: 59 * MINUTE } });
  });
});
