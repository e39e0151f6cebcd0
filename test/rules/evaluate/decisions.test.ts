import { describe, expect, test } from 'vitest';
import { NEW_STATE } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Quiet } from '#src/rules/rule.ts';
import { aStep, cardRule, condition, HOUR, MINUTE, slotRule, START_MS, stream, type RuleOptions } from './fixture.ts';
import { runPolls, withChange, type PollLine } from './run-polls.ts';

interface Case {
  readonly promise: string;
  readonly rule?: RuleOptions;
  readonly polls: readonly PollLine[];
  /** The decisions of the last poll. */
  readonly decides: readonly string[];
}

const where50 = condition('item.viewerCount >= 50', ({ item }) => Number(item?.['viewerCount']) >= 50);

describe('the message of a decision', () => {
  test.for<Case>([
    {
      promise: 'a baseline poll has one message for all items',
      polls: ['0m ada grace'],
      decides: ['0m suppressed: the first poll: 2 items already in the list, not announced: ada, grace'],
    },
    {
      promise: 'a baseline poll with many items has the first names',
      polls: ['0m a b c d e f g'],
      decides: ['0m suppressed: the first poll: 7 items already in the list, not announced: a, b, c, d, e and 2 more'],
    },
    {
      promise: 'a poll without changes has the counts',
      polls: ['0m ada grace', '1m ada grace'],
      decides: ['1m unchanged: 2 live'],
    },
    {
      promise: 'an incomplete list does not show missing items',
      polls: ['0m ada', '1m ...'],
      decides: ['1m unchanged: 0 live; the list was cut short, so it does not show which items are missing'],
    },
    { promise: 'a failed poll has the failure', polls: ['0m !'], decides: ['0m failed: the poll failed: unavailable'] },
    {
      promise: 'an item that settles has its viewers, and the time left',
      rule: { watched: { settleMs: 2 * MINUTE } },
      polls: ['0m', '1m grace ada=740', '2m grace ada=1740'],
      decides: [
        '2m waiting grace: grace is live with 100 viewers: settling for 1m more',
        '2m waiting ada: ada is live with 1,740 viewers: settling for 1m more',
      ],
    },
    {
      promise: 'an item that was not seen often enough has the number of polls',
      rule: { watched: { confirm: { new: 3, gone: 2 } } },
      polls: ['0m', '1m ada=1', '2m ada=1'],
      decides: ['2m waiting ada: ada is live with 1 viewer: seen in 2 of 3 polls'],
    },
    {
      promise: 'an item that vanished has the time that it was seen',
      rule: { watched: { settleMs: 5 * MINUTE } },
      polls: ['0m', '1m ada', '3m ada', '4m'],
      decides: ['4m unchanged ada: ada left before its episode opened; it was seen for 2m'],
    },
    {
      promise: 'an announcement has the viewers of the item',
      polls: ['0m', '1m ada=740'],
      decides: ['1m fired ada: ada is live with 740 viewers'],
    },
    {
      promise: 'the first poll without an item has the polls and the grace left',
      rule: { watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m'],
      decides: ['2m waiting ada: ada is missing: 1 of 2 polls, the episode ends in 15m'],
    },
    {
      promise: 'a later poll without an item has its name and the grace left',
      rule: { watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m', '3m'],
      decides: ['3m unchanged: 0 live. ada went offline; the episode ends in 14m'],
    },
    {
      promise: 'an item that returns continues its episode',
      rule: { watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m', '4m ada/2'],
      decides: ['4m unchanged ada: ada is back with 100 viewers after 3m: its episode continues, without a second announcement'],
    },
    {
      promise: 'an item that reopens its episode has the same message',
      polls: ['0m', '1m ada', '2m', '3m', '1566m ada'],
      decides: ['1566m suppressed ada: ada is back with 100 viewers after 1d 2h: its episode continues, without a second announcement'],
    },
    {
      promise: 'a closed episode has the time that it was seen',
      polls: ['0m', '1m ada=740', '126m ada=50', '127m', '128m'],
      decides: ['128m closed ada: ada has ended: seen for 2h 5m, last with 50 viewers'],
    },
    {
      promise: 'a suppressed episode that closes has its suppression',
      polls: ['0m ada', '1m', '2m'],
      decides: ['2m closed ada: ada has ended: seen for 0s, last with 100 viewers; it was never announced: it was already in the list'],
    },
    {
      promise: 'an item that is too old after a gap has its age and `maxAge`',
      rule: { maxAgeMs: HOUR },
      polls: ['0m', '180m ada@50m'],
      decides: [
        '180m suppressed ada: ada is live with 100 viewers, not announced: it began 2h 10m ago, more than maxAge (1h), and Fanfare read nothing for 3h',
      ],
    },
    {
      promise: 'an entry that is not watched',
      rule: { watched: { changes: [{ kind: 'left' }] } },
      polls: ['0m', '1m ada'],
      decides: ['1m suppressed ada: ada is live with 100 viewers, not announced: changes does not contain entered'],
    },
    {
      promise: 'items that do not fit `where` have the false clause, for the best three',
      rule: { watched: { where: where50 } },
      polls: ['0m a=1 ada=90 b=2 c=3 d=4 e=5', '1m a=1 ada=90 b=2 c=3 d=4 e=5'],
      decides: [
        '1m unchanged: 6 items in the list, 1 followed; 5 items do not fit where: a: item.viewerCount >= 50 is false; b: item.viewerCount >= 50 is false; c: item.viewerCount >= 50 is false; and 2 more',
      ],
    },
    {
      promise: 'items that do not fit `where` beside a change',
      rule: { watched: { where: where50 } },
      polls: ['0m', '1m ada=90 b=2'],
      decides: ['1m fired ada: ada is live with 90 viewers', '1m unchanged: 1 item does not fit where: b: item.viewerCount >= 50 is false'],
    },
    {
      promise: 'an item that no longer fits `where` has the false clause while it may return',
      rule: { watched: { where: where50, graceMs: 10 * MINUTE } },
      polls: ['0m', '5m ada=200', '10m ada=40'],
      decides: [
        '10m waiting ada: ada no longer fits where (item.viewerCount >= 50 is false): 1 of 2 polls, the episode ends in 10m',
        '10m unchanged: 1 item does not fit where: ada: item.viewerCount >= 50 is false',
      ],
    },
    {
      promise: 'items that no longer fit `where` are listed separately from missing items',
      rule: { watched: { where: where50, graceMs: 10 * MINUTE } },
      polls: ['0m', '1m ada grace linus', '2m linus=1', '3m linus=1'],
      decides: [
        '3m unchanged: 1 item in the list, 0 followed, 1 that no longer fits where: linus (the episode ends in 9m). ada went offline; the episode ends in 9m. grace went offline; the episode ends in 9m; 1 item does not fit where: linus: item.viewerCount >= 50 is false',
      ],
    },
    {
      promise: 'an episode whose item no longer fits `where` has left, with the false clause',
      rule: { watched: { where: where50 } },
      polls: ['0m', '5m ada=200', '10m ada=40', '15m ada=30'],
      decides: [
        '15m closed ada: ada has left: it no longer fits where (item.viewerCount >= 50 is false); seen for 0s, last with 200 viewers',
        '15m unchanged: 1 item does not fit where: ada: item.viewerCount >= 50 is false',
      ],
    },
    {
      promise: 'an episode whose item did not fit `where` before it was gone has ended',
      rule: { watched: { where: where50 } },
      polls: ['0m', '5m ada=200', '10m ada=40', '15m'],
      decides: ['15m closed ada: ada has ended: seen for 0s, last with 200 viewers'],
    },
    {
      promise: 'an item that no longer fits `where` before its episode opened has the false clause',
      rule: { watched: { where: where50, settleMs: 5 * MINUTE } },
      polls: ['0m', '1m ada', '2m ada', '3m ada=1'],
      decides: [
        '3m unchanged ada: ada no longer fits where (item.viewerCount >= 50 is false), before its episode opened; it was seen for 1m',
        '3m unchanged: 1 item does not fit where: ada: item.viewerCount >= 50 is false',
      ],
    },
    {
      promise: 'a live channel below `take` has left',
      rule: { watched: { take: 1, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada grace', '2m grace ada'],
      decides: ['2m closed ada: ada has left: seen for 0s, last with 100 viewers', '2m fired grace: grace is live with 100 viewers'],
    },
    {
      promise: 'items below `take` are counted',
      rule: { watched: { take: 1 } },
      polls: ['0m ada grace linus', '1m ada grace linus'],
      decides: ['1m unchanged: 3 items in the list, 1 followed, 2 below the first 1'],
    },
    {
      promise: 'a suppressed change has its values and the suppression',
      rule: { cooldown: { forMs: HOUR, per: 'item' }, watched: { changes: [{ kind: 'entered' }, { kind: 'moved' }] } },
      polls: ['0m linus', '1m ada linus', '2m linus ada'],
      decides: [
        '2m fired linus: linus moved up from #2 to #1',
        '2m suppressed ada: ada moved down from #1 to #2, not announced: cooldown: last announced 1m ago, 59m left',
      ],
    },
    {
      promise: 'an item that leaves',
      rule: { watched: { changes: [{ kind: 'left' }], confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada', '2m'],
      decides: [
        '2m closed ada: ada has ended: seen for 0s, last with 100 viewers; it was never announced: changes does not contain entered',
        '2m fired ada: ada left',
      ],
    },
  ])('$promise', ({ rule, polls, decides }) => {
    const { decisions } = runPolls(cardRule(rule), polls);

    expect(decisions.filter((line) => line.startsWith(`${polls.at(-1)?.split(' ')[0]} `))).toEqual(decides);
  });

  test('a slot with a false condition has the false clause', () => {
    const { decisions } = runPolls(slotRule({ if: condition('false', () => false) }), ['0m']);

    expect(decisions).toEqual(['0m suppressed: scheduled run skipped: if: false is false']);
  });

  test('deferred slots of a rule that watches nothing have the last slot', () => {
    const quiet: Quiet = { fromMinute: 18 * 60 + 10, toMinute: 18 * 60 + 30, timezone: 'UTC', then: [aStep()] };
    const { decisions, advances } = runPolls(slotRule({ quiet }), ['0m', '14m', '21m', '30m']);

    expect(decisions).toContain('30m fired: quiet hours ended: slots were deferred, the last of 2026-11-20T18:21:00.000Z');
    expect(advances.at(-1)?.decisions[0]?.reason).toEqual({ kind: 'quietHoursEnded', changes: 0, lastSlotMs: START_MS + 21 * MINUTE });
  });

  test('has the episode, the item and the firing', () => {
    const [, { decisions, firings } = { decisions: [], firings: [] }] = runPolls(cardRule(), ['0m', '1m ada']).advances;

    expect(decisions).toEqual([
      {
        rule: 'card',
        atMs: Date.parse('2026-11-20T18:01:00Z'),
        outcome: 'fired',
        item: 'ada',
        episode: 'ada@2026-11-20T18:01:00.000Z',
        message: 'ada is live with 100 viewers',
        reason: { kind: 'itemChanged', name: 'ada', change: { kind: 'entered', standing: { viewers: 100 }, live: true } },
        details: { firing: firings[0]?.id },
      },
    ]);
  });

  test.for(['live', 'ranking', 'feed', 'set'] as const)('of a list of the kind %s has a rank only in a ranking', (kind) => {
    const [, { decisions } = { decisions: [] }] = runPolls(cardRule({ watched: { kind } }), ['0m', '1m ada']).advances;

    expect(decisions[0]?.reason).toMatchObject({ change: { standing: kind === 'ranking' ? { rank: 1 } : {} } });
    expect(JSON.stringify(decisions).includes('"rank"')).toBe(kind === 'ranking');
  });

  test.for<[promise: string, rule: RuleOptions, fields: Item, occurredAt: string | undefined]>([
    ['the start of a stream', {}, { startedAt: '2026-11-20T17:59:20Z' }, '2026-11-20T17:59:20.000Z'],
    ['no time without the one of the platform', {}, {}, undefined],
    ['the creation of a post', { watched: { kind: 'feed' } }, { createdAt: '2026-11-20T17:50:00Z' }, '2026-11-20T17:50:00.000Z'],
    [
      'no time in a ranking, which an item enters later',
      { watched: { kind: 'ranking' } },
      { startedAt: '2026-11-20T12:00:00Z' },
      undefined,
    ],
  ])('has %s', ([, options, fields, occurredAt]) => {
    const rule = cardRule({ ...options, maxAgeMs: HOUR });
    const [first = expect.fail('no poll')] = runPolls(rule, ['0m']).advances;
    const state = withChange(NEW_STATE, first.change ?? { memory: NEW_STATE.memory, put: [], drop: [] });

    const { decisions } = advance({ rule, state, poll: { items: [stream('ada', fields)], complete: true }, slotMs: START_MS + MINUTE });

    expect(decisions.map(({ outcome, details }) => [outcome, details?.['occurredAt']])).toEqual([['fired', occurredAt]]);
  });
});
