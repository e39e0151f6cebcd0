import { describe, expect, test } from 'vitest';
import { accounts, check, diagnosticsOf, ruleOf, unmark } from '../../support/rule-language.ts';

/** A rule that watches streams. Its steps begin at line 4. */
function rule(steps: string, more = ''): string {
  return `id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\nthen:\n${steps}\n${more}`;
}

const CARD = '  - { id: card, do: discord.send, with: { channel: live, content: hi } }';

describe('the parameters of a step', () => {
  test.each([
    ['▲{ content: hi }', 'wrong-value then[0].with'],
    ['{ channel: live, ▲contents: x }', 'unknown-key then[0].with.contents'],
    ['{ channel: ▲[live] }', 'wrong-value then[0].with.channel'],
    ['{ channel: ▲true }', 'wrong-value then[0].with.channel'],
    ['{ channel: ▲"", content: hi }', 'wrong-value then[0].with.channel'],
    [`{ channel: live, content: ▲${'x'.repeat(2001)} }`, 'wrong-value then[0].with.content'],
    ['{ channel: live, embed: { ▲colour: 1 } }', 'unknown-key then[0].with.embed.colour'],
    ['{ channel: live, embed: { title: a, color: ▲red } }', 'wrong-value then[0].with.embed.color'],
    ['{ channel: live, embed: { fields: [▲{ name: a }] } }', 'missing-key then[0].with.embed.fields[0].value'],
    ['{ channel: live, content: "${{ ▲item.viewerCount }}" }', 'wrong-type then[0].with.content'],
    ['{ channel: live, content: "${{ ▲item.tags }}" }', 'wrong-type then[0].with.content'],
    ['{ channel: live, content: "a ${{ ▲item.tags }}" }', 'wrong-type then[0].with.content'],
    ['{ channel: live, content: "a ${{ ▲item.owner }}" }', 'wrong-type then[0].with.content'],
    ['{ channel: live, embed: { title: a, fields: "${{ ▲item.title }}" } }', 'wrong-type then[0].with.embed.fields'],
    ['{ channel: live, embed: { title: a, fields: "a ${{ ▲5 }}" } }', 'wrong-type then[0].with.embed.fields'],
    ['{ channel: live, embed: { title: a, color: "${{ ▲item.mature }}" } }', 'wrong-type then[0].with.embed.color'],
    ['{ channel: live, content: hi, mention: "${{ ▲item.title }}" }', 'wrong-type then[0].with.mention'],
    ['{ channel: live, content: "▲${{ item.title" }', 'unclosed-expression then[0].with.content'],
    ['{ channel: live, content: "${{ ▲}}" }', 'expression then[0].with.content'],
    ['{ channel: live, content: "${{ item.title }} ${{ item.▲titel }}" }', 'expression then[0].with.content'],
  ])('%s', (parameters, expected) => {
    expect(diagnosticsOf(rule(`  - { do: discord.send, with: ${parameters} }`))).toEqual([`▲ error ${expected}`]);
  });

  test.each([
    ['{ channel: 2048, content: 0x10 }', { channel: '2048', content: '0x10' }],
    ['{ channel: live, embed: { title: a, color: 0x9146ff } }', { channel: 'live', embed: { title: 'a', color: 9_520_895 } }],
    ['{ channel: live, embed: { title: a, color: "#9146ff" } }', { channel: 'live', embed: { title: 'a', color: '#9146ff' } }],
    ['{ channel: live, content: "$${{ x }}" }', { channel: 'live', content: '$${{ x }}' }],
    ['{ channel: live, embed: "${{ {\'title\': item.title} }}" }', { channel: 'live', embed: "${{ {'title': item.title} }}" }],
    [
      '{ channel: live, embed: { title: a, color: "${{ item.rank }}", fields: [] } }',
      { channel: 'live', embed: { title: 'a', color: '${{ item.rank }}', fields: [] } },
    ],
    ['{ channel: live, content: hi, mention: "${{ item.tags }}" }', { channel: 'live', content: 'hi', mention: '${{ item.tags }}' }],
  ])('%s is valid', (parameters, expected) => {
    expect(ruleOf(rule(`  - { do: discord.send, with: ${parameters} }`)).then[0]?.with).toEqual(expected);
  });

  test('have exact positions in a text of several lines', () => {
    const diagnostics = diagnosticsOf(
      rule(
        '  - do: discord.send\n    with:\n      channel: live\n      content: |\n        Look: ${{ item.title }}\n\n          ${{ item.titel }}',
      ),
    );

    expect(diagnostics).toEqual(['10:20 error expression then[0].with.content']);
  });

  test.each([
    ['{ channel: a, content: b, mention: ▲Live }', 'expected a list, found "Live"', 'write [Live]'],
    ['{ channel: a, content: b, mention: ▲"Live, @Mods" }', 'expected a list, found "Live, @Mods"', 'write [Live, "@Mods"]'],
    ['{ channel: a, embed: { title: b, color: ▲9146ff } }', 'a color is six hexadecimal digits after #', 'write "#9146ff"'],
    ['{ channel: a, content: b, mention: "${{ ▲item.title }}" }', 'expected a list, found text', 'write ["${{ item.title }}"]'],
    [
      '{ channel: a, content: \'▲${{ r"\\" }}\' }',
      '${{ is not closed',
      'a backslash before quotes keeps them open, also in r"…": write "\\\\" for a backslash',
    ],
    ['{ rule: a, since: ▲yesterday }', 'is neither a timestamp nor a duration, as 7d', undefined],
  ])('have a hint with the correct form: %s', (parameters, message, hint) => {
    const verb = parameters.includes('since') ? 'history.getEpisodes' : 'discord.send';
    const { source, place } = unmark(rule(`  - { do: ${verb}, with: ${parameters} }`));

    const { diagnostics } = check(source);

    expect(diagnostics.map((diagnostic) => [`${diagnostic.line}:${diagnostic.column}`, diagnostic.message, diagnostic.hint])).toEqual([
      [place, message, hint],
    ]);
  });

  test.each([
    ['${{ vars.m }}', '.k'],
    ['It is ${{ vars.m }}', '.k'],
    ["${{ vars.m + 'a' }}", '.k'],
    ['${{ vars.outer }}', '.name'],
    ['${{ item.owner }}', '.displayName or .id'],
    ['Playing ${{ item.game }}', '.name or .id'],
    ["${{ item.game == 'Chess' ? 'a' : 'b' }}", '.name or .id'],
  ])('have a hint with a field of the record: %s', (content, field) => {
    const { diagnostics } = check(
      rule(`  - { do: discord.send, with: { channel: a, content: "${content}" } }`).replace(
        'then:',
        'vars: { m: { k: v }, outer: { m: { k: v }, list: [a], name: x } }\nthen:',
      ),
    );

    expect(diagnostics.map(({ hint }) => hint)).toEqual([`use a field of the object, for example ${field}`]);
  });

  test('have no hint if no field of the record fits into text', () => {
    const { diagnostics } = check(
      rule('  - { do: discord.send, with: { channel: a, content: "${{ vars.m }}" } }').replace(
        'then:',
        'vars: { m: { list: [a] } }\nthen:',
      ),
    );

    expect(diagnostics.map(({ message, hint }) => [message, hint])).toEqual([['expected text, found an object', undefined]]);
  });

  test('are reported once if a list is missing', () => {
    expect(diagnosticsOf(rule('  - { do: social.createPost, with: { text: a, files: x.png } }'))).toEqual([
      '4:54 error wrong-value then[0].with.files',
    ]);
  });

  test('have a hint about a heading of Markdown, which YAML takes for a comment', () => {
    const { diagnostics } = check(rule('  - do: discord.send\n    with:\n      channel: a\n      content: # Tonight'));

    expect(diagnostics).toMatchObject([{ line: 7, hint: '# starts a comment: write content: "# Tonight"' }]);
  });

  test('have a hint about # in the place of an element of a list', () => {
    const { diagnostics } = check(
      rule('  - do: discord.send\n    with:\n      channel: a\n      content: b\n      mention:\n        - #Mods'),
    );

    expect(diagnostics).toMatchObject([{ line: 9, message: 'expected text, found nothing', hint: '# starts a comment: write - "#Mods"' }]);
  });

  test('have a hint about quotes that YAML removes', () => {
    const { diagnostics } = check(rule('  - do: discord.send\n    with: { channel: live, content: "${{ item.tags.join(\\"\\n\\") }}" }'));

    expect(diagnostics[0]).toMatchObject({
      line: 5,
      message: 'text in quotes contains a line break',
      hint: expect.stringContaining('write \\\\n'),
    });
  });

  test('lose the line break at the end of a block', () => {
    const { then } = ruleOf(rule('  - do: discord.send\n    with:\n      channel: live\n      content: |\n        one\n        two\n'));

    expect(then[0]?.with['content']).toBe('one\ntwo');
  });
});

describe('the parameters of a watched operation', () => {
  function watching(parameters: string): string {
    return rule(CARD).replace('{ users: [ada] }', parameters);
  }

  test('may have expressions with fixed values only', () => {
    expect(ruleOf(watching('{ users: [ada, "${{ \'gra\' + \'ce\' }}"], pages: "${{ 1 + 1 }}" }')).watched?.with).toEqual({
      users: ['ada', 'grace'],
      pages: 2,
    });
    expect(diagnosticsOf(watching('{ users: ["${{ item.title }}"] }'))).toEqual(['2:70 error expression when.with.users[0]']);
  });

  test('are checked after evaluation', () => {
    expect(diagnosticsOf(watching('{ pages: "${{ 1 - 1 }}" }'))).toEqual(['2:64 error wrong-value when.with.pages']);
  });

  test.each(['waitTime: 5', 'cursor: abc'])('may not have %s', (parameter) => {
    expect(diagnosticsOf(watching(`{ users: [ada], ${parameter} }`))).toEqual([
      `2:71 error not-for-polls when.with.${parameter.split(':')[0]}`,
    ]);
  });

  test('keep a number as text if text is expected', () => {
    const source = 'id: r\nwhen: { every: 1m, watch: streaming.getGameStreams, with: { game: 2048, pages: 3 } }\nthen:\n' + CARD;

    expect(ruleOf(source).watched?.with).toEqual({ game: '2048', pages: 3 });
  });
});

describe('the steps of a rule', () => {
  test.each([
    ['  - { do: discord.send, with: { channel: a }, if: ▲item.title }', 'wrong-type then[0].if'],
    ['  - { id: ▲"null", do: discord.send, with: { channel: a } }', 'wrong-value then[0].id'],
    [`  - { do: discord.edit, with: { message: "\${{ ▲steps.card.id }}" } }\n${CARD}`, 'reads-later-step then[0].with.message'],
    [`${CARD}\n  - { do: discord.edit, with: { message: "\${{ steps.▲crad.id }}" } }`, 'expression then[1].with.message'],
  ])('%s', (steps, expected) => {
    expect(diagnosticsOf(rule(steps))).toContain(`▲ error ${expected}`);
  });

  test('while and finally can read the steps of then, but not those of each other', () => {
    const edit = (id: string): string => `\n  - { id: ${id}, do: discord.edit, with: { message: "\${{ steps.card.id }}", content: hi } }`;
    const peek = '\n  - { do: discord.edit, with: { message: "${{ steps.lasting.id }}", content: hi } }';

    expect(diagnosticsOf(rule(CARD, `while:${edit('lasting')}\nfinally:${edit('closing')}`))).toEqual([]);
    expect(diagnosticsOf(rule(CARD, `while:${edit('lasting')}\nfinally:${peek}`))).toEqual([
      '8:47 error reads-later-step finally[0].with.message',
    ]);
  });

  test('then, while and finally can read the results of earlier firings of then', () => {
    const edit = '{ do: discord.edit, with: { message: "${{ episode.steps.card.id }}", content: hi } }';
    const source = rule(`${CARD}\n  - ${edit}`, `while: [${edit}]\nfinally: [${edit}]`).replace(
      'when: {',
      'when: { changes: [entered, { changed: [title] }],',
    );

    expect(diagnosticsOf(source)).toEqual([]);
    expect([ruleOf(source).then[1]?.reads, ruleOf(source).finally[0]?.reads]).toEqual([['@card'], ['@card']]);
  });

  test.each([
    ['then', 'episode.steps.card.id', 'warning no-earlier-firing'],
    ['then', 'episode.steps.crad.id', 'error expression'],
    ['then', 'episode.steps', 'error expression'],
    ['then', 'episode.steps.many.size() > 0 ? "a" : "b"', 'error earlier-list'],
    ['finally', 'episode.steps.lasting.id', 'error not-of-then'],
  ])('a step of %s cannot read %s', (section, source, expected) => {
    const lasting = 'while: [{ id: lasting, do: discord.put, with: { channel: a, name: n, content: hi } }]';
    const many = '  - { id: many, forEach: items, do: discord.send, with: { channel: a, content: hi } }';
    const read = `{ do: discord.edit, with: { message: '\${{ ${source} }}', content: hi } }`;
    const text =
      section === 'then' ? rule(`${CARD}\n${many}\n  - ${read}`, lasting) : rule(`${CARD}\n${many}`, `${lasting}\n${section}: [${read}]`);

    expect(diagnosticsOf(text).join()).toContain(` ${expected} ${section}[`);
  });

  test('any reading operation may be a step in any section', () => {
    const { names, while: lasting } = ruleOf(
      rule(
        CARD,
        'while:\n  - { id: who, do: streaming.getUser, with: { user: "${{ item.owner.id }}" } }\n  - { do: discord.edit, if: steps.who.verified != "none", with: { message: "${{ steps.card.id }}", content: "${{ steps.who.bio }}" } }',
      ),
    );

    expect(names.steps).toEqual({ card: 'discord.send', who: 'streaming.getUser' });
    expect(lasting.map(({ reads }) => reads)).toEqual([[], ['who', 'card']]);
  });

  test('steps that create something are known', () => {
    const { then: steps } = ruleOf(
      rule(`${CARD}\n  - { do: social.deletePost, with: { post: x } }\n  - { do: streaming.getUser, with: { user: x } }`),
    );

    expect(steps.map(({ creates }) => creates)).toEqual([true, false, false]);
  });

  test.each([
    ['items.size() > 3', true],
    ['changes.left.size() > 0', true],
    ['item.rank < 3', false],
  ])('a read of the whole list is known: %s', (condition, readsList) => {
    expect(ruleOf(rule(`  - { do: discord.send, if: ${condition}, with: { channel: a, content: hi } }`)).readsList).toBe(readsList);
  });
});

describe('the accounts of a rule', () => {
  const post = (as: string): string => rule(`  - { do: social.createPost, with: { text: hi }${as} }`);

  test.each([
    ['', ['bluesky', 'mastodon']],
    [', as: mastodon', ['mastodon']],
    [', as: [mastodon, bluesky]', ['mastodon', 'bluesky']],
  ])('%j are %j', (as, expected) => {
    expect(ruleOf(post(as)).then[0]?.as).toEqual(expected);
  });

  test.each([
    [', as: ▲mastdon', 'unknown-account then[0].as'],
    [', as: [bluesky, ▲x]', 'unknown-account then[0].as[1]'],
    [', as: [bluesky, ▲bluesky]', 'duplicate-account then[0].as[1]'],
    [', as: ▲[]', 'wrong-value then[0].as'],
    [', as: ▲discord', 'unknown-account then[0].as'],
  ])('%j: %s', (as, expected) => {
    expect(diagnosticsOf(post(as))).toEqual([`▲ error ${expected}`]);
  });

  test('are required if several accounts fit', () => {
    const several = { ...accounts, social: { all: ['bluesky', 'mastodon'], defaults: [] } };

    expect(diagnosticsOf(post(''), { accounts: several })).toEqual(['4:5 error several-accounts then[0].as']);
  });

  test('are required if a rule would read with several accounts', () => {
    const several = { ...accounts, streaming: { all: ['twitch', 'kick'], defaults: ['twitch', 'kick'] } };

    expect(diagnosticsOf(post(''), { accounts: several })).toEqual(['2:7 error several-accounts when.account']);
  });

  test('are required if none is connected', () => {
    expect(diagnosticsOf(post(''), { accounts: {} })).toEqual(['2:7 error no-account when.account', '4:5 error no-account then[0].as']);
  });

  test.each([
    ['enabled: false', undefined],
    ['enabled: sandbox', (rule: { readonly enabled: unknown }) => rule.enabled === true],
  ])('are optional with a warning if the rule is off: %s', (enabled, isOn) => {
    const { rules, diagnostics } = check(`${enabled}\n${post('')}`, { accounts: {}, isOn });

    expect(diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'warning no account supports streaming.getStreams',
      'warning no account supports social.createPost',
    ]);
    expect(rules.map((one) => [one.watched?.accounts, one.then[0]?.as])).toEqual([[['streaming'], ['social']]]);
  });

  test('are required if a rule for the sandbox is on', () => {
    const { rules, diagnostics } = check(`enabled: sandbox\n${post('')}`, { accounts: {}, isOn: () => true });

    expect(diagnostics.map(({ severity }) => severity)).toEqual(['error', 'error']);
    expect(rules).toEqual([]);
  });

  test('keep unconnected names if the rule is off', () => {
    const { rules, diagnostics } = check(`enabled: false\n${post(', as: [bluesky, x]')}`);

    expect(diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toEqual(['warning there is no account x']);
    expect(rules[0]?.then[0]?.as).toEqual(['bluesky', 'x']);
  });

  test('have no inherited names', () => {
    expect(diagnosticsOf(post(', as: ▲constructor'))).toEqual([`▲ error unknown-account then[0].as`]);
  });
});
