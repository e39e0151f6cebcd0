import { describe, expect, test } from 'vitest';
import { diagnosticsOf, hintsOf, ruleOf } from '../../support/rule-language.ts';

const STEP = 'then:\n  - { do: discord.send, with: { channel: live, content: hi } }';

function watching(when: string, top = ''): string {
  return `id: r\nwhen: { every: 5m, ${when} }\n${top}${STEP}`;
}

function streams(more: string, top = ''): string {
  return watching(`watch: streaming.getStreams, with: { users: [ada] }, ${more}`, top);
}

describe('the order of announcements', () => {
  const video = 'user: ada';
  test.each([
    ['streaming.getUserVideos', video, true],
    ['streaming.getUserVideos', `${video}, sort: TIME`, true],
    ['streaming.getUserVideos', `${video}, sort: VIEWS`, undefined],
    ['streaming.getGameVideos', 'game: Chess', undefined],
    ['streaming.getGameClips', 'game: Chess, sort: TIME', true],
    ['streaming.getUserClips', `${video}, sort: LAST_WEEK`, undefined],
    ['social.getPosts, account: mastodon', video, true],
    ['social.search, account: bluesky, take: 20', 'keyword: chess, filter: Latest', true],
    ['social.search, account: bluesky, take: 20', 'keyword: chess', undefined],
    ['discord.getMessages', 'channel: general', true],
    ['feed.getItems', 'url: https://blog.example/feed.xml', true],
    ['streaming.getStreams', 'users: [ada]', undefined],
    ['streaming.getTopGames', '', undefined],
  ])('%s with { %s } is by time: %s', (verb, parameters, expected) => {
    expect(ruleOf(watching(`watch: ${verb}, with: { ${parameters} }`)).watched?.isNewestFirst).toBe(expected);
  });
});

describe('changes', () => {
  test.each([
    ['[entered, left]', [{ kind: 'entered' }, { kind: 'left' }]],
    ['[moved], per: poll', [{ kind: 'moved' }]],
    ['[{ moved: up }], per: poll', [{ kind: 'moved', direction: 'up' }]],
    ['[{ changed: [title, game.name, title] }]', [{ kind: 'changed', fields: ['title', 'game.name'] }]],
    ['[{ rose: { field: viewerCount, above: 1000 } }]', [{ kind: 'rose', field: 'viewerCount', lines: [{ at: 1000, rearm: 1000 }] }]],
    ['[{ rose: { field: viewerCount, every: 100 } }]', [{ kind: 'rose', field: 'viewerCount', every: 100 }]],
    [
      '[{ rose: { field: viewerCount, above: [1000, 5000], rearm: 900 } }]',
      [
        {
          kind: 'rose',
          field: 'viewerCount',
          lines: [
            { at: 1000, rearm: 900 },
            { at: 5000, rearm: 900 },
          ],
        },
      ],
    ],
    [
      '[{ fell: { field: rank, below: [3, 1], rearm: [4, 2] } }]',
      [
        {
          kind: 'fell',
          field: 'rank',
          lines: [
            { at: 3, rearm: 4 },
            { at: 1, rearm: 2 },
          ],
        },
      ],
    ],
  ])('%s', (changes, expected) => {
    expect(ruleOf(streams(`changes: ${changes}`)).watched?.changes).toEqual(expected);
  });

  test.each([
    ['changes: [{ ▲rsoe: 5 }]', 'unknown-key when.changes[0].rsoe'],
    ['changes: [{ moved: ▲sideways }], per: poll', 'wrong-value when.changes[0].moved'],
    ['changes: [{ changed: [title, ▲game.nmae] }]', 'unknown-field when.changes[0].changed[1]'],
    ['changes: [{ rose: ▲{ field: viewerCount } }]', 'missing-key when.changes[0].rose.above'],
    ['changes: [{ rose: { field: viewerCount, above: 5, ▲every: 5 } }]', 'above-and-every when.changes[0].rose.every'],
    ['changes: [{ rose: { field: viewerCount, every: 5, ▲rearm: 5 } }]', 'rearm-with-every when.changes[0].rose.rearm'],
    ['changes: [{ rose: { field: viewerCount, every: ▲0 } }]', 'wrong-value when.changes[0].rose.every'],
    ['changes: [{ rose: { field: viewerCount, ▲evry: 5 } }]', 'unknown-key when.changes[0].rose.evry'],
    ['changes: [{ fell: { field: viewerCount, below: 5, ▲every: 5 } }]', 'unknown-key when.changes[0].fell.every'],
  ])('%s: %s', (more, expected) => {
    expect(diagnosticsOf(streams(more))).toEqual([`▲ error ${expected}`]);
  });
});

describe('the subject of a firing', () => {
  test.each(['poll', 'slot'])('per: %s has no item, and neither while nor finally', (per) => {
    const diagnostics = diagnosticsOf(
      streams(`per: ${per}`, 'if: item.rank < 3\nwhile: []\nfinally: []\ncooldown: { for: 1h, per: item }\n'),
    );

    expect(diagnostics).toEqual([
      '3:5 error expression if',
      '4:1 error section-without-item while',
      '5:1 error section-without-item finally',
      '6:27 error cooldown-without-item cooldown.per',
    ]);
  });

  test.each([
    ['item.rank', 'add forEach: items, and read it'],
    ['previous.rank', 'add forEach: changes.changed (or another kind), and read it.previous'],
    ['change.kind', 'add forEach: changes.entered (or another kind), and read it'],
  ])('without item, a step that reads %s gets a hint about forEach', (read, hint) => {
    expect(hintsOf(streams('per: slot').replace('{ do: discord.send,', `{ do: discord.send, if: ${read} == ${read},`))).toEqual([
      `a rule with per: poll or slot has no ${read.split('.')[0]}: ${hint}`,
    ]);
  });

  test.each([
    ['item.rank', 'write items.exists(i, …), with i instead of item', 'items.exists(i, i.rank == 1)'],
    [
      'previous.rank',
      'write changes.changed.exists(c, …) (or another kind), with c.previous instead of previous',
      'changes.changed.exists(c, c.previous.rank == 1)',
    ],
    [
      'change.kind',
      'write changes.entered.exists(c, …) (or another kind), with c instead of change',
      'changes.entered.exists(c, c.kind == "entered")',
    ],
  ])('without item, an if that reads %s gets a hint about the list', (read, hint, cured) => {
    expect(hintsOf(streams('per: poll', `if: ${read} == ${read}\n`))).toEqual([
      `a rule with per: poll or slot has no ${read.split('.')[0]}: ${hint}`,
    ]);
    expect(diagnosticsOf(streams('per: poll', `if: ${cured}\n`))).toEqual([]);
  });

  test('without item, a step with forEach over the items gets a hint about it', () => {
    expect(hintsOf(streams('per: slot').replace('{ do: discord.send,', '{ do: discord.send, forEach: items, if: item.rank < 3,'))).toEqual([
      'a rule with per: poll or slot has no item: read it, the element of forEach',
    ]);
  });

  test.each(['poll', 'slot'])('per: %s has the list and all six kinds of changes', (per) => {
    const condition =
      'if: items.size() + changes.entered.size() + changes.left.size() + changes.moved.map(c, c.from - c.to).size() + changes.changed.size() + changes.rose.size() + changes.fell.size() > 0\n';
    const diagnostics = diagnosticsOf(streams(`per: ${per}, changes: [moved]`, condition));

    expect(diagnostics).toEqual(['3:88 error expression if']);
    expect(diagnosticsOf(streams(`per: ${per}, changes: [moved]`, condition.replace('c.from - c.to', 'c.item.title')))).toEqual([]);
  });

  test('without items, a cooldown is per rule', () => {
    expect(ruleOf(streams('per: poll', 'cooldown: 1h\n')).cooldown).toEqual({ forMs: 3_600_000, per: 'rule' });
  });
});

describe('the meaning of a missing item', () => {
  test('an item leaves a set only if all pages were read', () => {
    const followers = (pages: string): readonly string[] =>
      diagnosticsOf(watching(`watch: social.getUserFollowers, account: bluesky, with: { user: ada${pages} }`));

    expect(followers(', pages: all')).toEqual([]);
  });

  test('a single record never enters, leaves or moves', () => {
    const user = (more: string): readonly string[] => diagnosticsOf(watching(`watch: streaming.getUser, with: { user: ada }${more}`));

    expect(user('')).toEqual(['2:20 error never-fires when.watch']);
    expect(user(', changes: [{ changed: [displayName] }, left]')).toEqual(['2:76 error impossible-change when.changes']);
    expect([...user(', changes: [{ changed: [displayName] }]'), ...user(', per: slot'), ...user(', first: fire')]).toEqual([]);
    expect(ruleOf(watching('watch: streaming.getUser, with: { user: ada }, per: slot')).watched).toMatchObject({
      kind: 'one',
      per: 'slot',
    });
  });
});

describe('several reading accounts', () => {
  const accounts = {
    streaming: { all: ['twitch', 'kick'], defaults: ['twitch'] },
    discord: { all: ['discord'], defaults: [] },
    social: { all: [], defaults: [] },
  };

  test('give each item its account and a separate key', () => {
    const two = streams('account: [twitch, kick], where: item.account != "x"');

    expect(diagnosticsOf(two, { accounts })).toEqual([]);
    expect(diagnosticsOf(streams('where: item.account != "x"'), { accounts })).toEqual(['2:85 error expression when.where']);
  });
});

test.each([
  ['game', ['write game.name']],
  ['owner', ['write owner.handle']],
  ['game.name', []],
  ['tags', []],
  ['title', []],
])('a change of a record has a warning: %s', (field, hints) => {
  const source = streams(`changes: [{ changed: [▲${field}] }]`);

  expect(diagnosticsOf(source)).toEqual(hints.map(() => '▲ warning changed-record when.changes[0].changed[0]'));
  expect(hintsOf(source.replace('▲', ''))).toEqual(hints);
});
