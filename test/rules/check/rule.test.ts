import { describe, expect, test } from 'vitest';
import type { Rule } from '#src/rules/rule.ts';
import { ada, ruleOf, scopeOf, without } from '../../support/rule-language.ts';

const THEN = 'then:\n  - { id: card, do: discord.send, with: { channel: live, content: hi } }\n';

/** A rule that watches the streams of a game. `more` is added to its `when`. */
function watching(more: string, top = ''): ReturnType<typeof ruleOf> {
  return ruleOf(`id: r\nwhen: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }${more} }\n${top}\n${THEN}`);
}

describe('the defaults of a rule', () => {
  test('are the documented ones', () => {
    expect(watching('')).toMatchObject({
      id: 'r',
      name: 'r',
      file: 'rules/x.yaml',
      enabled: true,
      schedule: { everyMs: 300_000 },
      missed: 'once',
      maxAgeMs: 3_600_000,
      watched: {
        verb: 'streaming.getGameStreams',
        kind: 'ranking',
        with: { game: 'Chess' },
        accounts: ['twitch'],
        changes: [{ kind: 'entered' }],
        per: 'item',
        confirm: { new: 1, gone: 2 },
        settleMs: 0,
        graceMs: 0,
        first: 'silent',
      },
      then: [{ id: 'card', do: 'discord.send', creates: true, as: ['discord'], reads: [] }],
      while: [],
      finally: [],
      mode: 'queued',
      max: 10,
      fuse: { firings: 30, perMs: 3_600_000 },
      quiet: undefined,
      names: { watch: 'streaming.getGameStreams', steps: { card: 'discord.send' } },
      readsList: false,
    });
  });

  test('without watch, the rule runs at each slot', () => {
    const rule = ruleOf(`id: r\nwhen: { cron: "0 18 * * 0", timezone: Europe/Paris }\ncooldown: 1h\n${THEN}`);

    expect(rule).toMatchObject({
      schedule: { cron: '0 18 * * 0', timezone: 'Europe/Paris' },
      watched: undefined,
      cooldown: { forMs: 3_600_000, per: 'rule' },
    });
  });
});

describe('the settings of a rule', () => {
  test.each([
    [', confirm: 3', { confirm: { new: 3, gone: 3 } }],
    [', confirm: { gone: 4 }', { confirm: { new: 1, gone: 4 } }],
    [', settle: 90s, grace: 1h30m', { settleMs: 90_000, graceMs: 5_400_000 }],
    [', first: fire, changes: [left, entered]', { first: 'fire', changes: [{ kind: 'left' }, { kind: 'entered' }] }],
    [', take: 5, settle: 5m', { take: 5 }],
    [', account: twitch', { accounts: ['twitch'] }],
  ])('%s', (more, expected) => {
    expect(watching(more).watched).toMatchObject(expected);
  });

  test.each([
    ['cooldown: 6h', { forMs: 21_600_000, per: 'item' }],
    ['cooldown: { for: 6h, per: rule }', { forMs: 21_600_000, per: 'rule' }],
    ['cooldown: { for: 6h }', { forMs: 21_600_000, per: 'item' }],
  ])('%s', (top, expected) => {
    expect(watching('', top).cooldown).toEqual(expected);
  });

  test('maxAge follows the interval by default', () => {
    const maxAgeMs = (when: string): number => ruleOf(`id: r\nwhen: { ${when} }\n${THEN}`).maxAgeMs;

    expect([maxAgeMs('every: 1m'), maxAgeMs('every: 2h'), maxAgeMs('every: 2h, maxAge: 10m'), maxAgeMs('cron: "0 0 * * *"')]).toEqual([
      3_600_000, 14_400_000, 600_000, 3_600_000,
    ]);
  });

  test.each(['true', 'false', 'sandbox'])('enabled: %s', (enabled) => {
    expect(String(watching('', `enabled: ${enabled}`).enabled)).toBe(enabled);
  });

  test('conditions keep their source and can be tested', () => {
    const { watched, if: condition } = watching(', where: "${{ item.viewerCount > 1000 }}"', 'if: item.rank < 3');

    expect([watched?.where?.source, condition?.source]).toEqual(['item.viewerCount > 1000', 'item.rank < 3']);
    expect(watched?.where?.test({ item: ada, rule: { id: 'r' }, now: ada.fetchedAt })).toMatchObject({
      holds: false,
      condition: {
        kind: 'false',
        clauses: [{ source: 'item.viewerCount > 1000', values: [{ expression: 'item.viewerCount', value: '740' }] }],
      },
    });
    expect(condition?.test(scopeOf({ ...ada, rank: 1 }))).toEqual({ holds: true });
  });
});

describe('the key of an item', () => {
  test.each([
    ['streaming.getGameStreams, with: { game: Chess }', ada, '9'],
    ['streaming.getTopGames', { id: '7', name: 'Chess' }, '7'],
    ['social.search, account: bluesky, with: { keyword: x }', { id: 'p1' }, 'p1'],
    ['streaming.getTopGames, key: item.name', { id: '7', name: 'Chess' }, 'Chess'],
    ['streaming.getGameStreams, with: { game: Chess }, key: item.viewerCount', ada, '740'],
    ['streaming.getTopGames, key: "\'game \' + item.name"', { id: '7', name: 'Chess' }, 'game Chess'],
    ['streaming.getTopGames, key: item.igdbId', { id: '7', name: 'Chess' }, undefined],
    ['streaming.getTopGames', { name: 'Chess' }, undefined],
    ['streaming.getGameStreams, with: { game: Chess }', without(ada, 'owner'), undefined],
  ])('watch: %s', (watch, item, key) => {
    const { watched } = ruleOf(`id: r\nwhen: { every: 1m, watch: ${watch} }\n${THEN}`);

    expect(watched?.key(item)).toBe(key);
  });
});

describe('the fingerprint of a list', () => {
  const fingerprint = (more: string, top?: string): string | undefined => watching(more, top).watched?.fingerprint;
  const before = fingerprint(', where: item.viewerCount > 5, take: 5, settle: 5m');

  test.each([
    ['another condition', ', where: item.viewerCount > 6, take: 5, settle: 5m'],
    ['another number of items', ', where: item.viewerCount > 5, take: 6, settle: 5m'],
    ['another key', ', where: item.viewerCount > 5, take: 5, settle: 5m, key: item.id'],
  ])('changes with %s', (_, more) => {
    expect(fingerprint(more)).not.toBe(before);
  });

  test('changes with other parameters, but not with their order', () => {
    const of = (parameters: string): string | undefined =>
      ruleOf(`id: r\nwhen: { every: 1m, watch: streaming.getGameStreams, with: ${parameters} }\n${THEN}`).watched?.fingerprint;

    expect(of('{ game: Chess, pages: 2 }')).toBe(of('{ pages: 2, game: Chess }'));
    expect(of('{ game: Chess, pages: 2 }')).not.toBe(of('{ game: Chess, pages: 3 }'));
  });

  test('does not change with other timers and texts', () => {
    expect(fingerprint(', where: item.viewerCount > 5, take: 5, settle: 9m, grace: 20m', 'cooldown: 1h\nabout: x')).toBe(before);
  });
});

describe('many rules', () => {
  const step = (id: string): string => `then:\n  - { id: ${id}, do: discord.send, with: { channel: live, content: hi } }`;
  const of = (id: string, top: string): Rule => ruleOf(`id: ${id}\nwhen: { every: 1m, watch: streaming.getTopStreams }\n${top}`);

  test('share equal parts in memory', () => {
    const [one, other] = [of('one', `cooldown: 1h\n${step('post')}`), of('other', `cooldown: 1h\n${step('post')}`)];

    expect(other.names).toBe(one.names);
    expect(other.cooldown).toBe(one.cooldown);
    expect(other.schedule).toBe(one.schedule);
    expect(other.watched?.confirm).toBe(one.watched?.confirm);
  });

  test('do not share different parts', () => {
    const [one, other] = [of('one', `cooldown: 1h\n${step('post')}`), of('other', `cooldown: 2h\n${step('card')}`)];

    expect([one.cooldown?.forMs, other.cooldown?.forMs]).toEqual([3_600_000, 7_200_000]);
    expect([one, other].map(({ names }) => Object.keys(names.steps))).toEqual([['post'], ['card']]);
  });

  test('do not share constants with equal JSON', () => {
    const valueOf = (most: string) => of('r', `vars: { most: ${most} }\n${step('post')}`).names.constants?.vars['most'];

    expect([valueOf('.inf'), valueOf('-.inf')]).toEqual([Infinity, -Infinity]);
  });
});
