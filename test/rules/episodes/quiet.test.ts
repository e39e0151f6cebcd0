import { describe, expect, test } from 'vitest';
import type { Quiet, Rule } from '#src/rules/rule.ts';
import { aStep, cardRule, condition, HOUR, MINUTE, slotRule, START_MS, type RuleOptions } from './fixture.ts';
import { play } from './play.ts';

/** Quiet from ten past six to half past; the polls begin at six. */
function hours(then: Quiet['then']): Quiet {
  return { fromMinute: 18 * 60 + 10, toMinute: 18 * 60 + 30, timezone: 'UTC', then };
}

const goneAtOnce = { confirm: { new: 1, gone: 1 } };
const hold: RuleOptions = { while: [], quiet: hours('hold'), watched: goneAtOnce };
const steps: RuleOptions = { while: [], quiet: hours([aStep({ do: 'discord.send' })]), watched: goneAtOnce };

describe('drop', () => {
  const drop: RuleOptions = { ...hold, quiet: hours('drop') };

  test('what happens in quiet hours is not told, and not made up for', () => {
    const { lines, decisions } = play(cardRule(drop), ['0m', '9m ada', '10m ada grace', '30m ada grace linus']);

    expect(lines).toEqual(['9m then entered ada', '30m then entered linus']);
    expect(decisions).toContain(
      '10m refused grace: grace is #2 with 100 viewers, not announced: quiet: from 18:10 to 18:30 in UTC, 20m left',
    );
  });

  test('is asked after `if` and cooldown', () => {
    const never = condition('false', () => false);

    expect(play(cardRule({ ...drop, if: never }), ['0m', '11m ada']).decisions.at(-1)).toMatch(/if: false is false$/);
  });
});

describe('hold', () => {
  test('each is looked at again at the end, and sent if it still stands', () => {
    const { lines, decisions } = play(cardRule(hold), ['0m', '11m ada grace', '12m ada', '30m ada', '31m ada']);

    expect(lines).toEqual(['30m then entered ada']);
    expect(decisions).toContain('11m held ada: ada entered at #1 with 100 viewers; held: quiet: from 18:10 to 18:30 in UTC, 19m left');
    expect(decisions).toContain(
      '12m closed grace: grace has ended: seen for 0s, at last #2 with 100 viewers; it was never announced: it ended in quiet hours',
    );
  });

  test('says so once, and wants to be woken at the end', () => {
    const { advances, decisions } = play(cardRule(hold), ['0m', '11m ada', '12m ada', '13m !', '30m ada', '31m ada']);

    expect(advances.map(({ wakeMs }) => wakeMs && (wakeMs - START_MS) / MINUTE)).toEqual([undefined, 30, 30, 30, undefined, undefined]);
    expect(decisions.filter((line) => line.includes('held'))).toHaveLength(1);
  });

  test('looks again soon where the end could not be read', () => {
    const { advances, lines } = play(cardRule(hold), ['0m', '11m ada', '30m !', '35m ada']);

    expect(advances[2]?.wakeMs).toBe(START_MS + 35 * MINUTE);
    expect(lines).toEqual(['35m then entered ada']);
  });

  test('the gates are asked again at the end: with `per: rule` one is enough', () => {
    const rule = cardRule({ ...hold, cooldown: { forMs: HOUR, per: 'rule' } });

    expect(play(rule, ['0m', '11m ada', '12m ada grace', '30m ada grace', '31m ada grace']).lines).toEqual(['30m then entered ada']);
  });

  test('a condition that is false by then refuses it', () => {
    const many = condition('item.viewerCount > 50', ({ item }) => Number(item?.['viewerCount']) > 50);

    expect(play(cardRule({ ...hold, if: many }), ['0m', '11m ada', '30m ada=10', '31m ada']).lines).toEqual([]);
  });

  test('held is not old: the firing is of the end', () => {
    const [, , last] = play(cardRule({ ...hold, maxAgeMs: MINUTE }), ['0m', '11m ada', '30m ada']).advances;

    expect(last?.firings.map(({ atMs, scope }) => [atMs, scope.now])).toEqual([[START_MS + 30 * MINUTE, '2026-11-20T18:30:00.000Z']]);
  });

  test('one whose item is absent at the end waits until it is back', () => {
    const rule = cardRule({ ...hold, watched: { graceMs: 20 * MINUTE } });

    expect(play(rule, ['0m', '11m ada', '29m', '30m', '31m ada', '32m ada']).lines).toEqual(['31m then entered ada']);
  });

  test('or until it is closed: then it is dropped, and has no finally', () => {
    const rule = cardRule({ ...hold, watched: { graceMs: 5 * MINUTE } });

    expect(play(rule, ['0m', '11m ada', '29m', '30m', '40m', '41m ada/2']).lines).toEqual(['41m then entered ada']);
  });

  test('while and finally of what spoke before go on in quiet hours', () => {
    const rule = cardRule({ ...hold, while: cardRule().while });

    expect(play(rule, ['0m', '9m ada', '11m ada', '12m']).lines).toEqual([
      '9m then entered ada',
      '11m while ada',
      '12m withdraw while ada',
      '12m finally left ada',
    ]);
  });

  test('the first while comes with the poll after the one that announces', () => {
    const rule = cardRule({ ...hold, while: cardRule().while });

    expect(play(rule, ['0m', '11m ada', '12m ada', '30m ada', '31m ada']).lines).toEqual(['30m then entered ada', '31m while ada']);
  });

  test('of several firings of one item and kind the last counts, told against what was said before', () => {
    const rule = cardRule({ ...hold, finally: [], watched: { changes: [{ kind: 'changed', fields: ['title'] }] } });

    const { lines, advances } = play(rule, ['0m ada:a', '11m ada:b', '12m ada:c', '30m ada:c']);

    expect(lines).toEqual(['30m then changed ada']);
    expect(advances[3]?.firings[0]?.scope).toMatchObject({ item: { title: 'c' }, previous: { title: 'a' } });
  });

  test('a value that turned back by the end is not told', () => {
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

    expect(play(rule, ['0m ada:a grace:g', '11m grace:g ada=300:b', '29m ada:a grace:g', '30m ada:a grace:g']).lines).toEqual([]);
  });

  test('that somebody left is told at the end, if they are still gone', () => {
    const left: RuleOptions = { ...hold, finally: [], watched: { ...goneAtOnce, kind: 'ranking', changes: [{ kind: 'left' }] } };

    const { lines, state } = play(cardRule(left), [
      '0m ada grace linus',
      '11m grace linus',
      '12m ada linus',
      '30m ada linus',
      '31m ada linus',
    ]);

    expect(lines).toEqual(['30m then left grace']);
    expect([...state.episodes.values()].map(({ key }) => key).toSorted()).toEqual(['ada', 'linus']);
  });

  test('a list that says nothing of who is gone lets them wait', () => {
    const left: RuleOptions = { ...hold, finally: [], watched: { ...goneAtOnce, changes: [{ kind: 'left' }] } };

    expect(play(cardRule(left), ['0m ada grace', '11m', '30m ...', '31m grace +++', '32m grace']).lines).toEqual(['32m then left ada']);
  });

  test('of `per: poll` all that was held is one firing', () => {
    const rule = cardRule({
      ...hold,
      finally: [],
      readsList: true,
      watched: { ...goneAtOnce, per: 'poll', changes: [{ kind: 'entered' }, { kind: 'left' }] },
    });

    expect(play(rule, ['0m mary', '11m mary ada', '12m mary ada grace', '13m ada grace', '30m ada grace linus']).lines).toEqual([
      '30m then entered ada, entered grace, entered linus, left mary',
    ]);
  });

  test('of held slots the last counts', () => {
    const rule = slotRule({ quiet: hours('hold'), schedule: { cron: '*/7 * * * *', timezone: 'UTC' } });

    const { advances } = play(rule, ['0m', '14m', '21m', '28m', '30m', '35m']);

    expect(advances.map(({ firings, wakeMs }) => [firings.length, wakeMs && (wakeMs - START_MS) / MINUTE])).toEqual([
      [1, undefined],
      [0, 30],
      [0, 30],
      [0, 30],
      [1, undefined],
      [1, undefined],
    ]);
  });

  test('a slot that was held is told with what changed in it', () => {
    const rule = cardRule({
      ...hold,
      finally: [],
      readsList: true,
      schedule: { cron: '*/7 * * * *', timezone: 'UTC' },
      watched: { ...goneAtOnce, per: 'slot' },
    });

    expect(play(rule, ['0m ada', '14m ada grace', '30m ada grace linus', '35m ada grace linus']).lines).toEqual([
      '0m then ',
      '30m then entered grace, entered linus',
      '35m then ',
    ]);
  });

  test('survives that the quiet hours are taken away', () => {
    const loud = (rule: Rule): Rule => ({ ...rule, quiet: undefined });

    expect(play(cardRule(hold), ['0m', '11m ada', loud, '12m ada', '13m ada']).lines).toEqual(['12m then entered ada']);
  });
});

describe('a list of steps', () => {
  test('gets all that was held, also what ended, once at the end', () => {
    const { lines, advances } = play(cardRule({ ...steps, watched: { ...goneAtOnce, kind: 'ranking' } }), [
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

  test('does nothing where nothing was held', () => {
    expect(play(cardRule(steps), ['0m ada', '11m ada', '30m ada']).lines).toEqual([]);
  });

  test('those episodes count as silent: no while, no finally', () => {
    const rule = cardRule({ ...steps, while: cardRule().while });

    expect(play(rule, ['0m', '11m ada', '30m ada', '31m ada', '32m']).lines).toEqual(['30m quiet entered ada']);
  });

  test('what they got does not count for the cooldown', () => {
    const rule = cardRule({
      ...steps,
      finally: [],
      cooldown: { forMs: 6 * HOUR, per: 'item' },
      watched: { ...goneAtOnce, kind: 'ranking' },
    });

    expect(play(rule, ['0m', '11m ada', '30m ada', '31m', '32m ada']).lines).toEqual(['30m quiet entered ada', '32m then entered ada']);
  });

  test('the keys of two nights differ', () => {
    const { advances } = play(cardRule(steps), ['0m', '11m ada', '30m ada', '24h ada', '1451m ada grace', '1470m ada grace']);

    const keys = advances.flatMap(({ firings }) => firings.flatMap((firing) => firing.steps.map(({ key }) => key)));

    expect(new Set(keys).size).toBe(2);
  });

  test('of a rule that fires every slot get the changes of the last', () => {
    const rule = cardRule({
      ...steps,
      finally: [],
      readsList: true,
      schedule: { cron: '*/7 * * * *', timezone: 'UTC' },
      watched: { ...goneAtOnce, per: 'slot' },
    });

    expect(play(rule, ['0m ada', '14m ada grace', '21m ada', '30m ada', '35m ada']).lines).toEqual([
      '0m then ',
      '30m quiet left grace',
      '35m then ',
    ]);
  });

  test('what they were to tell is forgotten where an edit took them away', () => {
    const without = (rule: Rule): Rule => ({ ...rule, quiet: undefined });

    const { lines, state } = play(cardRule({ ...steps, watched: { ...goneAtOnce, kind: 'ranking' } }), [
      '0m',
      '11m ada',
      '12m',
      without,
      '13m',
      '14m',
    ]);

    expect(lines).toEqual([]);
    expect(state.episodes.size).toBe(0);
  });
});
