import { describe, expect, test } from 'vitest';
import { check, diagnosticsOf, hintsOf, ruleOf, unmark } from '../../support/rule-language.ts';

const STEP = '\nthen:\n  - { do: discord.send, with: { channel: live, content: hi } }\n';

/** A valid rule with `lines` from line 3 on. */
function rule(lines: string): string {
  return `id: r\nwhen: { every: 1m }\n${lines}${STEP}`;
}

/** A valid rule with `lines` in its `when`, from line 3 on. */
function watching(lines: string): string {
  return `id: r\nwhen:\n${lines.replace(/^/gmu, '  ')}\n  watch: streaming.getStreams\n  with: { users: [ada] }${STEP}`;
}

describe('the keys of a rule', () => {
  test.each([
    ['about: true', '3:8 error wrong-value about'],
    ['enabled: maybe', '3:10 error wrong-value enabled'],
    ['cooldown: 6', '3:11 error wrong-value cooldown'],
    ['cooldown: { for: 6h, per: user }', '3:27 error wrong-value cooldown.per'],
    ['quiet: { from: "23:00", to: "08:00" }', '3:8 error missing-key quiet.then'],
  ])('%s', (lines, expected) => {
    expect(diagnosticsOf(rule(lines))).toEqual([expected]);
  });

  test.each([
    ['when: { every: 1m }\nthen:\n  - { do: discord.send, with: { channel: a } }', '1:1 error missing-key id'],
    ['id: r\nwhen: { every: 1m }', '1:1 error missing-key then'],
    ['id: r\nwhen: { every: 1m }\nthen: []', '3:7 error wrong-value then'],
    ['id: r\nwhen: { every: 1m }\nthen: hello', '3:7 error wrong-value then'],
    ['id: r\nwhen: { every: 1m }\nthen:\n  - hello', '4:5 error wrong-value then[0]'],
    ['id: r\nwhen: daily\nthen:\n  - { do: discord.send, with: { channel: a } }', '2:7 error wrong-value when'],
    ['- id: r', '1:1 error wrong-value'],
    ['hello', '1:1 error wrong-value'],
  ])('%j', (source, expected) => {
    expect(diagnosticsOf(source)).toContain(expected);
  });

  test('have hints about the intended key and about quotes', () => {
    expect(hintsOf(rule('coldown: 6h\nabout: true'))).toEqual(['did you mean cooldown?', 'put quotes around it: "true"']);
  });

  test.each([
    ['about: #general', '# starts a comment: write about: "#general"'],
    ['about: # later', undefined],
    ['about: |\n  #general\nif: 5', undefined],
    ['cooldown: 10 Minutes', 'write 10m'],
    ['cooldown: 1 hour 30 min', 'write 1h30m'],
    ['cooldown: often', undefined],
    ['cooldown: 6', 'write 6s, 6m or 6h'],
  ])('have a hint with the correct form: %j', (lines, hint) => {
    expect(hintsOf(rule(lines))).toEqual([hint]);
  });

  test('report a tab, and not the key above it', () => {
    const { diagnostics } = check('id: r\nwhen:\n\n\tevery: 1m\n\twatch: streaming.getStreams\nthen:\n  - do: discord.send\n');

    expect(diagnostics.filter(({ line }) => line < 6).map(({ line, message }) => [line, message])).toEqual([
      [4, 'the line is indented with a tab'],
      [5, 'the line is indented with a tab'],
    ]);
  });

  test.each([
    ['id: Moved Rule!', 'write moved-rule'],
    ['id: ÄÖ', undefined],
    [`id: ${'x'.repeat(65)}`, undefined],
  ])('have a hint with a valid id: %s', (id, hint) => {
    expect(hintsOf(rule('').replace('id: r', id))).toEqual([hint]);
  });

  test.each([
    ['do', 'start it with - , or put [ ] around it'],
    ['-do', 'write a space after the dash: - do'],
  ])('have a hint about the dash of a single step: %s', (key, hint) => {
    const { diagnostics } = check(`id: r\nwhen: { every: 1h }\nthen:\n  ${key}: discord.send\n  with: { channel: a, content: b }`);

    expect(diagnostics).toMatchObject([{ line: 4, message: 'expected a list, found a map', hint }]);
    expect(diagnostics).toHaveLength(1);
  });

  test('are not reported as missing if they are misspelled', () => {
    expect(diagnosticsOf(rule('quiet: { form: "23:00", to: "08:00", then: hold }'))).toEqual(['3:10 error unknown-key quiet.form']);
  });

  test('have the line of the file in their diagnostics', () => {
    const { diagnostics } = check(rule('abuot:   x   # why'));

    expect(diagnostics).toMatchObject([{ file: 'rules/x.yaml', line: 3, column: 1, excerpt: 'abuot:   x   # why' }]);
  });

  test('a number is text if text is expected', () => {
    expect(ruleOf(rule('about: 007').replace('id: r', 'id: 2048'))).toMatchObject({ id: '2048', about: '007' });
  });
});

describe('the keys of when', () => {
  test.each([
    ['every: 1m\nevry: 1m', '4:3 error unknown-key when.evry'],
    ['every: 1', '3:10 error wrong-value when.every'],
    ['every: 1m\ncron: "* * * * *"', '4:3 error two-schedules when.cron'],
    ['cron: "@daily"', '3:9 error cron when.cron'],
    ['every: 1m\nmissed: never', '4:11 error wrong-value when.missed'],
    ['every: 1m\ntake: 0\nsettle: 1m', '4:9 error wrong-value when.take'],
    ['every: 1m\ntake: 1.5\nsettle: 1m', '4:9 error wrong-value when.take'],
    ['every: 1m\nchanges: entered', '4:12 error wrong-value when.changes'],
    ['every: 1m\nconfirm: 0', '4:12 error wrong-value when.confirm'],
    ['every: 1m\nconfirm: { gone: 0 }', '4:20 error wrong-value when.confirm.gone'],
    ['every: 1m\nconfirm: often', '4:12 error wrong-value when.confirm'],
    ['every: 1m\nfirst: loud', '4:10 error wrong-value when.first'],
    ['every: 1m\nper: week', '4:8 error wrong-value when.per'],
    ['every: 1m\nwhere: item.titel == ""', '4:15 error expression when.where'],
    ['every: 1m\nwhere: >-\n  item.viewerCount > 5\n  && item.titel == ""', '6:13 error expression when.where'],
    ['every: 1m\nwhere: item.rank < 5', '4:15 error expression when.where'],
    ['every: 1m\nwhere: steps.x.id == ""', '4:10 error expression when.where'],
  ])('%j', (lines, expected) => {
    expect(diagnosticsOf(watching(lines))).toEqual([expected]);
  });

  test.each(['with', 'account', 'where', 'take', 'key', 'changes', 'confirm', 'settle', 'grace', 'first'])('%s needs watch', (key) => {
    const values: Record<string, string> = {
      with: '{}',
      take: '3',
      changes: '[left]',
      confirm: '1',
      settle: '1m',
      grace: '1m',
      first: 'fire',
    };

    expect(diagnosticsOf(rule('').replace('every: 1m', `every: 1m, ▲${key}: ${values[key] ?? '"true"'}`))).toEqual([
      `▲ error key-without-watch when.${key}`,
    ]);
  });

  test.each([
    ['a schedule', 'when: { ▲evry: 1m, watch: streaming.getStreams, with: { users: [ada] } }', 'when.evry'],
    ['watch', 'when: { every: 1m, ▲wach: streaming.getStreams, with: { users: [ada] }, take: 3, settle: 1m }\nfinally: []', 'when.wach'],
    ['watch of another tool', 'when: { every: 1m, ▲platform: twitch, grace: 2m }\nwhile: []', 'when.platform'],
  ])('a misspelled key is one error: %s', (_, lines, path) => {
    expect(diagnosticsOf(`id: r\n${lines}${STEP}`)).toEqual([`▲ error unknown-key ${path}`]);
  });

  test('an unknown operation does not make its records unknown', () => {
    const diagnostics = diagnosticsOf(`id: r\nwhen: { every: 1m, watch: streaming.getSteams, where: item.anything > 5 }${STEP}`);

    expect(diagnostics).toEqual(['2:27 error unknown-operation when.watch']);
  });
});

describe('a list in when', () => {
  test.each([
    ['every: 1m\nchanges: entred', 'write [entered]'],
    ['every: 1m\nchanges: [{ changed: title }]', 'write [title]'],
    ['every: 1m\nchanges: [{ changed: "a b" }]', 'write ["a b"]'],
    ['every: 1m\nchanges: { moved: up }', 'start it with - , or put [ ] around it'],
    ['every: 3s', 'write 5s or more'],
  ])('that is no list gets a hint: %j', (lines, hint) => {
    expect(hintsOf(watching(lines))).toEqual([hint]);
  });
});

describe('all errors of a file', () => {
  test('are reported at once, including reads of results and quiet hours', () => {
    const diagnostics = diagnosticsOf(
      [
        'id: r',
        'vars: { pages: 1.5 }',
        'when: { every: 1h, watch: streaming.getGameStreams, with: { game: Chess, pages: "${{ vars.pages }}" }, changes: [{ changed: [title], rose: { field: rank, above: 3 } }] }',
        'quiet: { from: 23:00, to: 23:00, then: digest }',
        'then:',
        '  - do: discord.send',
        '    with: { channel: a, content: "${{ rule.nam }} ${{ steps.later.id }}" }',
        '  - do: discord.sned',
        '    if: steps.later.id != ""',
        '    with: { channel: a, content: "${{ rule.nam }}" }',
        '  - { id: later, do: discord.send, with: { channel: a, content: b } }',
      ].join('\n'),
    );

    expect(diagnostics.map((diagnostic) => diagnostic.split(' ')[0])).toEqual([
      '3:86',
      '3:114',
      '4:27',
      '4:40',
      '7:44',
      '7:55',
      '8:9',
      '9:9',
      '10:44',
    ]);
  });

  test('are reported, without follow-up errors of unreadable lines', () => {
    const step = (text: string): string =>
      `id: r\nwhen: { every: 1h }\nthen:\n  - do: discord.send\n    with:\n      channel: a\n      content: ${text}`;

    expect(diagnosticsOf(step('**${{ rule.id }}** is live'))).toEqual(['7:16 error misread-text']);
    expect(diagnosticsOf('id: r\nwhen: { every: 1h }\nthen:\n  - wait: 1h\n    - do: discord.send')).toEqual(['5:5 error indentation']);
  });

  test('are reported at once, in order', () => {
    const diagnostics = diagnosticsOf(
      [
        'id: Bad Id',
        'when:',
        '  every: 5',
        '  watch: streaming.getGameStreams',
        '  with: { gaem: 2048, game: x, pages: alll }',
        '  where: item.titel == ""',
        'if: !x',
        'then:',
        '  - do: social.createPots',
        '  - do: social.createPost',
        '    with: { text: "${{ item.nope }} ${{ 1 + }}" }',
        '    wiht: 1',
        '  - do: discord.send',
        '    with: { text: @x }',
        '    as: nobody',
        'then: []',
      ].join('\n'),
    );

    expect(diagnostics.map((diagnostic) => diagnostic.split(' ')[0])).toEqual([
      '1:5',
      '3:10',
      '5:11',
      '5:39',
      '6:15',
      '7:5',
      '9:9',
      '11:29',
      '11:43',
      '12:5',
      '14:19',
      '15:9',
      '16:1',
    ]);
  });

  test('are reported up to the place where the file breaks off', () => {
    const diagnostics = diagnosticsOf('id: Bad Id\nwhen: { every: 1m }\nthen: [\nabuot: x\nwhile: 5');

    expect(diagnostics.map((diagnostic) => diagnostic.split(' ')[0])).toEqual(['1:5', '3:7']);
  });
});

test('a then inside when is reported once, also with expressions on the item', () => {
  const step = '{ do: discord.send, with: { channel: live, content: "${{ item.url }}" } }';
  const source = `id: r\nwhen:\n  every: 1m\n  watch: streaming.getStreams\n  with: { users: [ada] }\n  then:\n    - ${step}`;

  expect(diagnosticsOf(source)).toEqual(['1:1 error missing-key then', '6:3 error unknown-key when.then']);
});

const SEND = 'id: r\nthen:\n- do: discord.send\n  with: { channel: live,';

describe('a mistake of a beginner', () => {
  test.each([
    ['unindented keys of when', 'id: r\nwhen:\n▲watch: streaming.getStreams', 'watch belongs in when: check its indentation'],
    ['unindented keys of when and of a step', 'id: r\nwhen:\n▲every: 1m', 'every belongs in when or a step: check its indentation'],
    ['unindented keys of a step', 'id: r\nthen:\n- do: discord.send\n▲with: {}', 'with belongs in when or a step: check its indentation'],
    ['then in when', 'id: r\nwhen:\n  every: 1m\n  ▲then: []', 'then belongs beside when, not in it: write it at the start of the line'],
    ['an empty map', 'id: r\nwhen:▲', 'write its keys on the next lines, and indent them'],
    [
      'a text in place of when',
      'id: r\nwhen: ▲every 5m',
      'write a map with keys, for example every, cron, at, timezone, missed, maxAge, watch, with, …',
    ],
    ['a text in place of a list of steps', 'id: r\nthen: ▲discord.send', 'write a list: start each element with - '],
    [
      'a word in place of a number',
      'id: r\nwhen: { every: 1m, watch: streaming.getStreams, take: ▲five }',
      'write a number without quotes, as 5',
    ],
    ['the name of a color', `${SEND} embed: { title: x, color: ▲red } }`, 'write for example "#9146ff", with the quotes'],
    ['a short color', `${SEND} embed: { title: x, color: ▲"#f0f" } }`, 'write "#ff00ff"'],
    [
      'a color behind a #',
      `${SEND.replace('{ channel: live,', '')}\n    channel: live\n    embed:\n      title: x\n      color: ▲#9146ff`,
      '# starts a comment: write color: "#9146ff"',
    ],
    ['a file in place of an address', `${SEND} files: [▲card.png] }`, 'write { path: "card.png" } for a file of this machine'],
    ['a list of rules', '▲- id: r\n  when: { every: 1m }', 'write one rule in each file, without - before its keys'],
    ['a quoted false', 'id: r\nenabled: ▲"False"', 'write false without quotes'],
    ['yes in place of true', 'id: r\nenabled: ▲yes', 'did you mean true?'],
    ['an operation in place of do', 'id: r\nthen:\n  - ▲discord.send: {}', 'write do: discord.send, and with: with the parameters'],
    [
      'the result of an unknown step',
      `id: r\nthen: [{ do: discord.send, with: { channel: a, content: "\${{ steps.▲card.id }}" } }]`,
      'no step has an id: add id: card to the step',
    ],
    ['an open quote', 'id: r\nabout: ▲"Top streams', 'add the closing quote'],
    ['two keys of one name', 'id: r\n▲id: q', 'remove one of them'],
  ])('%s gets a hint at its place', (_, marked, hint) => {
    const { source, place } = unmark(marked);

    expect(check(source).diagnostics.map((one) => [`${one.line}:${one.column}`, one.hint])).toContainEqual([place, hint]);
  });
});
