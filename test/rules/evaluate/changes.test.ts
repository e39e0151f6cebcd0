import { describe, expect, test } from 'vitest';
import type { WatchedChange } from '#src/rules/rule.ts';
import { grace5m, testCases } from './cases.ts';
import { cardRule, MINUTE, otherQuery, type RuleOptions } from './fixture.ts';
import { runPolls, type PollLine } from './run-polls.ts';

function of(...changes: readonly WatchedChange[]): RuleOptions {
  return { while: [], finally: [], watched: { changes } };
}

const moved = { kind: 'moved' } as const;
const title = { kind: 'changed', fields: ['title'] } as const;
const rose = { kind: 'rose', field: 'viewerCount', lines: [{ at: 100, rearm: 100 }] } as const;
const fell = { kind: 'fell', field: 'viewerCount', lines: [{ at: 100, rearm: 100 }] } as const;
const settled = (rule: RuleOptions, minutes = 2): RuleOptions => ({ ...rule, watched: { ...rule.watched, settleMs: minutes * MINUTE } });

describe('moved', () => {
  testCases([
    {
      promise: 'items that swap ranks move',
      rule: of(moved),
      polls: ['0m ada grace linus', '1m grace ada linus'],
      fires: ['1m then moved grace', '1m then moved ada'],
    },
    { promise: 'an item that enters moves no other item', rule: of(moved), polls: ['0m ada grace', '1m linus ada mary grace'], fires: [] },
    { promise: 'an item that leaves moves no other item', rule: of(moved), polls: ['0m ada grace linus', '1m linus'], fires: [] },
    {
      promise: 'an item that enters above a moving item does not hide the move',
      rule: of(moved),
      polls: ['0m ada grace', '1m linus grace ada'],
      fires: ['1m then moved grace', '1m then moved ada'],
    },
    {
      promise: '`up` announces moves up only',
      rule: of({ ...moved, direction: 'up' }),
      polls: ['0m ada grace linus', '1m linus ada grace', '2m ada grace linus'],
      fires: ['1m then moved linus', '2m then moved ada', '2m then moved grace'],
    },
    {
      promise: '`down` announces moves down only',
      rule: of({ ...moved, direction: 'down' }),
      polls: ['0m ada grace linus', '1m linus ada grace'],
      fires: ['1m then moved ada', '1m then moved grace'],
    },
    {
      promise: 'a rank that returns within `settle` is not a move',
      rule: settled(of(moved)),
      polls: ['0m ada grace', '1m grace ada', '2m grace ada', '3m ada grace', '5m ada grace'],
      fires: [],
    },
    {
      promise: 'a rank that holds for `settle` is announced once',
      rule: settled(of(moved)),
      polls: ['0m ada grace', '1m grace ada', '2m grace ada', '3m grace ada', '4m grace ada'],
      fires: ['3m then moved grace', '3m then moved ada'],
    },
    {
      promise: 'an item that was missing did not move',
      rule: { ...of(moved), watched: { changes: [moved], graceMs: 5 * MINUTE } },
      polls: ['0m ada grace', '1m grace', '2m grace ada'],
      fires: [],
    },
  ]);

  test('the change has the old and the new rank', () => {
    const { advances } = runPolls(cardRule(of(moved)), ['0m ada grace linus', '1m linus ada grace']);

    const [change] = advances[1]?.firings.map(({ scope }) => scope.change) ?? [];

    expect(change).toMatchObject({ kind: 'moved', from: 3, to: 1, rank: 1, previous: { rank: 3 } });
  });

  test('`from` is the rank without the move in the list of today', () => {
    const { advances } = runPolls(cardRule(of(moved)), ['0m ada grace linus alan', '1m ada barbara grace alan linus']);

    const changes = advances[1]?.firings.map(({ scope }) => scope.change) ?? [];

    expect(changes).toMatchObject([
      { item: { rank: 4 }, from: 5, to: 4, previous: { rank: 4 } },
      { item: { rank: 5 }, from: 4, to: 5, previous: { rank: 3 } },
    ]);
  });

  test('`from` is a rank of the list, even if several items entered, lost their ranks and left', () => {
    const polls = ['0m ada grace', '1m b ada grace', '2m ada grace b', '3m c ada grace', '4m ada grace c', '5m ada grace', '7m ada grace'];
    const { advances } = runPolls(cardRule(settled({ ...of(moved), watched: { kind: 'ranking', changes: [moved] } })), polls);

    const changes = advances.flatMap(({ firings }) => firings.map(({ scope }) => scope.change));

    expect(changes).toMatchObject([{ item: { rank: 1 }, from: 2, to: 1 }]);
  });

  test('`previous` has the rank before the first of several moves within `settle`', () => {
    const { advances } = runPolls(cardRule(settled(of(moved))), [
      '0m ada grace linus alan',
      '1m ada grace alan linus',
      '2m ada alan grace linus',
      '3m ada alan grace linus',
      '4m ada alan grace linus',
    ]);

    const changes = advances[4]?.firings.map(({ scope }) => scope.change) ?? [];

    expect(changes).toMatchObject([
      { item: { rank: 2 }, from: 4, to: 2, previous: { rank: 4 } },
      { item: { rank: 3 }, from: 2, to: 3, previous: { rank: 2 } },
    ]);
  });

  test('an edit of the query moves no item', () => {
    expect(runPolls(cardRule(of(moved)), ['0m ada grace', otherQuery, '1m grace ada', '2m grace ada']).lines).toEqual([]);
  });
});

describe('changed', () => {
  testCases([
    {
      promise: 'a new value is announced, even in a suppressed episode',
      rule: of(title),
      polls: ['0m ada:a', '1m ada:b', '2m ada:b'],
      fires: ['1m then changed ada'],
    },
    {
      promise: 'the first values of an episode are not a change',
      rule: of({ kind: 'entered' }, title),
      polls: ['0m', '1m ada:a'],
      fires: ['1m then entered ada'],
    },
    {
      promise: 'a value that returns within `settle` is not a change',
      rule: settled(of(title)),
      polls: ['0m ada:a', '1m ada:b', '2m ada:a', '3m ada:b', '4m ada:a', '9m ada:a'],
      fires: [],
    },
    {
      promise: 'a third value restarts `settle`',
      rule: settled(of(title)),
      polls: ['0m ada:a', '1m ada:b', '2m ada:c', '3m ada:c', '4m ada:c'],
      fires: ['4m then changed ada'],
    },
    {
      promise: 'the value is compared with the announced one, even after the item was missing',
      rule: { ...settled(of(title)), ...grace5m, watched: { ...grace5m.watched, settleMs: 2 * MINUTE, changes: [title] } },
      polls: ['0m ada:a', '1m ada:b', '2m', '3m ada:b'],
      fires: ['3m then changed ada'],
    },
    { promise: 'a failed poll changes no value', rule: of(title), polls: ['0m ada:a', '1m !', '2m ada:a'], fires: [] },
    {
      promise: '`confirm` does not delay it',
      rule: { ...of(title), watched: { changes: [title], confirm: { new: 3, gone: 3 } } },
      polls: ['0m ada:a', '1m ada:b'],
      fires: ['1m then changed ada'],
    },
  ]);

  test('`previous` has the old value, even after `settle`', () => {
    const { advances } = runPolls(cardRule(settled(of(title))), ['0m ada:a', '1m ada:b', '2m ada:b', '3m ada:b']);

    expect(advances[3]?.firings[0]?.scope).toMatchObject({
      item: { title: 'b' },
      previous: { title: 'a' },
      change: { previous: { title: 'a' } },
    });
  });

  test('a field may be a path', () => {
    const rule = cardRule(of({ kind: 'changed', fields: ['owner.displayName', 'title'] }));

    const { advances } = runPolls(rule, ['0m ada:a', '1m ada:b']);

    const fields = [{ field: 'title', value: '"b"', previous: '"a"' }];
    expect(advances[1]?.decisions).toMatchObject([{ outcome: 'fired', reason: { change: { kind: 'changed', fields } } }]);
  });

  test('the reason has the beginning of a long value, with whole characters', () => {
    const { advances } = runPolls(cardRule(of(title)), ['0m ada:a', `1m ada:${'b'.repeat(58)}😀`]);

    const fields = [{ field: 'title', value: `"${'b'.repeat(58)}…`, previous: '"a"' }];
    expect(advances[1]?.decisions).toMatchObject([{ reason: { change: { fields } } }]);
  });

  test('the steps of all firings have different keys', () => {
    const { advances } = runPolls(cardRule(of({ kind: 'entered' }, title, rose)), ['0m', '1m ada=500:a', '2m ada=90:b', '3m ada=200:c']);

    const keys = advances.flatMap(({ firings }) => firings.flatMap(({ steps }) => steps.map(({ key }) => key)));

    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(5);
  });

  test('a change that an edit adds takes the current values of open episodes as baselines', () => {
    const added = (rule: ReturnType<typeof cardRule>): typeof rule =>
      cardRule({ ...rule, watched: { ...rule.watched, changes: [title, rose] } });

    expect(
      runPolls(cardRule(of({ kind: 'entered' })), ['0m ada=500:a', '1m ada=500:b', added, '2m ada=500:c', '3m ada=500:c']).lines,
    ).toEqual([]);
  });
});

describe('rose and fell', () => {
  testCases([
    {
      promise: 'it fires once when the threshold is crossed',
      rule: of(rose),
      polls: ['0m ada=90', '1m ada=101', '2m ada=300'],
      fires: ['1m then rose ada'],
    },
    { promise: 'the threshold itself is not above it', rule: of(rose), polls: ['0m ada=90', '1m ada=100'], fires: [] },
    {
      promise: 'a value back past the threshold arms it again',
      rule: of(rose),
      polls: ['0m ada=90', '1m ada=200', '2m ada=100', '3m ada=101'],
      fires: ['1m then rose ada', '3m then rose ada'],
    },
    {
      promise: 'with `rearm`, small changes around the threshold do not fire',
      rule: of({ kind: 'rose', field: 'viewerCount', lines: [{ at: 100, rearm: 50 }] }),
      polls: ['0m ada=10', '1m ada=101', '2m ada=90', '3m ada=101', '4m ada=50', '5m ada=101'],
      fires: ['1m then rose ada', '5m then rose ada'],
    },
    {
      promise: 'an item first seen above the threshold has crossed it',
      rule: of(rose),
      polls: ['0m', '1m ada=500'],
      fires: ['1m then rose ada'],
    },
    {
      promise: 'an item of the baseline poll has not crossed it',
      rule: of(rose),
      polls: ['0m ada=500', '1m ada=600', '2m ada=50', '3m ada=500'],
      fires: ['3m then rose ada'],
    },
    {
      promise: 'an item first seen below a threshold has not fallen',
      rule: of(fell),
      polls: ['0m', '1m ada=5', '2m ada=500', '3m ada=99'],
      fires: ['3m then fell ada'],
    },
    {
      promise: 'a missing number changes nothing',
      rule: of(rose),
      polls: ['0m ada=90', '1m ada=?', '2m ada=200', '3m ada=?', '4m ada=200'],
      fires: ['2m then rose ada'],
    },
    {
      promise: 'each threshold is armed separately; thresholds crossed in one poll share a firing',
      rule: of({ kind: 'rose', field: 'viewerCount', lines: [100, 1000].map((at) => ({ at, rearm: at })) }),
      polls: ['0m ada=10', '1m ada=200', '2m ada=2000', '3m ada=500', '4m ada=2000', '5m ada=10', '6m ada=2000'],
      fires: ['1m then rose ada', '2m then rose ada', '4m then rose ada', '6m then rose ada'],
    },
    {
      promise: 'a crossing has to hold for `settle`',
      rule: settled(of(rose)),
      polls: ['0m ada=10', '1m ada=200', '2m ada=50', '3m ada=200', '4m ada=200', '5m ada=200'],
      fires: ['5m then rose ada'],
    },
    {
      promise: 'a dip shorter than `settle` arms no threshold',
      rule: settled(of(rose)),
      polls: ['0m ada=10', '1m ada=200', '3m ada=200', '4m ada=50', '5m ada=200', '7m ada=200'],
      fires: ['3m then rose ada'],
    },
    {
      promise: 'an item that settles above the threshold enters and rises at once',
      rule: settled(of({ kind: 'entered' }, rose)),
      polls: ['0m', '1m ada=200', '2m ada=200', '3m ada=200'],
      fires: ['3m then entered ada', '3m then rose ada'],
    },
    {
      promise: 'the next episode crosses its thresholds again',
      rule: { ...of(rose), watched: { changes: [rose], kind: 'ranking', confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada=200', '2m', '3m ada=200'],
      fires: ['1m then rose ada', '3m then rose ada'],
    },
    {
      promise: 'a reopened episode keeps its thresholds',
      rule: { ...of(rose), watched: { changes: [rose], confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada=200', '2m', '3m ada=200'],
      fires: ['1m then rose ada'],
    },
  ]);

  test('`previous` has the old number', () => {
    const { advances } = runPolls(cardRule(settled(of(rose))), ['0m ada=90', '1m ada=200', '3m ada=250']);

    expect(advances[2]?.firings[0]?.scope.previous).toMatchObject({ viewerCount: 90 });
    const crossed = { kind: 'rose', field: 'viewerCount', thresholds: [100] };
    expect(advances[1]?.decisions).toMatchObject([{ reason: { kind: 'settling', change: { ...crossed, value: 200 } } }]);
    expect(advances[2]?.decisions).toMatchObject([{ outcome: 'fired', reason: { change: { ...crossed, value: 250, previous: 90 } } }]);
  });
});

describe('rose with every', () => {
  const each100 = { kind: 'rose', field: 'viewerCount', every: 100 } as const;

  /** The thresholds of each firing: the passed one, and the one before. */
  function thresholds(rule: RuleOptions, polls: readonly PollLine[]) {
    const { advances } = runPolls(cardRule(rule), polls);
    return advances.flatMap(({ firings }) =>
      firings.map(({ scope: { change } }) => [change?.['threshold'], change?.['previousThreshold']]),
    );
  }

  testCases([
    {
      promise: 'it fires once for each multiple that the number reaches',
      rule: of(each100),
      polls: ['0m ada=90', '1m ada=99', '2m ada=100', '3m ada=150', '4m ada=210', '5m ada=190', '6m ada=205', '7m ada=300'],
      fires: ['2m then rose ada', '4m then rose ada', '7m then rose ada'],
    },
    {
      promise: 'a jump over several multiples fires once',
      rule: of(each100),
      polls: ['0m ada=90', '1m ada=777'],
      fires: ['1m then rose ada'],
    },
    {
      promise: 'an item of the baseline poll has reached nothing',
      rule: of(each100),
      polls: ['0m ada=500', '1m ada=599', '2m ada=600'],
      fires: ['2m then rose ada'],
    },
    {
      promise: 'an item first seen above a multiple has reached it',
      rule: of(each100),
      polls: ['0m', '1m ada=500 grace=99'],
      fires: ['1m then rose ada'],
    },
    {
      promise: 'a missing number changes nothing',
      rule: of(each100),
      polls: ['0m ada=90', '1m ada=?', '2m ada=100', '3m ada=?', '4m ada=100'],
      fires: ['2m then rose ada'],
    },
    {
      promise: 'a multiple has to hold for `settle`, and a greater number does not start again',
      rule: settled(of(each100)),
      polls: ['0m ada=10', '1m ada=100', '2m ada=99', '3m ada=100', '4m ada=250', '5m ada=250', '6m ada=250', '7m ada=250', '8m ada=250'],
      fires: ['5m then rose ada', '8m then rose ada'],
    },
    {
      promise: 'a reopened episode keeps its multiples',
      rule: { ...of(each100), watched: { changes: [each100], confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada=200', '2m', '3m ada=200'],
      fires: ['1m then rose ada'],
    },
  ]);

  test('the change has the multiple and the last one before', () => {
    const polls = ['0m ada=90', '1m ada=100', '2m ada=350', '3m ada=410'];

    expect(thresholds(of(each100), polls)).toEqual([
      [100, undefined],
      [300, 100],
      [400, 300],
    ]);
    expect(thresholds(of({ ...each100, every: 0.5 }), ['0m ada=0', '1m ada=1'])).toEqual([[1, undefined]]);
  });

  test('the change has the threshold of `above` and `below`, and the last one before', () => {
    const lines = [100, 200, 300].map((at) => ({ at, rearm: at }));
    const polls = ['0m ada=250', '1m ada=90', '2m ada=150', '3m ada=500', '4m ada=250', '5m ada=90'];

    expect(thresholds(of({ kind: 'rose', field: 'viewerCount', lines }), polls)).toEqual([
      [100, undefined],
      [300, 100],
    ]);
    expect(thresholds(of({ kind: 'fell', field: 'viewerCount', lines }), polls)).toEqual([
      [100, 300],
      [300, undefined],
      [100, 300],
    ]);
  });

  test('several multiples of quiet hours are announced together', () => {
    const quiet = { fromMinute: 18 * 60, toMinute: 18 * 60 + 3, timezone: 'UTC', then: 'hold' } as const;

    expect(thresholds({ ...of(each100), quiet }, ['0m ada=90', '1m ada=100', '2m ada=350', '3m ada=310', '4m ada=310'])).toEqual([
      [300, undefined],
    ]);
  });
});

describe('changes.<kind>', () => {
  test('`changes` has a list of each kind', () => {
    const rule = cardRule({ ...of({ kind: 'entered' }, moved, title, rose), readsList: true });
    const polls: readonly PollLine[] = ['0m ada=90:a grace:g', '1m grace:g ada=300:b linus=10'];

    const scope = runPolls(rule, polls).advances[1]?.firings[0]?.scope;

    expect(Object.entries(scope?.changes ?? {}).map(([kind, list]) => [kind, Array.isArray(list) ? list.length : 0])).toEqual([
      ['entered', 1],
      ['left', 0],
      ['moved', 2],
      ['changed', 1],
      ['rose', 1],
      ['fell', 0],
    ]);
  });
});
