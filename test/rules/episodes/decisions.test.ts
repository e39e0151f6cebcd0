import { describe, expect, test } from 'vitest';
import type { Quiet } from '#src/rules/rule.ts';
import { aStep, cardRule, condition, HOUR, MINUTE, slotRule, START_MS, type RuleOptions } from './fixture.ts';
import { play, type PollLine } from './play.ts';

interface Case {
  readonly promise: string;
  readonly rule?: RuleOptions;
  readonly polls: readonly PollLine[];
  /** The decisions of the last poll. */
  readonly decides: readonly string[];
}

const where50 = condition('item.viewerCount >= 50', ({ item }) => Number(item?.['viewerCount']) >= 50);

describe('what a rule gives as its reason', () => {
  test.for<Case>([
    {
      promise: 'of a first look: one sentence about all that it found',
      polls: ['0m ada grace'],
      decides: ['0m silent: the first look: 2 items there already, followed without a word: ada, grace'],
    },
    {
      promise: 'of a long first look: the first names',
      polls: ['0m a b c d e f g'],
      decides: ['0m silent: the first look: 7 items there already, followed without a word: a, b, c, d, e and 2 more'],
    },
    {
      promise: 'of a poll in which nothing happened: one sentence with the counts',
      polls: ['0m ada grace', '1m ada grace'],
      decides: ['1m quiet: nothing changed: 2 items read, 2 of them followed'],
    },
    {
      promise: 'of a list that was cut short: that it says nothing of who is missing',
      polls: ['0m ada', '1m ...'],
      decides: ['1m quiet: nothing changed: 0 items read, 0 of them followed; the list was cut short and says nothing of who is missing'],
    },
    { promise: 'of a failed poll: the failure', polls: ['0m !'], decides: ['0m failed: nothing could be read: unavailable'] },
    {
      promise: 'of an item that settles: where it stands and how long it has to stay',
      rule: { watched: { settleMs: 2 * MINUTE } },
      polls: ['0m', '1m grace ada=740', '2m grace ada=1740'],
      decides: [
        '2m waiting grace: grace is #1 with 100 viewers: settling for 1m more',
        '2m waiting ada: ada is #2 with 1,740 viewers: settling for 1m more',
      ],
    },
    {
      promise: 'of an item that is not seen often enough yet: how often it was',
      rule: { watched: { confirm: { new: 3, gone: 2 } } },
      polls: ['0m', '1m ada=1', '2m ada=1'],
      decides: ['2m waiting ada: ada is #1 with 1 viewer: seen in 2 of 3 polls'],
    },
    {
      promise: 'of an item that did not stay: how long it was seen',
      rule: { watched: { settleMs: 5 * MINUTE } },
      polls: ['0m', '1m ada', '3m ada', '4m'],
      decides: ['4m quiet ada: ada was gone again before it opened; it was seen for 2m'],
    },
    {
      promise: 'of an announcement: where the item entered',
      polls: ['0m', '1m ada=740'],
      decides: ['1m fired ada: ada entered at #1 with 740 viewers'],
    },
    {
      promise: 'of an item that is missing: how often and how long it may be, said once',
      rule: { watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m'],
      decides: ['2m waiting ada: ada is missing: 1 of 2 polls, grace for 15m'],
    },
    {
      promise: 'of an item that is still missing: who it is, and what is left of its grace',
      rule: { watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m', '3m'],
      decides: ['3m quiet: nothing changed: 0 items read, 0 of them followed, 1 still missing: ada (grace for 14m)'],
    },
    {
      promise: 'of an item that is back: that it is the same episode',
      rule: { watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m', '4m ada/2'],
      decides: ['4m quiet ada: ada is back at #1 with 100 viewers after 3m: the same episode, no second announcement'],
    },
    {
      promise: 'of a reopening: the same',
      polls: ['0m', '1m ada', '2m', '3m', '1566m ada'],
      decides: ['1566m silent ada: ada is back at #1 with 100 viewers after 1d 2h: the same episode, no second announcement'],
    },
    {
      promise: 'of an episode that ended: how long it was seen',
      polls: ['0m', '1m ada=740', '126m ada=50', '127m', '128m'],
      decides: ['128m closed ada: ada has ended: seen for 2h 5m, at last #1 with 50 viewers'],
    },
    {
      promise: 'of a silent one: also why it was silent',
      polls: ['0m ada', '1m', '2m'],
      decides: ['2m closed ada: ada has ended: seen for 0s, at last #1 with 100 viewers; it was never announced: it was there already'],
    },
    {
      promise: 'of what was too old after a gap: its age and what was allowed',
      rule: { maxAgeMs: HOUR },
      polls: ['0m', '180m ada@50m'],
      decides: [
        '180m silent ada: ada is #1 with 100 viewers, not announced: it began 2h 10m ago, more than maxAge (1h), and nothing was read for 3h',
      ],
    },
    {
      promise: 'of who enters where only leaving counts',
      rule: { watched: { changes: [{ kind: 'left' }] } },
      polls: ['0m', '1m ada'],
      decides: ['1m silent ada: ada is #1 with 100 viewers, not announced: the rule does not speak of who enters'],
    },
    {
      promise: 'of those that `where` refuses: the clause, for the best three',
      rule: { watched: { where: where50 } },
      polls: ['0m a=1 ada=90 b=2 c=3 d=4 e=5', '1m a=1 ada=90 b=2 c=3 d=4 e=5'],
      decides: [
        '1m quiet: nothing changed: 6 items read, 1 of them followed; 5 items do not fit where: a: item.viewerCount >= 50 is false; b: item.viewerCount >= 50 is false; c: item.viewerCount >= 50 is false; and 2 more',
      ],
    },
    {
      promise: 'of those that `where` refuses beside what happened, too',
      rule: { watched: { where: where50 } },
      polls: ['0m', '1m ada=90 b=2'],
      decides: [
        '1m fired ada: ada entered at #1 with 90 viewers',
        '1m quiet: 1 item does not fit where: b: item.viewerCount >= 50 is false',
      ],
    },
    {
      promise: 'of an item that `where` refuses now, as long as it may come back: the clause, not that it is missing',
      rule: { watched: { where: where50, graceMs: 10 * MINUTE } },
      polls: ['0m', '5m ada=200', '10m ada=40'],
      decides: [
        '10m waiting ada: ada no longer fits where (item.viewerCount >= 50 is false): 1 of 2 polls, grace for 10m',
        '10m quiet: 1 item does not fit where: ada: item.viewerCount >= 50 is false',
      ],
    },
    {
      promise: 'of those that `where` refuses now and those that are missing: who is which',
      rule: { watched: { where: where50, graceMs: 10 * MINUTE } },
      polls: ['0m', '1m ada grace linus', '2m linus=1', '3m linus=1'],
      decides: [
        '3m quiet: nothing changed: 1 item read, 0 of them followed, 2 still missing: ada (grace for 9m), grace (grace for 9m), 1 that no longer fits where: linus (grace for 9m); 1 item does not fit where: linus: item.viewerCount >= 50 is false',
      ],
    },
    {
      promise: 'of an episode whose item `where` refuses: that it left, and the clause, not that it ended',
      rule: { watched: { where: where50 } },
      polls: ['0m', '5m ada=200', '10m ada=40', '15m ada=30'],
      decides: [
        '15m closed ada: ada has left: it no longer fits where (item.viewerCount >= 50 is false); seen for 0s, at last #1 with 200 viewers',
        '15m quiet: 1 item does not fit where: ada: item.viewerCount >= 50 is false',
      ],
    },
    {
      promise: 'of an episode whose item `where` refused before it was gone: that it ended',
      rule: { watched: { where: where50 } },
      polls: ['0m', '5m ada=200', '10m ada=40', '15m'],
      decides: ['15m closed ada: ada has ended: seen for 0s, at last #1 with 200 viewers'],
    },
    {
      promise: 'of an item that `where` refused before it opened: the clause',
      rule: { watched: { where: where50, settleMs: 5 * MINUTE } },
      polls: ['0m', '1m ada', '2m ada', '3m ada=1'],
      decides: [
        '3m quiet ada: ada no longer fits where (item.viewerCount >= 50 is false), and had not opened; it was seen for 1m',
        '3m quiet: 1 item does not fit where: ada: item.viewerCount >= 50 is false',
      ],
    },
    {
      promise: 'of a channel that is live and below the first: that it left, not that it ended',
      rule: { watched: { take: 1, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada grace', '2m grace ada'],
      decides: [
        '2m closed ada: ada has left: seen for 0s, at last #1 with 100 viewers',
        '2m fired grace: grace entered at #1 with 100 viewers',
      ],
    },
    {
      promise: 'of those that stand below the first: how many they are',
      rule: { watched: { take: 1 } },
      polls: ['0m ada grace linus', '1m ada grace linus'],
      decides: ['1m quiet: nothing changed: 3 items read, 1 of them followed, 2 below the first 1'],
    },
    {
      promise: 'of a value that is not said: what it was, and why',
      rule: { cooldown: { forMs: HOUR, per: 'item' }, watched: { changes: [{ kind: 'entered' }, { kind: 'moved' }] } },
      polls: ['0m linus', '1m ada linus', '2m linus ada'],
      decides: [
        '2m fired linus: linus moved up from #2 to #1',
        '2m refused ada: that ada moved down from #1 to #2 is not announced: cooldown: last announced 1m ago, 59m left',
      ],
    },
    {
      promise: 'of who leaves',
      rule: { watched: { changes: [{ kind: 'left' }], confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada', '2m'],
      decides: [
        '2m closed ada: ada has ended: seen for 0s, at last #1 with 100 viewers; it was never announced: the rule does not speak of who enters',
        '2m fired ada: ada left',
      ],
    },
  ])('$promise', ({ rule, polls, decides }) => {
    const { decisions } = play(cardRule(rule), polls);

    expect(decisions.filter((line) => line.startsWith(`${polls.at(-1)?.split(' ')[0]} `))).toEqual(decides);
  });

  test('of a slot that a condition refuses: the clause that was false', () => {
    const { decisions } = play(slotRule({ if: condition('false', () => false) }), ['0m']);

    expect(decisions).toEqual(['0m refused: nothing is done: if: false is false']);
  });

  test('of slots that were held where nothing is watched: that there were slots, and the last of them', () => {
    const quiet: Quiet = { fromMinute: 18 * 60 + 10, toMinute: 18 * 60 + 30, timezone: 'UTC', then: [aStep()] };
    const { decisions, advances } = play(slotRule({ quiet }), ['0m', '14m', '21m', '30m']);

    expect(decisions).toContain('30m fired: the quiet hours are over: slots were held, the last of 2026-11-20T18:21:00.000Z');
    expect(advances.at(-1)?.decisions[0]?.why).toEqual({ kind: 'handedOver', changes: 0, lastSlotMs: START_MS + 21 * MINUTE });
  });

  test('names the episode, the item and the firing for whoever looks further', () => {
    const [, { decisions, firings } = { decisions: [], firings: [] }] = play(cardRule(), ['0m', '1m ada']).advances;

    expect(decisions).toEqual([
      {
        rule: 'card',
        atMs: Date.parse('2026-11-20T18:01:00Z'),
        outcome: 'fired',
        item: 'ada',
        episode: 'ada@2026-11-20T18:01:00.000Z',
        reason: 'ada entered at #1 with 100 viewers',
        why: { kind: 'happened', name: 'ada', happened: { kind: 'entered', standing: { rank: 1, viewers: 100 } } },
        details: { firing: firings[0]?.id },
      },
    ]);
  });
});
