import { describe, expect, test } from 'vitest';
import { check, diagnosticsOf, hintsOf, ruleOf, unmark } from '../../support/rule-language.ts';

const SEND = '{ do: discord.send, with: { channel: live, content: hi } }';

/** A rule with these lines in `when`. */
function rule({
  when = 'every: 1m',
  top = '',
  content = 'hi',
}: {
  readonly when?: string;
  readonly top?: string;
  readonly content?: string;
}): string {
  return [
    'id: r',
    'when:',
    ...when.split('\n').map((line) => `  ${line}`),
    '  watch: streaming.getStreams',
    '  with: { users: [ada] }',
    top,
    'then:',
    '  - do: discord.send',
    '    with:',
    '      channel: live',
    `      content: ${content}`,
  ].join('\n');
}

test.each([
  ['item.game.name', 'key is empty for some items, which are then left out', 'write either(item.game.name, item.id)'],
  ['item.title.substring(0, 20)', expect.stringMatching(/^key fails \(.+\) for some items/u), expect.stringContaining('item.id')],
  ['item.tags[0]', expect.stringMatching(/^key fails/u), expect.stringContaining('item.id')],
])('a key that some items lack has a warning: %s', (key, message, hint) => {
  const [warning, ...others] = check(rule({ when: `every: 1m\nkey: ${key}` })).diagnostics;

  expect([warning?.severity, warning?.path, warning?.message, warning?.hint]).toEqual(['warning', 'when.key', message, hint]);
  expect(others).toEqual([]);
});

test.each([
  'key: item.id',
  'key: item.owner.handle',
  'key: item.url.split("/")[4]',
  'key: item.id.substring(0, 9)',
  'key: either(item.game.name, item.id)',
  'key: item.game.name\nwhere: item.game.name != ""',
])('a key that every item has needs no warning: %s', (when) => {
  expect(check(rule({ when: `every: 1m\n${when}` })).diagnostics).toEqual([]);
});

describe('a valid rule with a warning', () => {
  test.each([
    ['grace is shorter than two polls', { when: 'every: 1m\ngrace: ▲90s' }, 'short-grace when.grace'],
    ['take without settle and cooldown', { when: 'every: 1m\n▲take: 5' }, 'restless-take when.take'],
    ['a stream that has to be live for days', { when: 'every: 1m\n▲settle: 3d' }, 'long-settle when.settle'],
    ['text that ends at " #"', { content: '▲We are in the Top #1' }, 'trailing-comment then[0].with.content'],
    ['a field in braces of a shell', { content: '▲${item.title} and more' }, 'bare-braces then[0].with.content'],
    ['a field in single braces', { content: 'now ▲{item.url}' }, 'bare-braces then[0].with.content'],
    [
      'a number that differs at nearly every poll',
      { when: 'every: 1m\nchanges: ▲[{ changed: [viewerCount] }]' },
      'restless-field when.changes',
    ],
    ['a list that no expression reads', { when: 'every: 5m\n▲per: slot' }, 'unread-list when.per'],
    [
      'a clause that contradicts another one',
      { when: 'every: 1m\nwhere: item.viewerCount >= 1000 && ▲item.viewerCount < 500' },
      'decided-clause when.where',
    ],
  ])('%s', (_, parts, expected) => {
    const marked = rule(parts);

    expect(diagnosticsOf(marked)).toEqual([`▲ warning ${expected}`]);
    expect(ruleOf(unmark(marked).source).id).toBe('r');
  });

  test.each([
    ['when: { every: ▲1m }', '60 times in 1h, but its fuse allows 30', '{ firings: 80, per: 1h }'],
    ['when: { every: ▲10s }\ncooldown: 1m', '60 times in 1h, but its fuse allows 30', '{ firings: 80, per: 1h }'],
    ['when: { every: ▲1m }\nif: now > timestamp("2026-01-01T00:00:00Z")', 'up to 60 times in 1h', '{ firings: 80, per: 1h }'],
    ['when: { every: 5m }\n▲fuse: { firings: 100, per: 1d }', '288 times in 1d, but its fuse allows 100', '{ firings: 360, per: 1d }'],
    ['when: { cron: "*/5 * * * *" }\n▲fuse: { per: 1d12h }', '432 times in 1d 12h, but', '{ firings: 540, per: 1d12h }'],
    [
      'when: { every: ▲1m, watch: streaming.getStreams, with: { users: [ada] }, per: slot }\nif: items.size() > 0',
      'up to 60 times in 1h, but its fuse allows 30 and then pauses the rule',
      '{ firings: 80, per: 1h }',
    ],
  ])('the schedule alone blows the fuse: %s', (parts, message, fuse) => {
    const { source, place } = unmark(`id: r\n${parts}\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n`);
    const [diagnostic, ...others] = check(source).diagnostics;

    expect(others).toEqual([]);
    expect(`${diagnostic?.line}:${diagnostic?.column} ${diagnostic?.severity}`).toBe(`${place} warning`);
    expect(diagnostic?.message).toContain(`the rule fires ${message}`);
    expect(diagnostic?.hint).toBe(`add fuse: ${fuse}`);
  });

  test('a schedule for each minute of an hour gets the one for one run', () => {
    const source = (cron: string): string => `id: r\nwhen: { cron: "${cron}", timezone: UTC }\nthen:\n  - ${SEND}\n`;

    expect(hintsOf(source('* 20 * * 5'))).toEqual([
      'write cron: "0 20 * * 5" for one run in the hour, or add fuse: { firings: 80, per: 1h }',
    ]);
    expect(hintsOf(source('0 20 * * 5'))).toEqual([]);
    expect(hintsOf(source('* * * * 5'))).toEqual(['add fuse: { firings: 80, per: 1h }']);
  });

  test.each([
    'when: { every: 2m }',
    'when: { every: 1m }\nfuse: { firings: 60, per: 1h }',
    'when: { every: 1m }\ncooldown: 2m',
    'when: { cron: "0 9 * * *", timezone: UTC }',
    'when: { cron: "*/2 * * * *" }',
    'when: { at: "2030-01-01T10:00:00Z" }',
    'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }',
    'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, per: poll }',
  ])('the fuse is large enough: %s', (parts) => {
    expect(diagnosticsOf(`id: r\n${parts}\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n`)).toEqual([]);
  });

  test('a cron expression with both day fields gets a hint about *', () => {
    expect(hintsOf(rule({ when: 'timezone: UTC\ncron: "0 0 13 * 5"' }))).toEqual(['write * for one of them']);
  });

  test.each([
    { when: 'every: 1m\ngrace: 2m' },
    { when: 'every: 1h\nchanges: [{ changed: [viewerCount] }]' },
    { when: 'every: 1m\nsettle: 5m\nchanges: [{ changed: [viewerCount] }]' },
    { when: 'every: 1m\nchanges: [{ changed: [viewerCount] }]', top: 'cooldown: 6h' },
    { when: 'every: 1m\nchanges: [{ changed: [viewerCount] }]', top: 'fuse: { firings: 80, per: 1h }' },
    { when: 'every: 1m\nchanges: [{ changed: [viewerCount] }]', top: 'if: item.viewerCount % 1000 == 0' },
    { when: 'every: 5m\nper: slot', top: 'if: items.size() > 0' },
    { when: 'every: 5m\nper: slot', content: '"${{ string(items.size()) }} are live"' },
    { when: 'every: 1m\ntake: 5\nsettle: 2m' },
    { when: 'every: 1m\ntake: 5', top: 'cooldown: 6h' },
    { when: 'cron: "0 0 13 * *"\ntimezone: Europe/Paris' },
    { when: 'every: 1m # every minute' },
    { content: '"Top #1" # quoted' },
    { when: 'every: 1m\nwhere: item.viewerCount >= 10 && item.viewerCount <= 10' },
    { when: 'every: 1m\nwhere: item.viewerCount > 10 || item.viewerCount < 5 || item.language == "en" || item.language == "fr"' },
  ])('no warning: %j', (parts) => {
    expect(diagnosticsOf(rule(parts))).toEqual([]);
  });
});

test.each([
  ['maxAge: 30d\nfirst: fire', ['6:3 warning first-of-feed when.first']],
  ['maxAge: 30d', []],
  ['maxAge: 1d\nfirst: fire', []],
  ['maxAge: 30d\nfirst: fire\ntake: 1', []],
  ['maxAge: 30d\nfirst: fire\nchanges: [{ changed: [title] }]', []],
  ['maxAge: 30d\nfirst: fire', [], 'limit: { firings: 1, per: 1d, then: hold }'],
  ['maxAge: 30d\nfirst: fire', [], 'cooldown: { for: 1h, per: rule }'],
  ['maxAge: 8d\nfirst: fire', [], '', 'cron: "0 18 * * 0"\n  timezone: Europe/Paris'],
])('a feed whose first poll announces old items: %j', (lines, expected, top = '', schedule = 'every: 1m') => {
  const source = `id: r\n${top}\nwhen:\n  ${schedule}\n  ${lines.replaceAll('\n', '\n  ')}\n  watch: streaming.getUserVideos\n  with: { user: ada }\nthen:\n  - ${SEND}\n`;

  expect(diagnosticsOf(source)).toEqual(expected);
});

test('two equal steps have a warning', () => {
  const source = (...steps: readonly string[]): string => `id: r\nwhen: { every: 5m }\nthen:\n  - ${[SEND, ...steps].join('\n  - ')}\n`;

  expect(diagnosticsOf(source(SEND.replace('do: ', 'id: again, do: ▲')))).toEqual(['▲ warning repeated-step then[1].do']);
  expect(diagnosticsOf(source('wait: 1h', SEND))).toEqual([]);
  expect(diagnosticsOf(source(SEND.replace('live', 'news')))).toEqual([]);
  expect(diagnosticsOf(source(SEND.replace('do:', 'if: now.getMinutes() == 0, do:')))).toEqual([]);
});

test.each([
  ['"Since <t:▲${{ item.startedAt }}:R>"', `write \${{ discordTime(item.startedAt, 'R') }} in place of <t:…>`],
  ['"<t:▲${{ string(item.startedAt) }}>"', 'write ${{ discordTime(item.startedAt) }} in place of <t:…>'],
])('an instant in a time of Discord has a warning: %s', (content, hint) => {
  const { source, place } = unmark(rule({ content }));

  expect(check(source).diagnostics.map(({ line, column, code, hint: found }) => [`${line}:${column}`, code, found])).toEqual([
    [place, 'written-time', hint],
  ]);
});

describe('a text that can exceed the limit of its target', () => {
  const limit = { most: 300, lengthOf: (text: string): number => text.length };
  const accounts = {
    streaming: { all: ['twitch'], defaults: [] },
    discord: { all: ['discord'], defaults: [] },
    social: { all: ['bluesky', 'mastodon'], defaults: ['bluesky', 'mastodon'], textLimits: { bluesky: limit } },
  };
  const videos = (step: string): string =>
    `id: r\nwhen: { every: 1m, watch: streaming.getUserVideos, with: { user: ada } }\nthen:\n  - ${step}`;

  test.each([
    ['{ do: social.createPost, with: { text: "New: ${{ ▲item.description }}" } }', 'long-field then[0].with.text'],
    ['{ do: social.createPost, fit: error, with: { text: "New: ${{ ▲item.description }}" } }', 'long-field then[0].with.text'],
    [`{ do: social.createPost, with: { text: ▲"${'x'.repeat(295)} \${{ item.title }}" } }`, 'long-text then[0].with.text'],
    [`{ do: social.createPost, with: { text: ▲"${'x'.repeat(301)}" } }`, 'long-text then[0].with.text'],
    ['{ do: discord.send, with: { channel: a, content: "${{ ▲item.description }}" } }', 'long-field then[0].with.content'],
  ])('%s', (step, expected) => {
    expect(diagnosticsOf(videos(step), { accounts })).toEqual([`▲ warning ${expected}`]);
  });

  test.each([
    '{ do: social.createPost, with: { text: "New: ${{ truncate(item.description, 100) }}" } }',
    '{ do: social.createPost, fit: thread, with: { text: "New: ${{ item.description }}" } }',
    '{ do: social.createPost, as: mastodon, with: { text: "New: ${{ item.description }}" } }',
    '{ do: social.createPost, with: { text: "${{ item.title }} ${{ item.url }}" } }',
    '{ do: discord.send, with: { channel: a, embed: { description: "${{ item.title }}" } } }',
  ])('gets no warning: %s', (step) => {
    expect(diagnosticsOf(videos(step), { accounts })).toEqual([]);
  });

  describe.each([
    ['vars', (fields: string) => `vars: { card: { ${fields} } }`],
    ['each', (fields: string) => `each: { card: [{ id: a, ${fields} }] }`],
  ] as const)('a constant of %s', (scope, constants) => {
    const post = (field: string, value: string): string =>
      videos(`{ do: social.createPost, as: bluesky, with: { text: ▲"New: \${{ ${scope}.${field} }}" } }`).replace(
        'id: r',
        () => `id: r\n${constants(`text: "${value}", description: "${value}"`)}`,
      );

    test.each(['card.text', 'card.description'])('%s counts with its length', (field) => {
      expect(diagnosticsOf(post(field, 'Live now'), { accounts })).toEqual([]);
      expect(diagnosticsOf(post(field, 'x'.repeat(295)), { accounts })).toEqual([]);
      expect(diagnosticsOf(post(field, 'x'.repeat(296)), { accounts })).toEqual(['▲ warning long-text then[0].with.text']);
    });
  });

  describe('a file without a description', () => {
    const post = (file: string): string => videos(`{ do: social.createPost, as: bluesky, with: { text: Hi, files: [${file}] } }`);

    test.each(['▲https://a.test/1.png', '▲{ url: "https://a.test/1.png" }', '▲{ path: cards/a.png, altText: "" }'])('%s', (file) => {
      expect(diagnosticsOf(post(file), { accounts })).toEqual(['▲ warning missing-description then[0].with.files[0]']);
      const social = { ...accounts.social, postDefaults: { bluesky: { requireDescription: true } } };
      expect(diagnosticsOf(post(file), { accounts: { ...accounts, social } })).toEqual([
        '▲ error missing-description then[0].with.files[0]',
      ]);
    });

    test.each(['{ url: "https://a.test/1.png", altText: "${{ item.title }}" }', '{ id: "1" }'])('gets no warning: %s', (file) => {
      expect(diagnosticsOf(post(file), { accounts })).toEqual([]);
    });
  });
});

test('steps of each instance may edit different messages', () => {
  const put = '{ do: discord.put, with: { name: "top-${{ each.on }}", channel: a, content: hi } }';

  expect(diagnosticsOf(`id: r\nwhen: { every: 5m }\neach: { on: [a, b] }\nthen:\n  - ${put}`)).toEqual([]);
});

test('braces of other template languages are sent as text, with a warning', () => {
  expect(diagnosticsOf(rule({ content: '"Look: ▲{{ item.title }} ${{ item.url }} $${{ x }}"' }))).toEqual([
    `▲ warning bare-braces then[0].with.content`,
  ]);
});

test('a rule with take gets no warning if no item can enter or leave', () => {
  expect(diagnosticsOf(rule({ when: 'every: 5m\ntake: 5\nper: slot', top: 'if: items.size() > 0' }))).toEqual([]);
  expect(diagnosticsOf(rule({ when: 'every: 1m\ntake: 5\nchanges:\n  - rose: { field: viewerCount, above: 5 }' }))).toEqual([]);
});

describe('a text whose only content is the result of another step', () => {
  const rule = (step: string): string =>
    [
      'id: r',
      'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }',
      'then:',
      '  - { id: post, do: social.createPost, as: bluesky, with: { text: live } }',
      `  - { do: discord.send, ${step} }`,
    ].join('\n');

  test('gets a warning with a condition that skips the step', () => {
    const { source, place } = unmark(rule('with: { channel: live, content: "Read it here: ${{ ▲steps.post.url }}" }'));

    expect(
      check(source).diagnostics.map(({ line, column, severity, message, hint }) => [`${line}:${column}`, severity, message, hint]),
    ).toEqual([
      [
        place,
        'warning',
        'if the step post is not sent, this step sends only "Read it here:"',
        'to skip this step in that case, add if: steps.post.url != ""',
      ],
    ]);
  });

  test.each([
    'if: steps.post.url != "", with: { channel: live, content: "Read it here: ${{ steps.post.url }}" }',
    'with: { channel: live, content: "${{ item.owner.displayName }} is live ${{ steps.post.url }}" }',
    'with: { channel: live, content: "${{ steps.post.url }}" }',
    'with: { channel: live, content: "More: ${{ either(steps.post.url, item.url) }}" }',
    'with: { channel: live, content: "${{ item.title }}", embed: { description: "Read it here: ${{ steps.post.url }}" } }',
    'with: { channel: live, embed: { title: "${{ item.title }}", fields: [{ name: Post, value: "at ${{ steps.post.url }}" }] } }',
  ])('gets no warning with other content or a condition: %s', (step) => {
    expect(diagnosticsOf(rule(step))).toEqual([]);
  });
});

describe('a text that reads a look-up', () => {
  const rule = (lookUp: string, step: string): string =>
    [
      'id: r',
      'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }',
      'then:',
      `  - { id: who, do: streaming.getUser, with: { user: ada }${lookUp} }`,
      `  - { do: discord.send, ${step} }`,
    ].join('\n');

  test('gets a warning about a failure of the look-up', () => {
    const { source, place } = unmark(rule('', 'with: { channel: live, content: "Live: ${{ ▲steps.who.bio }} ${{ steps.who.bio }}" }'));

    expect(
      check(source).diagnostics.map(({ line, column, severity, message, hint }) => [`${line}:${column}`, severity, message, hint]),
    ).toEqual([
      [
        place,
        'warning',
        'if the look-up who fails, this step is not sent',
        'to send it without the result, add onError: continue to the step who; else add an if that reads the result',
      ],
    ]);
  });

  test.each([
    [', onError: continue', 'with: { channel: live, content: "Live: ${{ steps.who.bio }}" }'],
    [', onError: stop', 'with: { channel: live, content: "Live: ${{ steps.who.bio }}" }'],
    ['', 'if: steps.who.bio != "", with: { channel: live, content: "Live: ${{ steps.who.bio }}" }'],
    ['', `with: { channel: live, content: "Live: \${{ either(steps.who.bio, 'Ada') }}" }`],
    ['', `with: { channel: live, content: "Live: \${{ steps.who.bio == '' ? 'Ada' : steps.who.bio }}" }`],
    ['', 'with: { channel: live, content: live, embed: { image: "${{ steps.who.avatarUrl }}" } }'],
  ])('gets no warning if it handles the failure: %s %s', (lookUp, step) => {
    expect(diagnosticsOf(rule(lookUp, step))).toEqual([]);
  });
});

describe('a where that comes before take', () => {
  const games = (when: string): string =>
    `id: r\nwhen: { every: 10m, watch: streaming.getTopGames, take: 10, settle: 10m, changes: [left]${when} }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]`;
  const streams = (when: string): string => games(when).replace('getTopGames', 'getGameStreams, with: { game: Chess }');

  test.for([
    [games(', where: item.name == "Chess"'), 'one item fits'],
    [games(', where: "item.viewerCount > 5 && item.name.lowerAscii() == \'chess\'"'), 'one item fits'],
    [streams(', where: item.owner.handle == "ada"'), 'one item fits'],
    [streams(", where: \"item.owner.handle in ['ada', 'grace']\""), '2 items fit'],
  ] as const)('has a warning if it leaves fewer items: %s', ([source, fitting]) => {
    expect(check(source).diagnostics.map(({ code, path, message, hint }) => [code, path, message, hint])).toEqual([
      [
        'take-without-effect',
        'when.take',
        `where comes before take: at most ${fitting} it, so take: 10 has no effect`,
        'write the condition as if of the rule, beside when',
      ],
    ]);
  });

  test.for([
    games(''),
    streams(', where: item.language == "de"'),
    streams(', where: item.owner.handle != "ada"'),
    streams(', where: "item.owner.handle == \'ada\' || item.viewerCount > 9"'),
    streams(', where: item.game.name == "Chess"'),
    streams(', where: item.viewerCount > 100'),
  ])('that can leave more items has no warning: %s', (source) => {
    expect(check(source).diagnostics).toEqual([]);
  });
});
