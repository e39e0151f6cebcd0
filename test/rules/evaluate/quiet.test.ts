import { describe, expect, test } from 'vitest';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Suppression } from '#src/rules/reasons/reason.ts';
import type { Quiet, Rule } from '#src/rules/rule.ts';
import { aStep, cardRule, condition, falseIf, HOUR, MINUTE, otherQuery, slotRule, START_MS, stream, type RuleOptions } from './fixture.ts';
import { runPolls, withChange } from './run-polls.ts';

/** Quiet from ten past six to half past; the polls begin at six. */
function hours(then: Quiet['then']): Quiet {
  return { fromMinute: 18 * 60 + 10, toMinute: 18 * 60 + 30, timezone: 'UTC', then };
}

function quietHours(leftMinutes: number): Suppression {
  return { kind: 'quietHours', fromMinute: 18 * 60 + 10, toMinute: 18 * 60 + 30, timezone: 'UTC', leftMs: leftMinutes * MINUTE };
}

const goneAtOnce = { confirm: { new: 1, gone: 1 } };
const hold: RuleOptions = { while: [], quiet: hours('hold'), watched: goneAtOnce };
const steps: RuleOptions = { while: [], quiet: hours([aStep({ do: 'discord.send' })]), watched: goneAtOnce };

describe('drop', () => {
  const drop: RuleOptions = { ...hold, quiet: hours('drop') };

  test('changes in quiet hours are not announced, even later', () => {
    const { lines, suppressions } = runPolls(cardRule(drop), ['0m', '9m ada', '10m ada grace', '30m ada grace linus']);

    expect(lines).toEqual(['9m then entered ada', '30m then entered linus']);
    expect(suppressions).toEqual([['10m', 'grace', quietHours(20)]]);
  });

  test('decides after `if` and cooldown', () => {
    const never = condition('false', () => false);

    expect(runPolls(cardRule({ ...drop, if: never }), ['0m', '11m ada']).suppressions).toEqual([['11m', 'ada', falseIf('false')]]);
  });
});

describe('hold', () => {
  test('each change is re-evaluated at the end, and announced if it is still true', () => {
    const { lines, suppressions } = runPolls(cardRule(hold), ['0m', '11m ada grace', '12m ada', '30m ada', '31m ada']);

    expect(lines).toEqual(['30m then entered ada']);
    expect(suppressions).toEqual([
      ['11m', 'ada', quietHours(19)],
      ['11m', 'grace', quietHours(19)],
      ['12m', 'grace', { kind: 'endedInQuietHours' }],
    ]);
  });

  test('decides once, and wakes the rule at the end', () => {
    const { advances, decisions } = runPolls(cardRule(hold), ['0m', '11m ada', '12m ada', '13m !', '30m ada', '31m ada']);

    expect(advances.map(({ wakeMs }) => wakeMs && (wakeMs - START_MS) / MINUTE)).toEqual([undefined, 30, 30, 30, undefined, undefined]);
    expect(decisions.filter((line) => line.includes('deferred'))).toHaveLength(1);
  });

  test('retries soon if the poll at the end failed', () => {
    const { advances, lines } = runPolls(cardRule(hold), ['0m', '11m ada', '30m !', '35m ada']);

    expect(advances[2]?.wakeMs).toBe(START_MS + 35 * MINUTE);
    expect(lines).toEqual(['35m then entered ada']);
  });

  test('the gates decide again at the end: with `per: rule`, one item is announced', () => {
    const rule = cardRule({ ...hold, cooldown: { forMs: HOUR, per: 'rule' } });

    expect(runPolls(rule, ['0m', '11m ada', '12m ada grace', '30m ada grace', '31m ada grace']).lines).toEqual(['30m then entered ada']);
  });

  test('a condition that is false at the end suppresses the change', () => {
    const many = condition('item.viewerCount > 50', ({ item }) => Number(item?.['viewerCount']) > 50);

    expect(runPolls(cardRule({ ...hold, if: many }), ['0m', '11m ada', '30m ada=10', '31m ada']).lines).toEqual([]);
  });

  test('the firing has the instant of the end', () => {
    const [, , last] = runPolls(cardRule({ ...hold, maxAgeMs: MINUTE }), ['0m', '11m ada', '30m ada']).advances;

    expect(last?.firings.map(({ atMs, scope }) => [atMs, scope.now])).toEqual([[START_MS + 30 * MINUTE, '2026-11-20T18:30:00.000Z']]);
  });

  test('a change of an item that is missing at the end waits for its return', () => {
    const rule = cardRule({ ...hold, watched: { graceMs: 20 * MINUTE } });

    expect(runPolls(rule, ['0m', '11m ada', '29m', '30m', '31m ada', '32m ada']).lines).toEqual(['31m then entered ada']);
  });

  test('a change of an item that closes is dropped, without `finally`', () => {
    const rule = cardRule({ ...hold, watched: { graceMs: 5 * MINUTE } });

    expect(runPolls(rule, ['0m', '11m ada', '29m', '30m', '40m', '41m ada/2']).lines).toEqual(['41m then entered ada']);
  });

  test.for([
    { returns: 'in quiet hours', polls: ['0m', '11m ada', '12m', '13m ada', '30m ada', '31m ada', '32m'], at: '30m' },
    { returns: 'after them', polls: ['0m', '11m ada', '29m', '31m ada', '32m', '33m ada', '34m'], at: '31m' },
  ])('a stream that was interrupted before it could be announced, and returns $returns, is announced once', ({ polls, at }) => {
    const { lines } = runPolls(cardRule({ ...hold, while: cardRule().while, finally: [] }), polls);

    expect(lines.filter((line) => line.includes(' then '))).toEqual([`${at} then entered ada`]);
    expect(lines.filter((line) => line.startsWith(at))).toHaveLength(1);
  });

  test('a stream that an edit brings back is not announced', () => {
    const rule = cardRule(hold);

    expect(runPolls(rule, ['0m', '11m ada', '12m', otherQuery, '31m ada', '32m ada']).lines).toEqual([]);
  });

  test('a stream that returns after a gap, and began longer ago than `maxAge`, is not announced', () => {
    expect(runPolls(cardRule(hold), ['0m', '11m ada@10m', '12m', '3h ada@10m', '181m ada@10m']).lines).toEqual([]);
  });

  test('`while` and `finally` of announced episodes continue in quiet hours', () => {
    const rule = cardRule({ ...hold, while: cardRule().while });

    expect(runPolls(rule, ['0m', '9m ada', '11m ada', '12m']).lines).toEqual([
      '9m then entered ada',
      '11m while ada',
      '12m withdraw while ada',
      '12m finally left ada',
    ]);
  });

  test('the first `while` follows in the poll after the announcement', () => {
    const rule = cardRule({ ...hold, while: cardRule().while });

    expect(runPolls(rule, ['0m', '11m ada', '12m ada', '30m ada', '31m ada']).lines).toEqual(['30m then entered ada', '31m while ada']);
  });

  test('of several changes of one item and kind, the last one is announced, compared with the announced value', () => {
    const rule = cardRule({ ...hold, finally: [], watched: { changes: [{ kind: 'changed', fields: ['title'] }] } });

    const { lines, advances } = runPolls(rule, ['0m ada:a', '11m ada:b', '12m ada:c', '30m ada:c']);

    expect(lines).toEqual(['30m then changed ada']);
    expect(advances[3]?.firings[0]?.scope).toMatchObject({ item: { title: 'c' }, previous: { title: 'a' } });
  });

  test('a value that returned before the end is not announced', () => {
    const rule = cardRule({
      ...hold,
      finally: [],
      watched: {
        changes: [
          { kind: 'moved' },
          { kind: 'changed', fields: ['title'] },
          { kind: 'rose', field: 'viewerCount', lines: [{ at: 200, rearm: 200 }] },
        ],
      },
    });

    expect(runPolls(rule, ['0m ada:a grace:g', '11m grace:g ada=300:b', '29m ada:a grace:g', '30m ada:a grace:g']).lines).toEqual([]);
  });

  test('an item that is announced late has the values of its announcement, and later ones are compared with them', () => {
    const changes = [{ kind: 'entered' }, { kind: 'moved', direction: 'up' }, { kind: 'changed', fields: ['title'] }] as const;
    const rule = cardRule({ ...hold, finally: [], watched: { ...goneAtOnce, kind: 'ranking', changes } });
    const polls = ['0m x', '11m x ada:a', '12m ada:b x', '30m ada:b x', '31m ada:b x', '32m ada:a x'];
    const limited: Rule = { ...rule, quiet: undefined, limit: { firings: 1, perMs: 20 * MINUTE, then: 'hold' } };

    expect(runPolls(rule, polls).lines).toEqual(['30m then entered ada', '32m then changed ada']);
    expect(runPolls(limited, ['0m x', '10m x y', ...polls.slice(1), '50m ada:a x']).lines).toEqual([
      '10m then entered y',
      '30m then entered ada',
      '50m then changed ada',
    ]);
  });

  test('a departure is announced at the end if the item is still gone', () => {
    const left: RuleOptions = { ...hold, finally: [], watched: { ...goneAtOnce, kind: 'ranking', changes: [{ kind: 'left' }] } };

    const { lines, state } = runPolls(cardRule(left), [
      '0m ada grace linus',
      '11m grace linus',
      '12m ada linus',
      '30m ada linus',
      '31m ada linus',
    ]);

    expect(lines).toEqual(['30m then left grace']);
    expect([...state.episodes.values()].map(({ key }) => key).toSorted()).toEqual(['ada', 'linus']);
  });

  test('departures wait for a complete list', () => {
    const left: RuleOptions = { ...hold, finally: [], watched: { ...goneAtOnce, changes: [{ kind: 'left' }] } };

    expect(runPolls(cardRule(left), ['0m ada grace', '11m', '30m ...', '31m grace +++', '32m grace']).lines).toEqual(['32m then left ada']);
  });

  test('with `per: poll`, all deferred changes share a firing', () => {
    const rule = cardRule({
      ...hold,
      finally: [],
      readsList: true,
      watched: { ...goneAtOnce, per: 'poll', changes: [{ kind: 'entered' }, { kind: 'left' }] },
    });

    expect(runPolls(rule, ['0m mary', '11m mary ada', '12m mary ada grace', '13m ada grace', '30m ada grace linus']).lines).toEqual([
      '30m then entered ada, entered grace, entered linus, left mary',
    ]);
  });

  test('of several deferred slots, the last one fires', () => {
    const rule = slotRule({ quiet: hours('hold'), schedule: { cron: '*/7 * * * *', timezone: 'UTC' } });

    const { advances } = runPolls(rule, ['0m', '14m', '21m', '28m', '30m', '35m']);

    expect(advances.map(({ firings, wakeMs }) => [firings.length, wakeMs && (wakeMs - START_MS) / MINUTE])).toEqual([
      [1, undefined],
      [0, 30],
      [0, 30],
      [0, 30],
      [1, undefined],
      [1, undefined],
    ]);
  });

  test('a deferred slot fires with its changes', () => {
    const rule = cardRule({
      ...hold,
      finally: [],
      readsList: true,
      schedule: { cron: '*/7 * * * *', timezone: 'UTC' },
      watched: { ...goneAtOnce, per: 'slot' },
    });

    expect(runPolls(rule, ['0m ada', '14m ada grace', '30m ada grace linus', '35m ada grace linus']).lines).toEqual([
      '0m then ',
      '30m then entered grace, entered linus',
      '35m then ',
    ]);
  });

  test('the first slot after an edit to `per: slot` has the deferred changes, and no later slot has them', () => {
    const perSlot = (rule: Rule): Rule => ({ ...rule, watched: rule.watched && { ...rule.watched, per: 'slot' } });
    const rule = cardRule({ ...hold, finally: [], readsList: true });
    const polls = ['0m', '11m ada', perSlot, '12m ada', '30m ada grace', '31m ada grace', '32m ada grace'];

    expect(runPolls(rule, polls).lines).toEqual(['30m then entered ada, entered grace', '31m then ', '32m then ']);
  });

  test('the first slot after an edit to `per: slot` has them even if the quiet hours end before it', () => {
    const perSlot = (rule: Rule): Rule => ({ ...rule, watched: rule.watched && { ...rule.watched, per: 'slot' } });
    const rule = cardRule({ ...hold, finally: [], readsList: true, schedule: { cron: '*/7 * * * *', timezone: 'UTC' } });

    expect(runPolls(rule, ['0m', '11m ada', perSlot, '30m ada', '35m ada', '42m ada']).lines).toEqual([
      '35m then entered ada',
      '42m then ',
    ]);
  });

  test('deferred changes are announced after an edit that removes the quiet hours', () => {
    const loud = (rule: Rule): Rule => ({ ...rule, quiet: undefined });

    expect(runPolls(cardRule(hold), ['0m', '11m ada', loud, '12m ada', '13m ada']).lines).toEqual(['12m then entered ada']);
  });
});

describe('a list of steps', () => {
  test('gets all deferred changes once at the end, even of closed episodes', () => {
    const { lines, advances } = runPolls(cardRule({ ...steps, watched: { ...goneAtOnce, kind: 'ranking' } }), [
      '0m',
      '11m ada',
      '12m ada grace',
      '13m grace',
      '30m grace',
      '31m grace',
    ]);

    expect(lines).toEqual(['30m quiet entered ada over, entered grace']);
    expect(advances[4]?.firings).toMatchObject([
      {
        section: 'quiet',
        occasion: '2026-11-20T18:30:00.000Z',
        episode: '2026-11-20T18:30:00.000Z',
        queue: 'card',
        steps: [{ step: { do: 'discord.send' } }],
      },
    ]);
    expect(advances[4]?.firings[0]?.scope.held).toMatchObject([
      { kind: 'entered', open: false, item: { id: 'ada-1' }, episode: { polls: 2 } },
      { kind: 'entered', open: true, item: { id: 'grace-1' } },
    ]);
  });

  test('gets the changes of one poll of a feed with the oldest item first', () => {
    const rule = cardRule({ ...steps, watched: { ...goneAtOnce, kind: 'feed', isNewestFirst: true } });

    expect(runPolls(rule, ['0m', '11m ada@10m grace@9m', '12m joan@12m ada@10m grace@9m', '30m joan@12m ada@10m grace@9m']).lines).toEqual([
      '30m quiet entered grace, entered ada, entered joan',
    ]);
  });

  test('does not fire without deferred changes', () => {
    expect(runPolls(cardRule(steps), ['0m ada', '11m ada', '30m ada']).lines).toEqual([]);
  });

  test.for([
    { after: 'does not announce again what they announced', paused: undefined, expected: [] },
    { after: 'announces what they did not announce because of a pause', paused: { by: 'grace', atMs: START_MS }, expected: ['then'] },
  ])('a later request of a person $after', ({ paused, expected }) => {
    const rule = cardRule(steps);
    const { state } = runPolls(rule, ['0m', '11m ada']);
    const poll = { items: [stream('ada')], complete: true };
    const ended = advance({ rule, state: { ...state, paused }, poll, slotMs: START_MS + 30 * MINUTE });
    const later = ended.change ? withChange(state, ended.change) : state;

    const asked = advance({ rule, state: later, poll, slotMs: START_MS + 31 * MINUTE, requested: new Set(['ada']) });

    expect(ended.firings).toHaveLength(1 - expected.length);
    expect(asked.firings.map(({ section }) => section)).toEqual(expected);
  });

  test.for([
    { then: 'hold', rule: hold, expected: 'then' },
    { then: 'steps', rule: steps, expected: 'quiet' },
  ])('a request that a pause suppresses takes nothing from what waits for $then', ({ rule: options, expected }) => {
    const rule = cardRule(options);
    const { state } = runPolls(rule, ['0m', '11m ada']);
    const paused = { by: 'grace', atMs: START_MS };
    const poll = { items: [stream('ada')], complete: true };
    const asked = advance({ rule, state: { ...state, paused }, poll, slotMs: START_MS + 12 * MINUTE, requested: new Set(['ada']) });
    const resumed = asked.change && { ...withChange(state, asked.change), paused: undefined };

    const { advances } = runPolls(rule, ['13m ada', '30m ada', '31m ada'], resumed);

    expect([asked, ...advances].flatMap(({ firings }) => firings.map(({ section }) => section))).toEqual([expected]);
  });

  test('these episodes are suppressed: without `while` and `finally`', () => {
    const rule = cardRule({ ...steps, while: cardRule().while });

    expect(runPolls(rule, ['0m', '11m ada', '30m ada', '31m ada', '32m']).lines).toEqual(['30m quiet entered ada']);
  });

  test('deferred changes do not count for the cooldown', () => {
    const rule = cardRule({
      ...steps,
      finally: [],
      cooldown: { forMs: 6 * HOUR, per: 'item' },
      watched: { ...goneAtOnce, kind: 'ranking' },
    });

    expect(runPolls(rule, ['0m', '11m ada', '30m ada', '31m', '32m ada']).lines).toEqual(['30m quiet entered ada', '32m then entered ada']);
  });

  test('the keys of two nights differ', () => {
    const { advances } = runPolls(cardRule(steps), ['0m', '11m ada', '30m ada', '24h ada', '1451m ada grace', '1470m ada grace']);

    const keys = advances.flatMap(({ firings }) => firings.flatMap((firing) => firing.steps.map(({ key }) => key)));

    expect(new Set(keys).size).toBe(2);
  });

  test('get the changes of the last deferred slot of a rule that fires each slot', () => {
    const rule = cardRule({
      ...steps,
      finally: [],
      readsList: true,
      schedule: { cron: '*/7 * * * *', timezone: 'UTC' },
      watched: { ...goneAtOnce, per: 'slot' },
    });

    expect(runPolls(rule, ['0m ada', '14m ada grace', '21m ada', '30m ada', '35m ada']).lines).toEqual([
      '0m then ',
      '30m quiet left grace',
      '35m then ',
    ]);
  });

  describe('an edit that removes the steps', () => {
    const without = (rule: Rule): Rule => ({ ...rule, quiet: undefined });
    const holds = (rule: Rule): Rule => ({ ...rule, quiet: hours('hold') });

    test.for([
      { edit: without, at: '13m', what: 'in the next poll' },
      { edit: holds, at: '30m', what: 'at the end of the quiet hours, with `hold`' },
    ])('announces deferred entries once, $what', ({ edit, at }) => {
      const polls = ['0m', '11m ada', edit, '13m ada', '30m ada', '31m ada', '32m'];

      expect(runPolls(cardRule(steps), polls).lines).toEqual([`${at} then entered ada`, '32m finally left ada']);
    });

    test('announces them after polls that do not show their items', () => {
      expect(runPolls(cardRule(steps), ['0m', '11m ada', without, '12m !', '13m ...', '14m ada', '15m ada']).lines).toEqual([
        '14m then entered ada',
      ]);
    });

    test('announces other deferred changes whose value still differs', () => {
      const rule = cardRule({
        ...steps,
        finally: [],
        watched: {
          ...goneAtOnce,
          kind: 'ranking',
          settleMs: 2 * MINUTE,
          changes: [
            { kind: 'left' },
            { kind: 'moved', direction: 'up' },
            { kind: 'changed', fields: ['title'] },
            { kind: 'rose', field: 'viewerCount', lines: [{ at: 200, rearm: 200 }] },
            { kind: 'rose', field: 'viewerCount', every: 1000 },
          ],
        },
      });
      const { lines, advances } = runPolls(rule, [
        '0m ada:a grace:a linus:a mary=150 joan=900 anna',
        '11m linus:a ada:b grace:b mary=250 joan=1900',
        '14m linus:a ada:b grace:b mary=250 joan=1900',
        without,
        '15m linus:a ada:b grace:a mary=260 joan=1900',
        '16m linus:a ada:b grace:a mary=260 joan=1900',
      ]);

      expect(lines).toEqual([
        '15m then left anna',
        '15m then moved linus',
        '15m then changed ada',
        '15m then rose mary',
        '15m then rose joan',
      ]);
      expect(advances[3]?.firings.map(({ scope }) => scope.change)).toMatchObject([
        { kind: 'left' },
        { from: 3, to: 1 },
        { previous: { title: 'a' } },
        { threshold: 200 },
        { threshold: 1000 },
      ]);
    });

    test('drops the changes of items that are gone', () => {
      const rule = cardRule({ ...steps, watched: { ...goneAtOnce, kind: 'ranking' } });
      const { lines, state } = runPolls(rule, ['0m', '11m ada', '12m', without, '13m', '14m']);

      expect(lines).toEqual([]);
      expect(state.episodes.size).toBe(0);
    });

    test('announces a stream as new that ended before the edit and returns', () => {
      const polls = ['0m', '11m ada', '12m', without, '13m', '14m ada', '15m ada'];

      expect(runPolls(cardRule(steps), polls).lines).toEqual(['14m then entered ada']);
    });
  });
});
