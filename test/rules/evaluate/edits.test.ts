import { describe, expect, test } from 'vitest';
import { ruleOf } from '../../support/rule-language.ts';
import { runPolls, type PollLine } from './run-polls.ts';

interface When {
  readonly watch?: string;
  readonly with?: string;
  readonly more?: string;
}

/** A rule with a card that announces the end of each item too. */
function ruleText({ watch = 'streaming.getStreams', with: parameters = 'users: [ada, grace]', more = '' }: When = {}): string {
  return `
id: card
when: { every: 1m, watch: ${watch}, with: { ${parameters} }${more === '' ? '' : `, ${more}`} }
then:
  - id: post
    do: discord.send
    with: { channel: live, content: live }
finally:
  - do: discord.edit
    with: { message: "\${{ steps.post.id }}", content: over }
  - do: discord.send
    with: { channel: live, content: over }
`;
}

/** The lines of the polls before and after an edit; `finally` has the number of its steps that run. */
function runEdit(before: When, polls: readonly PollLine[], after: When, later: readonly PollLine[]): readonly string[] {
  const edited = ruleOf(ruleText(after));
  const { advances, lines } = runPolls(ruleOf(ruleText(before)), [...polls, () => edited, ...later]);
  const ends = advances.flatMap(({ firings }) => firings.filter(({ section }) => section === 'finally'));
  const counts = ends.map(({ steps }) => steps.filter(({ suppressed }) => !suppressed).length);
  return lines
    .filter((line) => !line.includes('withdraw'))
    .map((line) => (line.includes('finally') ? `${line} (${counts.shift()} steps)` : line));
}

interface EditCase {
  readonly promise: string;
  readonly before?: When;
  readonly after: When;
  readonly polls: readonly PollLine[];
  readonly later: readonly PollLine[];
  readonly fires: readonly string[];
}

const TOP = { watch: 'streaming.getGameStreams', with: 'game: Chess' };

function editCases(cases: readonly EditCase[]): void {
  test.for(cases)('$promise', ({ before = {}, after, polls, later, fires }) => {
    expect(runEdit(before, polls, after, later)).toEqual(fires);
  });
}

describe('an item that is new in the first poll after an edit', () => {
  editCases([
    {
      promise: 'is announced if its user was watched before, even if the list has it late or without a start',
      after: { with: 'users: [ada, grace, linus]' },
      polls: ['0m', '1m'],
      later: ['2m ada@1m grace'],
      fires: ['2m then entered ada', '2m then entered grace'],
    },
    {
      promise: 'is announced if it fits an unchanged `where` for the first time',
      before: { more: 'where: item.viewerCount > 500' },
      after: { with: 'users: [ada, linus]', more: 'where: item.viewerCount > 500' },
      polls: ['0m', '1m ada'],
      later: ['2m ada=900'],
      fires: ['2m then entered ada'],
    },
    {
      promise: 'is announced after a user is removed',
      after: { with: 'users: [grace]' },
      polls: ['0m', '1m ada'],
      later: ['2m grace'],
      fires: ['1m then entered ada', '2m finally left ada (1 steps)', '2m then entered grace'],
    },
    {
      promise: 'is not announced if its user was added and it began before the last poll',
      after: { with: 'users: [ada, grace, linus, mary]' },
      polls: ['0m', '10m'],
      later: ['11m linus@-3h mary@9m', '12m linus@-3h mary@9m'],
      fires: [],
    },
    {
      promise: 'is announced if its user was added and it began after the last poll',
      after: { with: 'users: [ada, grace, linus]' },
      polls: ['0m', '1m'],
      later: ['2m linus@70s'],
      fires: ['2m then entered linus'],
    },
    {
      promise: 'is announced after an edit of `where` if the last list lacked it',
      before: { more: 'where: item.viewerCount > 50' },
      after: { more: 'where: item.viewerCount > 20' },
      polls: ['0m', '1m'],
      later: ['2m ada@30s'],
      fires: ['2m then entered ada'],
    },
    {
      promise: 'is not announced if `where` excluded it before the edit',
      before: { more: 'where: item.viewerCount > 500' },
      after: { more: 'where: item.viewerCount > 20' },
      polls: ['0m', '1m ada@30s'],
      later: ['2m ada@30s', '3m ada@30s'],
      fires: [],
    },
    {
      promise: 'is not announced if `take` excluded it before the edit',
      before: { ...TOP, more: 'take: 1' },
      after: { ...TOP, more: 'take: 3' },
      polls: ['0m', '1m ada grace'],
      later: ['2m ada grace linus'],
      fires: ['1m then entered ada', '2m then entered linus'],
    },
    {
      promise: 'is announced after an edit of `key`, even without a start',
      before: TOP,
      after: { ...TOP, more: 'key: item.id' },
      polls: ['0m', '1m ada'],
      later: ['2m ada grace'],
      fires: ['1m then entered ada', '2m then entered grace-1'],
    },
    {
      promise: 'is announced only if it began after the last poll, after an edit of the game',
      before: TOP,
      after: { ...TOP, with: 'game: Go' },
      polls: ['0m', '1m'],
      later: ['2m ada@70s grace@-1h linus'],
      fires: ['2m then entered ada'],
    },
    {
      promise: 'is announced after `settle` and `confirm`, as without an edit',
      before: { more: 'settle: 2m, confirm: { new: 2, gone: 2 }' },
      after: { with: 'users: [ada, linus]', more: 'settle: 2m, confirm: { new: 2, gone: 2 }' },
      polls: ['0m', '1m ada'],
      later: ['2m ada linus@90s', '3m ada linus@90s', '4m ada linus@90s'],
      fires: ['3m then entered ada', '4m then entered linus'],
    },
    {
      promise: 'is suppressed after a gap if it began longer ago than `maxAge`',
      after: { with: 'users: [ada, linus]' },
      polls: ['0m'],
      later: ['10h ada@1h linus@2h', '601m ada@1h linus@2h'],
      fires: [],
    },
    {
      promise: 'counts from the last good poll',
      after: { with: 'users: [linus]' },
      polls: ['0m', '1m'],
      later: ['2m !', '3m linus@70s'],
      fires: ['3m then entered linus'],
    },
  ]);
});

describe('an open episode whose item the list lacks after an edit', () => {
  editCases([
    {
      promise: 'of a removed user ends at once without an announcement',
      after: { with: 'users: [grace]' },
      polls: ['0m', '1m ada grace'],
      later: ['2m grace', '3m grace'],
      fires: ['1m then entered ada', '1m then entered grace', '2m finally left ada (1 steps)'],
    },
    {
      promise: 'of a user who stays ends as without an edit',
      after: { with: 'users: [ada, linus]' },
      polls: ['0m', '1m ada'],
      later: ['2m', '3m'],
      fires: ['1m then entered ada', '3m finally left ada (2 steps)'],
    },
    {
      promise: 'continues if the user returns with a later edit',
      after: { with: 'users: [ada, grace, linus]' },
      polls: ['0m', '1m ada'],
      later: ['2m ada', '3m', '4m'],
      fires: ['1m then entered ada', '4m finally left ada (2 steps)'],
    },
    {
      promise: 'ends without an announcement if it does not fit the new `where`',
      after: { more: 'where: item.viewerCount > 500' },
      polls: ['0m', '1m ada grace=900'],
      later: ['2m ada grace=900', '3m', '4m'],
      fires: ['1m then entered ada', '1m then entered grace', '2m finally left ada (1 steps)', '4m finally left grace (2 steps)'],
    },
    {
      promise: 'ends with an announcement if it fits the new `where` and changed since',
      after: { more: 'where: item.viewerCount > 20' },
      polls: ['0m', '1m ada'],
      later: ['2m ada=10', '3m ada=10'],
      fires: ['1m then entered ada', '3m finally left ada (2 steps)'],
    },
    {
      promise: 'ends without an announcement if `take` is smaller',
      before: { ...TOP, more: 'take: 2' },
      after: { ...TOP, more: 'take: 1' },
      polls: ['0m', '1m ada grace'],
      later: ['2m ada grace', '3m ada grace'],
      fires: ['1m then entered ada', '1m then entered grace', '2m finally left grace (1 steps)'],
    },
    {
      promise: 'ends without an announcement after an edit of the game',
      before: TOP,
      after: { ...TOP, with: 'game: Go' },
      polls: ['0m', '1m ada'],
      later: ['2m'],
      fires: ['1m then entered ada', '2m finally left ada (1 steps)'],
    },
    {
      promise: 'ends without an announcement when the first complete list lacks it',
      after: { with: 'users: [grace]' },
      polls: ['0m', '1m ada'],
      later: ['2m ...', '3m !', '4m'],
      fires: ['1m then entered ada', '4m finally left ada (1 steps)'],
    },
    {
      promise: 'keeps the time for which it is missing',
      before: { more: 'grace: 5m' },
      after: { with: 'users: [ada, linus]', more: 'grace: 5m' },
      polls: ['0m', '1m ada', '2m'],
      later: ['3m', '6m', '7m'],
      fires: ['1m then entered ada', '7m finally left ada (2 steps)'],
    },
  ]);

  test('has a reason, and its suppressed steps too', () => {
    const edited = ruleOf(ruleText({ with: 'users: [grace]' }));

    const { advances } = runPolls(ruleOf(ruleText()), ['0m', '1m ada', () => edited, '2m']);

    expect(advances.at(-1)?.decisions[0]).toMatchObject({ outcome: 'closed', item: 'ada', reason: { kind: 'removedByEdit', name: 'ada' } });
    expect(advances.at(-1)?.firings[0]?.steps.map(({ suppressed }) => suppressed?.reason)).toEqual([undefined, { kind: 'endedByEdit' }]);
  });
});

describe('an open episode whose channel has another stream after an edit', () => {
  editCases([
    {
      promise: 'ends with an announcement even if it does not fit the new `where`, and the new stream is announced',
      before: { more: 'where: item.viewerCount > 20' },
      after: { more: 'where: item.viewerCount > 50' },
      polls: ['0m', '1m ada=30'],
      later: ['2m ada/2'],
      fires: ['1m then entered ada', '2m finally left ada (2 steps)', '2m then entered ada'],
    },
    {
      promise: 'ends with an announcement after an edit of the game, and the new stream is announced even without a start',
      before: TOP,
      after: { ...TOP, with: 'game: Go' },
      polls: ['0m', '1m ada'],
      later: ['2m ada/2'],
      fires: ['1m then entered ada', '2m finally left ada (2 steps)', '2m then entered ada'],
    },
    {
      promise: 'ends without an announcement if each stream has its own episode and it does not fit the new `where`',
      before: { more: 'where: item.viewerCount > 20, key: item.id' },
      after: { more: 'where: item.viewerCount > 50, key: item.id' },
      polls: ['0m', '1m ada=30'],
      later: ['2m ada/2'],
      fires: ['1m then entered ada-1', '2m finally left ada-1 (1 steps)', '2m then entered ada-2'],
    },
    {
      promise: 'ends with an announcement, but a new stream that the old `where` excluded is not announced',
      before: { more: 'where: item.viewerCount > 50' },
      after: { more: 'where: item.viewerCount > 5' },
      polls: ['0m', '1m ada', '2m ada/2=10'],
      later: ['3m ada/2=10', '4m ada/2=10'],
      fires: ['1m then entered ada', '3m finally left ada (2 steps)'],
    },
    {
      promise: 'ends with an announcement, and a new stream that no list had before is announced',
      before: { more: 'where: item.viewerCount > 50' },
      after: { more: 'where: item.viewerCount > 5' },
      polls: ['0m', '1m ada', '2m'],
      later: ['3m ada/2=10'],
      fires: ['1m then entered ada', '3m finally left ada (2 steps)', '3m then entered ada'],
    },
  ]);
});

describe('an edit of `key`', () => {
  editCases([
    {
      promise: 'ends no stream, and their ends are announced later',
      after: { more: 'key: item.id' },
      polls: ['0m', '1m ada grace'],
      later: ['2m ada grace', '3m grace', '4m grace', '5m grace'],
      fires: ['1m then entered ada', '1m then entered grace', '4m finally left ada (2 steps)'],
    },
    {
      promise: 'finds streams that are missing, or have another id, by their last record',
      after: { more: 'key: item.owner.handle' },
      polls: ['0m', '1m ada grace', '2m grace'],
      later: ['3m grace/2', '4m grace/2'],
      fires: [
        '1m then entered ada',
        '1m then entered grace',
        '3m finally left ada (2 steps)',
        '3m finally left grace (2 steps)',
        '3m then entered grace',
      ],
    },
    {
      promise: 'that unites streams continues one of them and ends the others without an announcement',
      after: { more: 'key: item.platform' },
      polls: ['0m', '1m ada grace'],
      later: ['2m ada grace', '3m', '4m'],
      fires: ['1m then entered ada', '1m then entered grace', '2m finally left grace (1 steps)', '4m finally left ada (2 steps)'],
    },
    {
      promise: 'opens an ended stream again under its new key',
      after: { more: 'key: item.id' },
      polls: ['0m', '1m ada', '2m', '3m'],
      later: ['4m', '5m ada', '6m'],
      fires: ['1m then entered ada', '3m finally left ada (2 steps)'],
    },
  ]);

  test('continues the cooldown of an item', () => {
    const [before, after] = ['', 'key: item.id'].map((more) => ruleOf(`${ruleText({ more })}cooldown: 1h\n`));
    if (!before || !after) throw new Error('there are two rules');

    const { lines } = runPolls(before, ['0m', '1m ada', () => after, '2m ada', '3m', '4m', '5m ada/1', '6m', '7m']);

    expect(lines.filter((line) => line.includes('then'))).toEqual(['1m then entered ada']);
  });
});

test('an edit of `key` announces no item of a feed again', () => {
  const rule = (more: string): ReturnType<typeof ruleOf> =>
    ruleOf(ruleText({ watch: 'streaming.getUserVideos', with: 'user: ada', more }).replace(/finally:[^]*/u, ''));
  const edited = rule('key: item.title');

  const { lines } = runPolls(rule(''), [
    '0m',
    '1m ada@30s grace@20s',
    () => edited,
    '2m ada@30s grace@20s linus@80s',
    '3m ada@30s linus@80s',
  ]);

  expect(lines).toEqual(['1m then entered grace-1', '1m then entered ada-1', '2m then entered linus plays']);
});

test('an edit of `changes` announces no rank that was never watched', () => {
  const rule = (more: string): ReturnType<typeof ruleOf> => ruleOf(ruleText({ ...TOP, more }).replace(/finally:[^]*/u, ''));
  const moved = rule('changes: [entered, moved]');

  const { lines } = runPolls(rule('changes: [entered]'), [
    '0m',
    '1m ada grace',
    '2m grace ada',
    () => moved,
    '3m grace ada',
    '4m ada grace',
  ]);

  expect(lines).toEqual(['1m then entered ada', '1m then entered grace', '4m then moved ada', '4m then moved grace']);
});
