import { describe, expect, test } from 'vitest';
import type { WatchedChange } from '#src/rules/rule.ts';
import { grace5m, sayAll } from './cases.ts';
import { cardRule, MINUTE, type RuleOptions } from './fixture.ts';
import { play, type PollLine } from './play.ts';

function of(...changes: readonly WatchedChange[]): RuleOptions {
  return { while: [], finally: [], watched: { changes } };
}

const moved = { kind: 'moved' } as const;
const title = { kind: 'changed', fields: ['title'] } as const;
const rose = { kind: 'rose', field: 'viewerCount', lines: [{ at: 100, rearm: 100 }] } as const;
const fell = { kind: 'fell', field: 'viewerCount', lines: [{ at: 100, rearm: 100 }] } as const;
const settled = (rule: RuleOptions, minutes = 2): RuleOptions => ({ ...rule, watched: { ...rule.watched, settleMs: minutes * MINUTE } });

describe('moved', () => {
  sayAll([
    {
      promise: 'who changes places moves',
      rule: of(moved),
      polls: ['0m ada grace linus', '1m grace ada linus'],
      says: ['1m then moved grace', '1m then moved ada'],
    },
    { promise: 'who enters moves nobody', rule: of(moved), polls: ['0m ada grace', '1m linus ada mary grace'], says: [] },
    { promise: 'who leaves moves nobody', rule: of(moved), polls: ['0m ada grace linus', '1m linus'], says: [] },
    {
      promise: 'who enters above somebody who overtakes hides nothing',
      rule: of(moved),
      polls: ['0m ada grace', '1m linus grace ada'],
      says: ['1m then moved grace', '1m then moved ada'],
    },
    {
      promise: '`up` takes one direction',
      rule: of({ ...moved, direction: 'up' }),
      polls: ['0m ada grace linus', '1m linus ada grace', '2m ada grace linus'],
      says: ['1m then moved linus', '2m then moved ada', '2m then moved grace'],
    },
    {
      promise: '`down` takes the other',
      rule: of({ ...moved, direction: 'down' }),
      polls: ['0m ada grace linus', '1m linus ada grace'],
      says: ['1m then moved ada', '1m then moved grace'],
    },
    {
      promise: 'a place that turns back within settle was never left',
      rule: settled(of(moved)),
      polls: ['0m ada grace', '1m grace ada', '2m grace ada', '3m ada grace', '5m ada grace'],
      says: [],
    },
    {
      promise: 'a place that holds for settle is said once',
      rule: settled(of(moved)),
      polls: ['0m ada grace', '1m grace ada', '2m grace ada', '3m grace ada', '4m grace ada'],
      says: ['3m then moved grace', '3m then moved ada'],
    },
    {
      promise: 'who was away was not overtaken',
      rule: { ...of(moved), watched: { changes: [moved], graceMs: 5 * MINUTE } },
      polls: ['0m ada grace', '1m grace', '2m grace ada'],
      says: [],
    },
  ]);

  test('has the ranks from which and to which', () => {
    const { advances } = play(cardRule(of(moved)), ['0m ada grace linus', '1m linus ada grace']);

    const [change] = advances[1]?.firings.map(({ scope }) => scope.change) ?? [];

    expect(change).toMatchObject({ kind: 'moved', from: 3, to: 1, rank: 1, previous: { rank: 3 } });
  });

  test('tells the place that it would have now had it not moved, whoever entered above it', () => {
    const { advances } = play(cardRule(of(moved)), ['0m ada grace linus alan', '1m ada barbara grace alan linus']);

    const changes = advances[1]?.firings.map(({ scope }) => scope.change) ?? [];

    expect(changes).toMatchObject([
      { item: { rank: 4 }, from: 5, to: 4, previous: { rank: 4 } },
      { item: { rank: 5 }, from: 4, to: 5, previous: { rank: 3 } },
    ]);
  });

  test('`previous` has the rank before the first of several moves within `settle`', () => {
    const { advances } = play(cardRule(settled(of(moved))), [
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

  test('an edit of the list moves nobody', () => {
    const edited = (rule: ReturnType<typeof cardRule>): typeof rule =>
      cardRule({ ...rule, watched: { ...rule.watched, fingerprint: 'another' } });

    expect(play(cardRule(of(moved)), ['0m ada grace', edited, '1m grace ada', '2m grace ada']).lines).toEqual([]);
  });
});

describe('changed', () => {
  sayAll([
    {
      promise: 'a new value is said, in a silent episode too',
      rule: of(title),
      polls: ['0m ada:a', '1m ada:b', '2m ada:b'],
      says: ['1m then changed ada'],
    },
    {
      promise: 'what an episode enters with is no change',
      rule: of({ kind: 'entered' }, title),
      polls: ['0m', '1m ada:a'],
      says: ['1m then entered ada'],
    },
    {
      promise: 'a value that turns back within settle was never there',
      rule: settled(of(title)),
      polls: ['0m ada:a', '1m ada:b', '2m ada:a', '3m ada:b', '4m ada:a', '9m ada:a'],
      says: [],
    },
    {
      promise: 'the new value has to hold: a third one begins anew',
      rule: settled(of(title)),
      polls: ['0m ada:a', '1m ada:b', '2m ada:c', '3m ada:c', '4m ada:c'],
      says: ['4m then changed ada'],
    },
    {
      promise: 'it is compared with what was said, over the time that it was missing',
      rule: { ...settled(of(title)), ...grace5m, watched: { ...grace5m.watched, settleMs: 2 * MINUTE, changes: [title] } },
      polls: ['0m ada:a', '1m ada:b', '2m', '3m ada:b'],
      says: ['3m then changed ada'],
    },
    { promise: 'a failed poll is no value', rule: of(title), polls: ['0m ada:a', '1m !', '2m ada:a'], says: [] },
    {
      promise: '`confirm` does not concern it',
      rule: { ...of(title), watched: { changes: [title], confirm: { new: 3, gone: 3 } } },
      polls: ['0m ada:a', '1m ada:b'],
      says: ['1m then changed ada'],
    },
  ]);

  test('the old value is that of `previous`, also after a settle', () => {
    const { advances } = play(cardRule(settled(of(title))), ['0m ada:a', '1m ada:b', '2m ada:b', '3m ada:b']);

    expect(advances[3]?.firings[0]?.scope).toMatchObject({
      item: { title: 'b' },
      previous: { title: 'a' },
      change: { previous: { title: 'a' } },
    });
  });

  test('a field may be a path', () => {
    const rule = cardRule(of({ kind: 'changed', fields: ['owner.displayName', 'title'] }));

    const { decisions } = play(rule, ['0m ada:a', '1m ada:b']);

    expect(decisions.at(-1)).toBe('1m fired ada: ada has another title: "b", was "a"');
  });

  test('each firing has its own steps: no two have one key', () => {
    const { advances } = play(cardRule(of({ kind: 'entered' }, title, rose)), ['0m', '1m ada=500:a', '2m ada=90:b', '3m ada=200:c']);

    const keys = advances.flatMap(({ firings }) => firings.flatMap(({ steps }) => steps.map(({ key }) => key)));

    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(5);
  });

  test('a change that is added to a running episode takes its values as they are', () => {
    const added = (rule: ReturnType<typeof cardRule>): typeof rule =>
      cardRule({ ...rule, watched: { ...rule.watched, changes: [title, rose] } });

    expect(play(cardRule(of({ kind: 'entered' })), ['0m ada=500:a', '1m ada=500:b', added, '2m ada=500:c', '3m ada=500:c']).lines).toEqual(
      [],
    );
  });
});

describe('rose and fell', () => {
  sayAll([
    {
      promise: 'it fires once when the line is crossed',
      rule: of(rose),
      polls: ['0m ada=90', '1m ada=101', '2m ada=300'],
      says: ['1m then rose ada'],
    },
    { promise: 'the line itself is not above the line', rule: of(rose), polls: ['0m ada=90', '1m ada=100'], says: [] },
    {
      promise: 'it is armed again by what is back past the line',
      rule: of(rose),
      polls: ['0m ada=90', '1m ada=200', '2m ada=100', '3m ada=101'],
      says: ['1m then rose ada', '3m then rose ada'],
    },
    {
      promise: '`rearm` keeps it from firing again and again on the border',
      rule: of({ kind: 'rose', field: 'viewerCount', lines: [{ at: 100, rearm: 50 }] }),
      polls: ['0m ada=10', '1m ada=101', '2m ada=90', '3m ada=101', '4m ada=50', '5m ada=101'],
      says: ['1m then rose ada', '5m then rose ada'],
    },
    { promise: 'first seen above the line is a crossing', rule: of(rose), polls: ['0m', '1m ada=500'], says: ['1m then rose ada'] },
    {
      promise: 'in the baseline it is none',
      rule: of(rose),
      polls: ['0m ada=500', '1m ada=600', '2m ada=50', '3m ada=500'],
      says: ['3m then rose ada'],
    },
    {
      promise: 'first seen below a line nobody has fallen',
      rule: of(fell),
      polls: ['0m', '1m ada=5', '2m ada=500', '3m ada=99'],
      says: ['3m then fell ada'],
    },
    {
      promise: 'an absent number decides nothing',
      rule: of(rose),
      polls: ['0m ada=90', '1m ada=?', '2m ada=200', '3m ada=?', '4m ada=200'],
      says: ['2m then rose ada'],
    },
    {
      promise: 'each line has its own arm; lines that are crossed at once are one firing',
      rule: of({ kind: 'rose', field: 'viewerCount', lines: [100, 1000].map((at) => ({ at, rearm: at })) }),
      polls: ['0m ada=10', '1m ada=200', '2m ada=2000', '3m ada=500', '4m ada=2000', '5m ada=10', '6m ada=2000'],
      says: ['1m then rose ada', '2m then rose ada', '4m then rose ada', '6m then rose ada'],
    },
    {
      promise: 'a crossing has to hold for settle',
      rule: settled(of(rose)),
      polls: ['0m ada=10', '1m ada=200', '2m ada=50', '3m ada=200', '4m ada=200', '5m ada=200'],
      says: ['5m then rose ada'],
    },
    {
      promise: 'a dip that did not hold for settle arms nothing',
      rule: settled(of(rose)),
      polls: ['0m ada=10', '1m ada=200', '3m ada=200', '4m ada=50', '5m ada=200', '7m ada=200'],
      says: ['3m then rose ada'],
    },
    {
      promise: 'who settles above the line enters and rises at once',
      rule: settled(of({ kind: 'entered' }, rose)),
      polls: ['0m', '1m ada=200', '2m ada=200', '3m ada=200'],
      says: ['3m then entered ada', '3m then rose ada'],
    },
    {
      promise: 'arms end with the episode: the next one crosses anew',
      rule: { ...of(rose), watched: { changes: [rose], kind: 'ranking', confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada=200', '2m', '3m ada=200'],
      says: ['1m then rose ada', '3m then rose ada'],
    },
    {
      promise: 'an episode that is reopened goes on with its arms',
      rule: { ...of(rose), watched: { changes: [rose], confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada=200', '2m', '3m ada=200'],
      says: ['1m then rose ada'],
    },
  ]);

  test('the old number is that of `previous`', () => {
    const { advances, decisions } = play(cardRule(settled(of(rose))), ['0m ada=90', '1m ada=200', '3m ada=250']);

    expect(advances[2]?.firings[0]?.scope.previous).toMatchObject({ viewerCount: 90 });
    expect(decisions).toContain('1m waiting ada: ada is above 100: viewerCount is 200, settling for 2m more');
    expect(decisions.at(-1)).toBe('3m fired ada: ada rose above 100: viewerCount is 250, was 90');
  });
});

describe('changes.<kind>', () => {
  test('holds all changes of the poll, each kind in its list', () => {
    const rule = cardRule({ ...of({ kind: 'entered' }, moved, title, rose), readsList: true });
    const polls: readonly PollLine[] = ['0m ada=90:a grace:g', '1m grace:g ada=300:b linus=10'];

    const scope = play(rule, polls).advances[1]?.firings[0]?.scope;

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
