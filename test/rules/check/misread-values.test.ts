import { describe, expect, test } from 'vitest';
import { check, unmark } from '../../support/rule-language.ts';

describe('the name of a value without ${{ }}', () => {
  const source = (users: string, content: string, top = ''): string =>
    `id: r\nvars: { team: [ada], name: Ada, least: 5 }\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: ${users} } }\n${top}then:\n  - { do: discord.send, with: { channel: live, content: ${content} } }\n`;

  test.each([
    ['a field of the item', source('[ada]', '▲item.game.name'), 'write "${{ item.game.name }}"'],
    ['a number', source('[ada]', '▲item.viewerCount'), 'write "${{ string(item.viewerCount) }}"'],
    ['a value of vars', source('[ada]', '▲vars.name'), 'write "${{ vars.name }}"'],
    ['a value of each', source('[ada]', '▲each.word', 'each: { word: [a, b] }\n'), 'write "${{ each.word }}"'],
    ['a value in a list', source('[▲vars.name]', 'hi'), 'write "${{ vars.name }}"'],
    ['a list in a list', source('[▲vars.team]', 'hi'), 'write users: "${{ vars.team }}"'],
  ])('has a warning: %s', (_, marked, hint) => {
    const { source: text, place } = unmark(marked);

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.code, one.hint])).toEqual([[place, 'bare-path', hint]]);
  });

  test.each([
    ['a list', source('▲vars.team', 'hi'), 'write "${{ vars.team }}"'],
    [
      'a number',
      `${source('[ada]', 'hi')}  - { do: streaming.getSchedule, with: { user: ada, days: ▲vars.least } }\n`,
      'write "${{ vars.least }}"',
    ],
    ['a color', source('[ada]', 'hi').replace('content: hi', 'embed: { title: hi, color: ▲vars.least }'), 'write "${{ vars.least }}"'],
    ['an address', source('[ada]', 'hi').replace('content: hi', 'embed: { title: hi, url: ▲item.url }'), 'write "${{ item.url }}"'],
    ['a duration', source('[ada]', 'hi').replace('1m', '▲vars.name'), 'write "${{ vars.name }}"'],
  ])('has a hint where it is an error: %s', (_, marked, hint) => {
    const { source: text, place } = unmark(marked);

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.severity, one.hint])).toEqual([[place, 'error', hint]]);
  });

  test.each(['vars.other', 'change.org', 'item.com', 'rule.md', 'each.word', 'item.title and more', 'items'])('is text: %s', (content) => {
    expect(check(source('[ada]', content)).diagnostics).toEqual([]);
  });
});

describe('the id of a step as the id of its result', () => {
  const source = (step: string): string => `id: r
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { id: card, do: discord.send, with: { channel: card, content: card } }
  - { id: post, do: social.createPost, as: [bluesky, mastodon], with: { text: post } }
  - { ${step} }
`;

  test.for([
    ['do: discord.edit, with: { message: ▲card, content: over }', 'write "${{ steps.card.id }}"'],
    ['do: social.createPost, as: [bluesky, mastodon], with: { text: over, replyTo: ▲post }', 'write "${{ steps.post.own.id }}"'],
    ['do: social.createPost, as: mastodon, with: { text: over, replyTo: ▲post }', 'write "${{ steps.post.own.id }}"'],
  ])('has a warning: %s', ([step = '', hint]) => {
    const { source: text, place } = unmark(source(step));

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.code, one.hint])).toEqual([
      [place, 'step-as-result', hint],
    ]);
  });

  test('has a warning if no step has this id, because no message has it either', () => {
    const { source: text, place } = unmark(source('do: discord.edit, with: { message: ▲board, content: over }'));

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.code, one.hint])).toEqual([
      [place, 'no-message', 'add id: board to the step that sends the message, and write "${{ steps.board.id }}"'],
    ]);
  });

  test('is text in other parameters, and as the id of no step', () => {
    expect(check(source('do: discord.edit, with: { message: "12/34", content: card }')).diagnostics).toEqual([]);
  });
});

describe('a map with a computed key', () => {
  const source = (content: string): string =>
    `id: r\nvars: { roles: { Chess: Fans }, counts: { Chess: 1 } }\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\nthen:\n  - { do: discord.send, with: { channel: live, content: "x \${{ ${content} }}" } }\n`;

  test.each([
    ['▲vars.roles[item.game.name]', `write vars.roles[?item.game.name].orValue('…')`],
    ['string(▲vars.counts[item.title.trim()])', 'write vars.counts[?item.title.trim()].orValue(0)'],
  ])('has a warning: %s', (content, hint) => {
    const { source: text, place } = unmark(source(content));

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.code, one.hint])).toEqual([
      [place, 'missing-map-key', hint],
    ]);
  });

  test.each([
    "vars.roles[?item.game.name].orValue('')",
    "vars.roles[?item.game.name].hasValue() ? vars.roles[item.game.name] : ''",
    'vars.roles.Chess',
  ])('has no warning: %s', (content) => {
    expect(check(source(content)).diagnostics).toEqual([]);
  });
});

describe('a map with a key in capitals', () => {
  const source = (keys: string, key: string): string =>
    `id: r\nvars: { roles: { ${keys} } }\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\nthen:\n  - { do: discord.send, with: { channel: live, content: "x \${{ ▲vars.roles[?${key}].orValue('') }}" } }\n`;

  test.each([
    ['Ada: Fans', 'item.owner.handle', 'vars.roles has the key Ada, and item.owner.handle is never "Ada"', 'write "ada"'],
    ['DE: Fans', 'item.language', 'vars.roles has the key DE, and item.language is never "DE"', 'write "de"'],
  ])('has a warning: { %s } with %s', (keys, key, message, hint) => {
    const { source: text, place } = unmark(source(keys, key));

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.message, one.hint])).toEqual([[place, message, hint]]);
  });

  test.each([
    ['ada: Fans, UCpx14IuK3WcoDJ0j3TrQP45: Fans, default: Fans', 'item.owner.handle'],
    ['Chess: Fans', 'item.game.name'],
  ])('has no warning: { %s } with %s', (keys, key) => {
    expect(check(unmark(source(keys, key)).source).diagnostics).toEqual([]);
  });
});

describe('curly quotes around a text', () => {
  const source = (content: string): string =>
    `id: r\nwhen: { every: 1h }\nthen:\n  - do: discord.send\n    with:\n      channel: live\n      content: ${content}\n`;

  test('have a warning if no straight quotes are around them', () => {
    expect(check(source('“Hello”')).diagnostics.map(({ code, hint }) => [code, hint])).toEqual([['curly-quotes', 'write "Hello"']]);
  });

  test.each(['"“Hello”"', '“Hello” and bye', 'Say “Hello”'])('have no warning: %s', (content) => {
    expect(check(source(content)).diagnostics).toEqual([]);
  });
});

describe('a line break that YAML keeps as two characters', () => {
  const source = (content: string): string =>
    `id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\nthen:\n  - do: discord.send\n    with:\n      channel: live\n      content: ${content}\n`;

  test.each(['${{ item.title }}▲\\nNow', "'Live▲\\nNow'", '"Live\\▲\\nNow"', '|\n        Live▲\\nNow'])('has a warning: %s', (content) => {
    const { source: text, place } = unmark(source(content));

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.code, one.message])).toEqual([
      [place, 'written-break', '\\n is sent as text, not as a line break'],
    ]);
  });

  test.each(['"Live\\nNow"', "${{ join(item.tags, '\\n') }}", '|\n        Live\n        Now'])('has no warning: %s', (content) => {
    expect(check(source(content)).diagnostics).toEqual([]);
  });

  test('is text in the name of a file', () => {
    expect(check(source('hi\n      files: [C:\\new.png]')).diagnostics.map(({ code }) => code)).not.toContain('written-break');
  });
});

describe('the beginning of a text that can be shorter', () => {
  const source = (content: string): string =>
    `id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\nthen:\n  - { do: discord.send, with: { channel: live, content: "\${{ ${content} }}" } }\n`;

  test('has a warning, because the step would fail', () => {
    const { source: text, place } = unmark(source('▲item.title.substring(0, 50)'));

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.code, one.message, one.hint])).toEqual([
      [place, 'short-text', 'this fails if item.title has fewer than 50 characters', 'write truncate(item.title, 50)'],
    ]);
  });

  test.each([
    'item.title.size() > 50 ? item.title.substring(0, 50) : item.title',
    "date(item.startedAt, 'Asia/Tokyo', 'iso').substring(0, 10)",
    'truncate(item.title, 50)',
  ])('has no warning: %s', (content) => {
    expect(check(source(content)).diagnostics).toEqual([]);
  });
});

const WILDCARD = '* is a character like any other here, and no placeholder';

describe('a call that does less than its name', () => {
  const source = (condition: string): string =>
    `id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\nif: |\n  ${condition}\nthen:\n  - { do: discord.send, with: { channel: live, content: hi } }\n`;

  test.each([
    ['▲now.getHours() >= 8', 'getHours() is the hour in UTC', 'write the time zone: now.getHours("Europe/Paris"), or now.getHours("UTC")'],
    [
      '▲item.startedAt.getDayOfWeek() == 6',
      'getDayOfWeek() is the weekday in UTC',
      'write the time zone: item.startedAt.getDayOfWeek("Europe/Paris"), or item.startedAt.getDayOfWeek("UTC")',
    ],
    ['item.title == ▲"*chess*"', WILDCARD, 'write item.title.contains("chess")'],
    ['item.title != ▲"Speed run*"', WILDCARD, 'write !item.title.startsWith("Speed run")'],
    ['item.game.name == ▲"*Zelda"', WILDCARD, 'write item.game.name.endsWith("Zelda")'],
    ['item.title.contains(▲"*chess*")', WILDCARD, 'write item.title.contains("chess")'],
  ])('has a warning: %s', (condition, message, hint) => {
    const { source: text, place } = unmark(source(condition));

    expect(check(text).diagnostics.map((one) => [`${one.line}:${one.column}`, one.message, one.hint])).toEqual([[place, message, hint]]);
  });

  test.each([
    'now.getHours("UTC") >= 8 && now.getMinutes() > 5',
    '(now - item.startedAt).getHours() > 2',
    'item.title.contains("*") || item.title.contains("f*ck") || item.title.contains("***") || rx(item.title, "chess.*")',
    'item.viewerCount * 2 > 10 && item.title != "5 * 3"',
    'item.title.lowerAscii().contains("grün") || item.title.lowerAscii() == "straße" || item.title.upperAscii().contains("GRÜN")',
  ])('has no warning: %s', (condition) => {
    expect(check(source(condition)).diagnostics).toEqual([]);
  });
});

test('a field of a webhook in braces is a placeholder too', () => {
  const source = (content: string): string =>
    `id: r\nwhen: { webhook: shop, fields: { from_name: text, parts: [text] } }\nthen:\n  - { do: discord.send, with: { channel: live, content: "${content}" } }\n`;

  expect(check(source('Thanks, {from_name}!')).diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
    ['placeholder', 'write ${{ item.from_name }} to insert it'],
  ]);
  expect(check(source('Thanks, {name} and {parts}')).diagnostics).toEqual([]);
});

describe('a placeholder of another bot', () => {
  const source = (content: string, watch = 'streaming.getStreams, with: { users: [ada] }'): string =>
    `id: r\nwhen: { every: 1m, watch: ${watch} }\nthen:\n  - { do: discord.send, with: { channel: live, content: '${content}' } }\n`;

  test.each([
    ['{name} is live', '{name}', 'item.owner.displayName'],
    ['now ${title}', '${title}', 'item.title'],
    ['now %GAME%', '%GAME%', 'item.game.name'],
    ['${{ item.title }} {url}', '{url}', 'item.url'],
    ['live: $(channel)', '$(channel)', 'item.owner.displayName'],
    ['{streamer.name} is live', '{streamer.name}', 'item.owner.displayName'],
    ['now {stream.title}', '{stream.title}', 'item.title'],
    ['now ${stream.game}', '${stream.game}', 'item.game.name'],
    ['with {viewers} viewers', '{viewers}', 'item.viewerCount'],
    ['since $(uptime)', '$(uptime)', 'duration(now - item.startedAt)'],
  ])('has a warning: %s', (content, written, field) => {
    const message = `${written} is sent as text, not replaced`;
    const [warning, ...others] = check(source(content)).diagnostics;

    expect([warning?.code, warning?.message, warning?.hint]).toEqual(['placeholder', message, `write \${{ ${field} }} to insert it`]);
    expect(others).toEqual([]);
    expect(check(source(content.replace(written, `\${{ ${field} }}`))).diagnostics).toEqual([]);
  });

  test.each([
    ['{everyone} live!', 'write mention: [everyone], or the name of a role, beside content'],
    ['$(random)', 'write vars.lines[now.getMinutes() % vars.lines.size()], with the texts in vars.lines of the rule'],
  ])('without a value has advice: %s', (content, hint) => {
    expect(check(source(content)).diagnostics.map((one) => [one.code, one.hint])).toEqual([['placeholder', hint]]);
  });

  test('has the field of the list of the rule', () => {
    const hints = check(source('{name}', 'social.getPosts, with: { user: ada }, account: mastodon, maxAge: 1d')).diagnostics;

    expect(hints.filter(({ code }) => code === 'placeholder').map(({ hint }) => hint)).toEqual([
      'write ${{ item.author.displayName }} to insert it',
    ]);
  });

  test.each([
    '{ada}',
    'use {} or { }',
    '${{ item.title.split("{name}").join("x") }}',
    '{viewers}%',
    'a{title}',
    '{{title}}',
    '$(twitch)',
    '$5 (title)',
  ])('is not: %s', (content) => {
    const codes = check(source(content.replace('viewers', 'views'))).diagnostics.map(({ code }) => code);

    expect(codes).not.toContain('placeholder');
  });
});
