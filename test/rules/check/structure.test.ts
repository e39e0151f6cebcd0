import { describe, expect, test } from 'vitest';
import { check, diagnosticsOf, ruleOf } from '../../support/rule-language.ts';

const STEP = '\nthen:\n  - { do: discord.send, with: { channel: live, content: hi } }\n';

/** A rule that is right but for `lines`, which stand from line 3 on. */
function rule(lines: string): string {
  return `id: r\nwhen: { every: 1m }\n${lines}${STEP}`;
}

/** A rule that is right but for what stands in its `when`, from line 3 on. */
function watching(lines: string): string {
  return `id: r\nwhen:\n${lines.replace(/^/gmu, '  ')}\n  watch: streaming.getStreams\n  with: { users: [ada] }${STEP}`;
}

describe('the keys of a rule', () => {
  test.each([
    ['abuot: x', '3:1 error abuot: unknown key: abuot'],
    ['about: [x]', '3:8 error about: text is wanted here, not a list'],
    ['about: true', '3:8 error about: text is wanted here, not true'],
    ['enabled: maybe', '3:10 error enabled: true or false or sandbox is wanted here, not "maybe"'],
    ['if: 5', '3:5 error if: true or false is wanted here, not a whole number'],
    ['cooldown: 6', '3:11 error cooldown: this is no length of time: write it as 90s, 1h30m or 7d'],
    ['cooldown: { for: 6h, per: user }', '3:27 error cooldown.per: item or rule is wanted here, not "user"'],
    ['cooldown: { per: rule }', '3:11 error cooldown.for: for is missing'],
    ['cooldown: { for: 6h, per: item }', '3:27 error cooldown.per: per: item needs watch: without it there are no items'],
    ['cooldown: 999999w', '3:11 error cooldown: this is longer than ten years'],
    ['while: []', '3:1 error while: while needs watch: without it there are no episodes'],
    ['quiet: { from: "23:00", to: "08:00" }', '3:8 error quiet.then: then is missing'],
  ])('%s', (lines, expected) => {
    expect(diagnosticsOf(rule(lines))).toEqual([expected]);
  });

  test.each([
    ['when: { every: 1m }\nthen:\n  - { do: discord.send, with: { channel: a } }', '1:1 error id: id is missing'],
    [
      'id: Big\nwhen: { every: 1m }\nthen:\n  - { do: discord.send, with: { channel: a } }',
      '1:5 error id: an id is made of 1 to 64 small letters, digits and -',
    ],
    ['id: r\nwhen: { every: 1m }', '1:1 error then: then is missing'],
    ['id: r\nwhen: { every: 1m }\nthen: []', '3:7 error then: a list of at least 1 is wanted here, not an empty list'],
    ['id: r\nwhen: { every: 1m }\nthen: hello', '3:7 error then: a list is wanted here, not "hello"'],
    ['id: r\nwhen: { every: 1m }\nthen:\n  - hello', '4:5 error then[0]: a map is wanted here, not "hello"'],
    ['id: r\nwhen: daily\nthen:\n  - { do: discord.send, with: { channel: a } }', '2:7 error when: a map is wanted here, not "daily"'],
    ['- id: r', '1:1 error : a map is wanted here, not a list'],
    ['hello', '1:1 error : a map is wanted here, not "hello"'],
  ])('%j', (source, expected) => {
    expect(diagnosticsOf(source)).toContain(expected);
  });

  test('say which key was probably meant, and where quotes would help', () => {
    const { diagnostics } = check(rule('coldown: 6h\nabout: true'));

    expect(diagnostics.map(({ hint }) => hint)).toEqual(['did you mean cooldown?', 'put quotes around it: "true"']);
  });

  test.each([
    ['about: #general', 'text is wanted here, not nothing', '# begins a comment: write about: "#general"'],
    ['about: # later', 'text is wanted here, not nothing', undefined],
    ['about: |\n  #general\nif: 5', 'true or false is wanted here, not a whole number', undefined],
    ['cooldown: 10 Minutes', 'this is no length of time: write it as 90s, 1h30m or 7d', 'write 10m'],
    ['cooldown: 1 hour 30 min', 'this is no length of time: write it as 90s, 1h30m or 7d', 'write 1h30m'],
    ['cooldown: often', 'this is no length of time: write it as 90s, 1h30m or 7d', undefined],
    ['cooldown: 6', 'this is no length of time: write it as 90s, 1h30m or 7d', 'write 6s, 6m or 6h'],
  ])('say what to write: %j', (lines, message, hint) => {
    expect(check(rule(lines)).diagnostics.map((diagnostic) => [diagnostic.message, diagnostic.hint])).toEqual([[message, hint]]);
  });

  test('say of a tab that it is one, and nothing of the key above it, to which they belong', () => {
    const { diagnostics } = check('id: r\nwhen:\n\n\tevery: 1m\n\twatch: streaming.getStreams\nthen:\n  - do: discord.send\n');

    expect(diagnostics.filter(({ line }) => line < 6).map(({ line, message }) => [line, message])).toEqual([
      [4, 'a tab cannot indent: use spaces'],
      [5, 'a tab cannot indent: use spaces'],
    ]);
  });

  test.each([
    ['id: Moved Rule!', 'write moved-rule'],
    ['id: ÄÖ', undefined],
    [`id: ${'x'.repeat(65)}`, undefined],
  ])('say which id would do: %s', (id, hint) => {
    const { diagnostics } = check(rule('').replace('id: r', id));

    expect(diagnostics.map((diagnostic) => diagnostic.hint)).toEqual([hint]);
  });

  test('of one step alone are told to begin it with a dash', () => {
    const { diagnostics } = check('id: r\nwhen: { every: 1h }\nthen:\n  do: discord.send\n  with: { channel: a, content: b }');

    expect(diagnostics).toMatchObject([
      { line: 4, message: 'a list is wanted here, not a map', hint: 'begin it with - , or put [ ] around it' },
    ]);
    expect(diagnostics).toHaveLength(1);
  });

  test('are not missed where they are misspelt', () => {
    expect(diagnosticsOf(rule('quiet: { form: "23:00", to: "08:00", then: hold }'))).toEqual(['3:10 error quiet.form: unknown key: form']);
  });

  test('come with the line as it is written', () => {
    const { diagnostics } = check(rule('abuot:   x   # why'));

    expect(diagnostics).toMatchObject([{ file: 'rules/x.yaml', line: 3, column: 1, excerpt: 'abuot:   x   # why' }]);
  });

  test('a number is text where text is wanted', () => {
    expect(ruleOf(rule('about: 007').replace('id: r', 'id: 2048'))).toMatchObject({ id: '2048', about: '007' });
  });
});

describe('the keys of when', () => {
  test.each([
    ['every: 1m\nevry: 1m', '4:3 error when.evry: unknown key: evry'],
    ['every: 1', '3:10 error when.every: this is no length of time: write it as 90s, 1h30m or 7d'],
    ['every: 4s', '3:10 error when.every: this is more often than every five seconds'],
    ['every: 1m\ncron: "* * * * *"', '4:3 error when.cron: every and cron exclude each other'],
    ['missed: once', '3:3 error when: when needs every, cron or at'],
    ['cron: "0 0 30 2 *"', '3:9 error when.cron: this never comes'],
    ['cron: "@daily"', '3:9 error when.cron: @daily is no cron expression here'],
    ['cron: "* * * * *"\ntimezone: Europe/Pariss', '4:13 error when.timezone: there is no time zone Europe/Pariss'],
    ['every: 1m\nmissed: never', '4:11 error when.missed: skip, once or all is wanted here, not "never"'],
    ['every: 1m\nmissed: all', '4:11 error when.missed: missed: all cannot be combined with watch: a past list cannot be read now'],
    ['every: 1m\ntake: 0\nsettle: 1m', '4:9 error when.take: at least 1 is wanted here, not 0'],
    ['every: 1m\ntake: 1.5\nsettle: 1m', '4:9 error when.take: a whole number is wanted here, not 1.5'],
    ['every: 1m\nchanges: entered', '4:12 error when.changes: a list is wanted here, not "entered"'],
    ['every: 1m\nchanges: [entered, moved]', '4:12 warning when.changes: moved fires for each item: one overtake moves two items'],
    ['every: 1m\nconfirm: 0', '4:12 error when.confirm: at least 1 is wanted here, not 0'],
    ['every: 1m\nconfirm: { gone: 0 }', '4:20 error when.confirm.gone: at least 1 is wanted here, not 0'],
    ['every: 1m\nconfirm: often', '4:12 error when.confirm: a number or a map is wanted here, not "often"'],
    ['every: 1m\nfirst: loud', '4:10 error when.first: silent or fire is wanted here, not "loud"'],
    ['every: 1m\nper: week', '4:8 error when.per: item, poll or slot is wanted here, not "week"'],
    ['every: 1m\nwhere: item.titel == ""', '4:15 error when.where: item has no titel'],
    ['every: 1m\nwhere: >-\n  item.viewerCount > 5\n  && item.titel == ""', '6:13 error when.where: item has no titel'],
    ['every: 1m\nwhere: item.rank < 5', '4:15 error when.where: item has no rank'],
    ['every: 1m\nwhere: steps.x.id == ""', '4:10 error when.where: there is no steps here'],
    ['every: 1m\nkey: item.owner', '4:8 error when.key: text or a whole number is wanted here, not a record'],
    ['every: 1m\naccount: twich', '4:12 error when.account: no account twich can do streaming.getStreams'],
  ])('%j', (lines, expected) => {
    expect(diagnosticsOf(watching(lines))).toEqual([expected]);
  });

  test.each(['with', 'account', 'where', 'take', 'key', 'changes', 'confirm', 'settle', 'grace', 'first'])(
    '%s says nothing without watch',
    (key) => {
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
        `▲ error when.${key}: ${key} needs watch: there is nothing that it could be about`,
      ]);
    },
  );

  test.each([
    ['streaming.getStream', 'streaming.getStream is no operation'],
    ['social.getUserId', 'social.getUserId answers once and for all: there is nothing to watch'],
    ['discord.send', 'discord.send writes: it cannot be watched'],
    ['getStreams', 'an operation is named as streaming.getStreams'],
  ])('%s cannot be watched', (verb, message) => {
    const diagnostics = diagnosticsOf(`id: r\nwhen: { every: 1m, watch: ${verb} }${STEP}`);

    expect(diagnostics).toEqual([`2:27 error when.watch: ${message}`]);
  });

  test('an operation that is not known does not make its records unknown, too', () => {
    const diagnostics = diagnosticsOf(`id: r\nwhen: { every: 1m, watch: streaming.getSteams, where: item.anything > 5 }${STEP}`);

    expect(diagnostics).toEqual(['2:27 error when.watch: streaming.getSteams is no operation']);
  });
});

describe('a list in when', () => {
  test.each([
    ['every: 1m\nchanges: entred', 'write [entered]'],
    ['every: 1m\nchanges: [{ changed: title }]', 'write [title]'],
    ['every: 1m\nchanges: [{ changed: "a b" }]', 'write ["a b"]'],
    ['every: 1m\nchanges: { moved: up }', 'begin it with - , or put [ ] around it'],
    ['every: 3s', 'write 5s or more'],
  ])('that is none is told what to write: %j', (lines, hint) => {
    expect(check(watching(lines)).diagnostics.map((diagnostic) => diagnostic.hint)).toEqual([hint]);
  });
});

describe('all errors of a file', () => {
  test('are named at once, those of what a step reads and of quiet hours, too', () => {
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

  test('are named, and nothing is said of what could not be read', () => {
    const step = (text: string): string =>
      `id: r\nwhen: { every: 1h }\nthen:\n  - do: discord.send\n    with:\n      channel: a\n      content: ${text}`;

    expect(diagnosticsOf(step('**${{ rule.id }}** is live'))).toEqual(['7:16 error : * at the beginning means something else in YAML']);
    expect(diagnosticsOf('id: r\nwhen: { every: 1h }\nthen:\n  - wait: 1h\n    - do: discord.send')).toEqual([
      '5:5 error : the line does not begin where it should',
    ]);
  });

  test('are named at once, in its order', () => {
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

  test('before a place where the file breaks off are named, and none behind it', () => {
    const diagnostics = diagnosticsOf('id: Bad Id\nwhen: { every: 1m }\nthen: [\nabuot: x\nwhile: 5');

    expect(diagnostics.map((diagnostic) => diagnostic.split(' ')[0])).toEqual(['1:5', '3:7']);
  });
});
