import { describe, expect, test } from 'vitest';
import type { Firing } from '#src/rules/firing.ts';
import type { Scope, Verdict } from '#src/rules/rule.ts';
import { aStep, cardRule, HOUR, MINUTE, otherQuery, rankingRule, slotRule, START_MS } from './fixture.ts';
import { runPolls, type PollLine } from './run-polls.ts';

const goneAtOnce = { confirm: { new: 1, gone: 1 } } as const;

describe('keys and occasions', () => {
  test('equal slots, states and polls give equal firings', () => {
    const polls = ['0m', '1m ada grace', '2m ada', '3m', '4m ada'];

    const [once, again] = [runPolls(cardRule(), polls), runPolls(cardRule(), polls)];

    expect(again.advances).toEqual(once.advances);
  });

  test('each firing, episode, section, step and account has its own key', () => {
    const rule = cardRule({
      watched: { changes: [{ kind: 'entered' }, { kind: 'left' }], confirm: { new: 1, gone: 1 } },
      then: [aStep({ id: 'post', creates: true, as: ['bluesky', 'mastodon'] }), aStep(), aStep()],
    });

    const keys = firingsOf(rule, ['0m', '1m ada grace', '2m ada grace', '3m grace', '4m ada/2 grace', '5m', '6m ada/2']).flatMap(keysOf);

    expect(keys.length).toBeGreaterThan(20);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('the occasion is the number of the firing for `then`, the poll for `while`, and the number of the close for `finally`', () => {
    const occasions = firingsOf(cardRule({ watched: goneAtOnce }), ['0m', '1m ada grace', '2m ada', '3m', '4m ada', '5m']).map(
      ({ section, occasion }) => `${section} ${occasion}`,
    );

    expect(occasions).toEqual([
      'then 1',
      'then 2',
      'finally 1',
      'while 2026-11-20T18:02:00.000Z',
      'finally 1',
      'while 2026-11-20T18:04:00.000Z',
      'finally 2',
    ]);
  });

  test('a second close edits again and creates no second record', () => {
    const rule = cardRule({
      while: [],
      watched: goneAtOnce,
      finally: [aStep({ do: 'discord.edit' }), aStep({ do: 'social.createPost', creates: true })],
    });

    const [first, second] = firingsOf(rule, ['0m', '1m ada', '2m', '3m ada', '4m'])
      .filter(({ section }) => section === 'finally')
      .map(keysOf);

    expect(second?.[0]).not.toBe(first?.[0]);
    expect(second?.[1]).toBe(first?.[1]);
  });

  test('`while` and `finally` see the results of the announcement of their episode', () => {
    const [opened, ...others] = firingsOf(cardRule({ watched: goneAtOnce }), ['0m', '1m ada', '2m ada', '3m', '4m ada', '5m']);

    expect(others.map(({ section, sees }) => [section, sees])).toEqual([
      ['while', [opened?.id]],
      ['finally', [opened?.id]],
      ['while', [opened?.id]],
      ['finally', [opened?.id]],
    ]);
  });

  test('firings wait for earlier firings of their item only', () => {
    const queues = firingsOf(cardRule(), ['0m', '1m ada grace', '2m ada grace']).map(({ queue }) => queue);

    expect(queues).toEqual(['card/ada', 'card/grace', 'card/ada', 'card/grace']);
  });

  test('the first `while` and the first one after a reopening are sent even if unchanged', () => {
    const evenIfUnchanged = firingsOf(cardRule({ watched: goneAtOnce }), ['0m', '1m ada', '2m ada', '3m ada', '4m', '5m ada', '6m ada'])
      .filter(({ section }) => section === 'while')
      .map((firing) => [firing.atMs - START_MS, firing.evenIfUnchanged]);

    expect(evenIfUnchanged).toEqual([
      [2 * MINUTE, true],
      [3 * MINUTE, false],
      [5 * MINUTE, true],
      [6 * MINUTE, false],
    ]);
  });
});

describe('withdrawals', () => {
  test('a newer `while` replaces an undelivered one, `finally` replaces them all, and a reopening withdraws `finally`', () => {
    const { lines } = runPolls(cardRule({ watched: goneAtOnce }), ['0m', '1m ada', '2m ada', '3m ada', '4m', '5m ada']);

    expect(lines).toEqual([
      '1m then entered ada',
      '2m while ada',
      '3m withdraw while ada',
      '3m while ada',
      '4m withdraw while ada',
      '4m finally left ada',
      '5m withdraw finally ada',
      '5m while ada',
    ]);
  });

  test('a new id opens its episode in the poll of the `finally` of the old one', () => {
    const { lines } = runPolls(cardRule({ while: [], watched: goneAtOnce }), ['0m', '1m ada', '2m', '3m ada/2']);

    expect(lines).toEqual(['1m then entered ada', '2m finally left ada', '3m then entered ada']);
  });
});

describe('the scope of a firing', () => {
  test('has the item and the previous item with their ranks', () => {
    const [, second] = firingsOf(cardRule(), ['0m', '1m grace ada=100', '2m ada=900', '3m ada'])
      .filter(({ section }) => section !== 'finally')
      .slice(1);

    expect(second?.scope.item).toMatchObject({ viewerCount: 900, rank: 1 });
    expect(second?.scope.previous).toMatchObject({ viewerCount: 100, rank: 2 });
  });

  test('has the change', () => {
    const [entered, left] = firingsOf(
      cardRule({ while: [], finally: [], watched: { ...goneAtOnce, changes: [{ kind: 'entered' }, { kind: 'left' }] } }),
      ['0m', '1m grace ada', '2m grace'],
    ).filter(({ episode }) => episode.startsWith('ada'));

    expect(entered?.scope.change).toMatchObject({ kind: 'entered', rank: 2, item: { id: 'ada-1' } });
    expect(left?.scope.change).toMatchObject({ kind: 'left', rank: 2, item: { id: 'ada-1' } });
    expect(left?.scope.item).toMatchObject({ id: 'ada-1', rank: 2 });
  });

  test('has the episode from the start of its record until the last poll with its item', () => {
    const firing = firingsOf(cardRule({ while: [], watched: goneAtOnce }), [
      '0m',
      '1m ada=50@-10m',
      '2m ada=900@-10m',
      '3m ada=70@-10m',
      '9m',
    ]).at(-1);

    expect(firing?.scope.episode).toEqual({
      id: 'ada@2026-11-20T18:01:00.000Z',
      open: false,
      returned: false,
      startedAt: '2026-11-20T17:50:00.000Z',
      lengthMs: 13 * MINUTE,
      polls: 3,
      peak: { viewerCount: 900 },
      games: [],
    });
  });

  test('has whether the same stream is back after an end of the episode', () => {
    const firings = firingsOf(cardRule({ watched: goneAtOnce }), ['0m', '1m ada', '2m ada', '3m', '4m ada', '5m']);

    expect(firings.map(({ section, scope }) => [section, scope.episode?.['returned']])).toEqual([
      ['then', false],
      ['while', false],
      ['finally', false],
      ['while', true],
      ['finally', true],
    ]);
  });

  test('without a start in its record, an episode starts at its first sight, even after the next broadcast', () => {
    const firing = firingsOf(cardRule({ while: [], watched: { ...goneAtOnce, graceMs: HOUR } }), [
      '0m',
      '1m ada',
      '2m ada/2@2m',
      '3m',
      '63m',
    ]).at(-1);

    expect(firing?.scope.episode).toMatchObject({ startedAt: '2026-11-20T18:01:00.000Z', lengthMs: MINUTE });
  });

  test('a start after the slot gives no negative length', () => {
    const [firing] = firingsOf(cardRule(), ['0m', '1m ada@5m']);

    expect(firing?.scope.episode).toMatchObject({ lengthMs: 0 });
  });

  test('has the whole list and all changes if a step reads them', () => {
    const polls = ['0m', '1m ada', '2m grace linus'];
    const [, firing] = firingsOf(cardRule({ readsList: true, while: [], finally: [], watched: goneAtOnce }), polls);
    const [, lean] = firingsOf(cardRule({ while: [], finally: [], watched: goneAtOnce }), polls);

    expect(firing?.scope.items).toMatchObject([
      { id: 'grace-1', rank: 1 },
      { id: 'linus-1', rank: 2 },
    ]);
    expect(firing?.scope.changes).toMatchObject({
      entered: [
        { kind: 'entered', item: { id: 'grace-1' } },
        { kind: 'entered', item: { id: 'linus-1' } },
      ],
      left: [{ kind: 'left', item: { id: 'ada-1' } }],
    });
    expect(lean?.scope).not.toHaveProperty('items');
  });

  test('items of a baseline poll are no changes', () => {
    const rule = cardRule({ readsList: true, while: [], finally: [], watched: { ...goneAtOnce, changes: [{ kind: 'left' }] } });

    const [firing] = runPolls(rule, ['0m ada', otherQuery, '1m ada/2 grace']).advances.flatMap(({ firings }) => firings);

    expect(firing?.scope.changes).toMatchObject({ entered: [{ item: { id: 'ada-2' } }], left: [{ item: { id: 'ada-1' } }] });
  });
});

describe('the list', () => {
  test('a repeated key counts once, at its better rank', () => {
    const seen = firingsOf(cardRule(), ['0m', '1m ada=9 grace ada=5 linus']).map(({ scope: { item } }) => [
      item?.['id'],
      item?.['rank'],
      item?.['viewerCount'],
    ]);

    expect(seen).toEqual([
      ['ada-1', 1, 9],
      ['grace-1', 2, 100],
      ['linus-1', 3, 100],
    ]);
  });

  test('`take` counts the items that fit `where`', () => {
    const where = { source: 'item.viewerCount > 50', test: fits };
    const fired = runPolls(cardRule({ watched: { where, take: 2 } }), ['0m', '1m ada=10 grace grace linus mary']).lines;

    expect(fired).toEqual(['1m then entered grace', '1m then entered linus']);
  });

  test('an item without a key is left out, and no episode ends', () => {
    const { lines, advances } = runPolls(cardRule({ watched: goneAtOnce }), ['0m', '1m ada', '2m grace ?', '3m ada grace', '4m grace']);

    expect(lines).toEqual([
      '1m then entered ada',
      '2m then entered grace',
      '3m while ada',
      '3m while grace',
      '4m withdraw while ada',
      '4m withdraw while grace',
      '4m finally left ada',
      '4m while grace',
    ]);
    expect(advances[2]?.decisions.at(-1)).toMatchObject({
      outcome: 'failed',
      reason: { kind: 'missingKey', items: { count: 1, named: [{ name: 'nobody' }] } },
    });
  });

  test('an item without a key keeps its rank, unless `where` excludes it', () => {
    const ranking = { take: 2, keyFailure: () => 'no owner' };
    const polls = ['0m', '1m ? ada grace'] as const;
    const where = { source: 'item.viewerCount > 50', test: fits };

    expect(firingsOf(rankingRule({ watched: ranking }), polls).map(rankOfItem)).toEqual([['ada-1', 2]]);
    const { advances } = runPolls(rankingRule({ watched: ranking }), polls);
    expect(advances[1]?.decisions.at(-1)?.message).toBe(
      'left out 1 item without a key: nobody (no owner); no item counts as missing in this poll',
    );
    expect(firingsOf(rankingRule({ watched: { ...ranking, where } }), polls).map(rankOfItem)).toEqual([
      ['ada-1', 1],
      ['grace-1', 2],
    ]);
  });
});

describe('a rule that watches nothing', () => {
  test('fires each slot, with the slot as its occasion', () => {
    const fired = firingsOf(slotRule(), ['0m', '1m']);

    expect(fired.map(({ episode, occasion, queue, section }) => [episode, occasion, queue, section])).toEqual([
      ['2026-11-20T18:00:00.000Z', '2026-11-20T18:00:00.000Z', 'card', 'then'],
      ['2026-11-20T18:01:00.000Z', '2026-11-20T18:01:00.000Z', 'card', 'then'],
    ]);
    expect(fired[0]?.scope).toEqual({ rule: { id: 'card' }, now: '2026-11-20T18:00:00.000Z' });
  });

  test('has a cooldown', () => {
    const fired = firingsOf(slotRule({ cooldown: { forMs: 2 * MINUTE, per: 'item' } }), ['0m', '1m', '2m', '3m', '4m']);

    expect(fired.map(({ atMs }) => (atMs - START_MS) / MINUTE)).toEqual([0, 2, 4]);
  });
});

function rankOfItem({ scope: { item } }: Firing): readonly unknown[] {
  return [item?.['id'], item?.['rank']];
}

function firingsOf(rule: Parameters<typeof runPolls>[0], polls: readonly PollLine[]): readonly Firing[] {
  return runPolls(rule, polls).advances.flatMap(({ firings }) => firings);
}

function fits({ item }: Scope): Verdict {
  return Number(item?.['viewerCount']) > 50
    ? { holds: true }
    : { holds: false, condition: { kind: 'false', clauses: [{ source: 'item.viewerCount > 50', values: [] }] } };
}

function keysOf({ steps }: Firing): readonly string[] {
  return steps.map(({ key }) => key);
}
