import { fc } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { ada, check, diagnosticsOf, unmark } from '../../support/rule-language.ts';
import { valueOf } from '../expression/fixture.ts';

interface Parts {
  readonly when?: string;
  readonly top?: string;
  readonly steps?: string;
}

const SEND = 'do: discord.send, with: { channel: live, content: hi }';

/** A rule that watches streams of more than a hundred viewers. */
function rule({ when = 'where: item.viewerCount > 100', top = '', steps = `- { ${SEND} }` }: Parts): string {
  const watch = 'every: 1m, watch: streaming.getStreams, with: { users: [ada] }';
  return `id: r\nwhen: { ${watch}${when === '' ? '' : `, ${when}`} }\n${top}\nthen:\n  ${steps}\n`;
}

function warningsOf(source: string): readonly unknown[] {
  return check(source).diagnostics.map(({ line, column, severity, path, message, hint }) => [
    `${line}:${column} ${severity} ${path}`,
    message,
    hint,
  ]);
}

describe('a clause that contradicts where', () => {
  const WHY = 'this is never true, because where requires item.viewerCount > 100';

  test.each<[string, Parts, string, string]>([
    ['of the rule', { top: 'if: ▲item.viewerCount < 50' }, 'if', WHY],
    ['of a step', { steps: `- { if: ▲item.viewerCount < 50, ${SEND} }` }, 'then[0].if', WHY],
    ['of a step for each', { steps: `- { if: it != "a" && ▲item.viewerCount == 7, forEach: item.tags, ${SEND} }` }, 'then[0].if', WHY],
    ['beside others', { top: 'if: item.title != "" && ▲50 >= item.viewerCount' }, 'if', WHY],
    ['one of several', { top: 'if: item.title != "" || ▲item.viewerCount < 50' }, 'if', WHY],
    [
      'several clauses in where',
      { when: `where: item.language == 'en' && item.viewerCount > 5`, top: 'if: ▲item.language == "fr"' },
      'if',
      "this is never true, because where requires item.language == 'en'",
    ],
  ])('is reported: %s', (_, parts, path, why) => {
    const { source, place } = unmark(rule(parts));

    expect(warningsOf(source)).toEqual([[`${place} warning ${path}`, why, undefined]]);
  });

  test.each<[string, Parts]>([
    ['a clause that can be true', { top: 'if: item.viewerCount < 500' }],
    ['another field', { top: 'if: episode.lengthMs < 50' }],
    ['the previous item', { top: 'if: previous.viewerCount < 50' }],
    ['an alternative in where', { when: 'where: item.viewerCount > 100 || item.title == ""', top: 'if: item.viewerCount < 50' }],
    ['a negation in where', { when: 'where: "!(item.viewerCount > 100)"', top: 'if: item.viewerCount < 50' }],
    ['another item of the list', { top: 'if: items.exists(item, item.viewerCount < 50)' }],
    [
      'an item that no longer fits left',
      { when: 'where: item.viewerCount > 100, changes: [entered, left]', top: 'if: item.viewerCount < 50 && change.kind == "left"' },
    ],
    ['a step behind a wait', { steps: `- wait: 1h\n  - { if: item.viewerCount < 50, ${SEND} }` }],
    [
      'steps of the later sections',
      {
        top: `while:\n  - { if: item.viewerCount < 50, do: discord.edit, with: { message: "\${{ steps.card.id }}", content: hi } }\nfinally:\n  - { if: item.viewerCount < 50, ${SEND} }`,
        steps: `- { id: card, ${SEND} }`,
      },
    ],
  ])('is not reported if it can be true: %s', (_, parts) => {
    expect(diagnosticsOf(rule(parts))).toEqual([]);
  });

  test('is reported once if the condition also contradicts itself', () => {
    const { source, place } = unmark(rule({ top: 'if: item.viewerCount > 200 && ▲item.viewerCount < 50' }));

    expect(warningsOf(source)).toEqual([[`${place} warning if`, 'this is never true together with item.viewerCount > 200', undefined]]);
  });
});

describe('a kind of change that never fires', () => {
  test.each<[string, Parts, string, string, string]>([
    ['of the rule', { when: '', top: 'if: ▲change.kind == "left"' }, 'if', 'the rule fires only for entered', 'add left to changes'],
    [
      'of a step',
      { when: 'changes: [entered, { rose: { field: viewerCount, above: 5 } }]', steps: `- { if: ▲change.kind == "left", ${SEND} }` },
      'then[0].if',
      'the rule fires only for entered and rose',
      'add left to changes',
    ],
    [
      'mirrored, in an alternative',
      { when: '', top: `if: item.title == "" || ▲'moved' == change.kind` },
      'if',
      'the rule fires only for entered',
      'add moved to changes',
    ],
    [
      'a misspelled kind',
      { when: '', top: 'if: ▲change.kind == "entred"' },
      'if',
      'the rule fires only for entered',
      'did you mean entered?',
    ],
    [
      'an unknown kind',
      { when: '', top: 'if: ▲change.kind == "online"' },
      'if',
      'the rule fires only for entered',
      'available: entered, left, moved, changed, rose, fell',
    ],
  ])('is reported: %s', (_, parts, path, why, hint) => {
    const { source, place } = unmark(rule(parts));

    expect(warningsOf(source)).toEqual([[`${place} warning ${path}`, `this is never true, because ${why}`, hint]]);
  });

  test.each<[string, Parts]>([
    ['a watched kind', { when: 'changes: [entered, left]', top: 'if: change.kind == "left"' }],
    ['any other kind', { when: '', top: 'if: change.kind != "left"' }],
    ['the list of a kind', { when: '', top: 'if: changes.left.size() == 0' }],
    ['a kind of a list', { when: '', top: 'if: change.kind in ["left", "entered"]' }],
    ['another variable with the name', { when: '', top: 'if: changes.left.exists(change, change.kind == "left")' }],
  ])('is not reported: %s', (_, parts) => {
    expect(diagnosticsOf(rule(parts))).toEqual([]);
  });

  test('is not reported if values of each define the changes', () => {
    const source = rule({ when: '', top: 'each: { on: [entered, left] }\nif: change.kind == "left" || item.viewerCount < 5' }).replace(
      ' }\n',
      `, where: item.viewerCount > 9, changes: ["\${{ each.on }}"] }\n`,
    );

    expect(diagnosticsOf(source)).toEqual([]);
  });

  test('is not reported if a firing has several changes', () => {
    expect(diagnosticsOf(rule({ when: 'per: poll', top: 'if: changes.entered.exists(c, c.kind == "left")' }))).toEqual([]);
  });
});

test('a reported clause is false for every item that fits where', () => {
  const clause = fc
    .tuple(fc.constantFrom('<', '<=', '>', '>=', '=='), fc.integer({ min: -3, max: 3 }), fc.boolean())
    .map(([op, limit, turned]) => (turned ? `${limit} ${op} item.viewerCount` : `item.viewerCount ${op} ${limit}`));
  const condition = fc
    .tuple(fc.array(clause, { minLength: 1, maxLength: 3 }), fc.constantFrom(' && ', ' || '))
    .map(([clauses, op]) => clauses.join(op));
  const counts = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

  fc.assert(
    fc.property(condition, clause, (where, asked) => {
      const reported = diagnosticsOf(rule({ when: `where: "${where}"`, top: `if: ${asked}` })).filter((diagnostic) =>
        diagnostic.includes(' if: '),
      );
      const met = counts.filter((viewerCount) => [where, asked].every((source) => valueOf(source, { item: { ...ada, viewerCount } })));

      expect(reported.length === 0 || met.length === 0).toBe(true);
    }),
  );
});

describe('a text that a field never has', () => {
  const posts = (where: string): string =>
    `id: r\nwhen:\n  every: 5m\n  watch: social.getPosts\n  with: { user: ada }\n  account: bluesky\n  where: ${where}\nthen:\n  - { ${SEND} }\n`;
  const hintsOf = (where: string): readonly unknown[] => check(posts(where)).diagnostics.map(({ message, hint }) => [message, hint]);

  test('is reported with the values that the field has, in loops too', () => {
    expect(hintsOf(`'item.visibility == "open"'`)).toEqual([
      ['item.visibility is never "open"', 'available: public, unlisted, followers, direct'],
    ]);
    expect(hintsOf(`'item.media.exists(m, m.kind != "images")'`)).toEqual([['m.kind is never "images"', 'did you mean image?']]);
  });

  test('is not reported of an absent value, a possible one or any text', () => {
    expect(
      hintsOf(`'item.visibility == "public" && item.poll.id == "7" && item.language == "en" && item.media.all(m, m.kind == "image")'`),
    ).toEqual([]);
    expect(hintsOf(`'item.visibility != ""'`)).toEqual([]);
  });
});

describe('a value that a part never has', () => {
  test.each<[string, string, string, string?]>([
    ['a month', 'now.getMonth("UTC") == ▲12', 'now.getMonth("UTC") is never 12', 'the months are 0 to 11: December is 11'],
    [
      'a weekday in a list',
      'now.getDayOfWeek("Europe/Paris") in [6, ▲7]',
      'now.getDayOfWeek("Europe/Paris") is never 7',
      'the days are 0 to 6: Sunday is 0',
    ],
    ['an order that never holds', '▲now.getHours("UTC") >= 24', 'this is never true: now.getHours("UTC") is 0 to 23', 'midnight is 0'],
    ['an order that always holds', '▲item.startedAt.getMinutes() < 60', 'this is always true: item.startedAt.getMinutes() is 0 to 59'],
    ['a mirrored order', '▲1 > now.getDate("UTC")', 'this is never true: now.getDate("UTC") is 1 to 31'],
    ['a negative size', '▲item.tags.size() < 0', 'this is never true: item.tags.size() is at least 0'],
    ['the name of a language', 'item.language == ▲"German"', 'item.language is never "German"', 'write "de"'],
    ['the name of a language in a list', 'item.language in ["en", ▲"français"]', 'item.language is never "français"', 'write "fr"'],
    ['capitals in lower case', 'item.title.lowerAscii() == ▲"Chess"', 'item.title.lowerAscii() is never "Chess"', 'write "chess"'],
    ['an umlaut in lower case', 'item.title.lowerAscii() == ▲"Übung"', 'item.title.lowerAscii() is never "Übung"', 'write "übung"'],
    ['a letter without a capital', 'item.title.upperAscii() == ▲"STRAßE"', 'item.title.upperAscii() is never "STRAßE"', 'write "STRASSE"'],
    [
      'a search for capitals',
      'item.title.lowerAscii().trim().contains(▲"Chess")',
      'item.title.lowerAscii().trim() never has "Chess"',
      'write "chess"',
    ],
    [
      'a pattern with capitals',
      'rx(item.title.lowerAscii(), ▲"Chess|Go")',
      'item.title.lowerAscii() never has "Chess|Go"',
      'write "chess|go"',
    ],
    ['lower case in capitals', 'item.title.upperAscii().startsWith(▲"Live")', 'item.title.upperAscii() never has "Live"', 'write "LIVE"'],
    [
      'in a list of texts',
      '▲"Chess" in item.tags.map(tag, tag.lowerAscii())',
      'item.tags.map(tag, tag.lowerAscii()) never has "Chess"',
      'write "chess"',
    ],
    ['in a loop', 'item.tags.exists(tag, tag.lowerAscii() == ▲"Chess")', 'tag.lowerAscii() is never "Chess"', 'write "chess"'],
    ['a handle', 'item.owner.handle == ▲"Ada"', 'item.owner.handle is never "Ada"', 'write "ada"'],
    ['a language', 'item.language in ["de", ▲"EN"]', 'item.language is never "EN"', 'write "en"'],
    ['a platform', '!(item.owner.platform == ▲"Twitch")', 'item.owner.platform is never "Twitch"', 'write "twitch"'],
  ])('is reported: %s', (_, condition, message, hint) => {
    const { source, place } = unmark(rule({ when: '', top: `if: |\n  ${condition}` }));

    expect(warningsOf(source)).toEqual([[`${place} warning if`, message, hint]]);
  });

  test.each([
    'now.getMonth("UTC") == 11 && now.getDate("UTC") in [1, 31] && now.getHours("UTC") < 23',
    '(now - now).getMinutes() > 60 && item.tags.size() > 0',
    'item.title.lowerAscii().contains("chess 2") || item.title.contains("Chess") || item.owner.displayName == "Ada"',
    'item.owner.handle in ["ada", "UCpx14IuK3WcoDJ0j3TrQP45"]',
    `rx(item.title.lowerAscii(), r'\\S+|[A-Za-z]') || rx(item.title.lowerAscii(), "(?i)Chess")`,
    '"Chess" in item.tags || "Chess" in item.tags.map(tag, tag.trim())',
  ])('is not reported: %s', (condition) => {
    expect(warningsOf(rule({ when: '', top: `if: |\n  ${condition}` }))).toEqual([]);
  });

  test('is reported in the text of a step too', () => {
    const { source, place } = unmark(
      rule({
        when: '',
        steps: `- { do: discord.send, with: { channel: live, content: "\${{ now.getMonth('UTC') == ▲12 ? 'a' : 'b' }}" } }`,
      }),
    );

    expect(diagnosticsOf(source)).toEqual([`${place} warning decided-clause then[0].with.content`]);
  });
});

describe('exclusions of which one suffices', () => {
  test('are reported', () => {
    const { source, place } = unmark(rule({ when: '', top: `if: '!item.title.contains("rerun") || ▲!item.title.startsWith("re")'` }));

    expect(warningsOf(source)).toEqual([
      [`${place} warning if`, 'this or !item.title.contains("rerun") excludes only texts with both', 'write && to exclude each of them'],
    ]);
  });

  test.each([
    '!item.title.contains("rerun") && !item.title.contains("replay")',
    '!item.title.contains("rerun") || !item.owner.handle.contains("x")',
    '!item.title.contains("rerun") || item.title.contains("live")',
  ])('are not reported: %s', (condition) => {
    expect(warningsOf(rule({ when: '', top: `if: '${condition}'` }))).toEqual([]);
  });
});

describe('the choice of a question', () => {
  const asking = (condition: string, choices = '[send, drop]'): string =>
    rule({
      when: '',
      steps: `- { id: q, do: discord.ask, with: { channel: mods, content: hi, choices: ${choices} } }\n  - { if: '${condition}', ${SEND} }`,
    });

  test.for<[string, string, string]>([
    ['steps.q.choice == "Send"', 'steps.q.choice is never "Send"', 'did you mean send?'],
    ['steps.q.own.choice in ["send", "yes"]', 'steps.q.own.choice is never "yes"', 'available: send, drop'],
  ])('that it does not have is reported: %s', ([condition, message, hint]) => {
    expect(warningsOf(asking(condition))).toEqual([[expect.stringContaining('warning then[1].if'), message, hint]]);
  });

  test('that it has, and no answer, are not reported', () => {
    expect(diagnosticsOf(asking('steps.q.choice == "send" || steps.q.choice == ""'))).toEqual([]);
  });

  test('is any text if an expression makes the choices', () => {
    expect(diagnosticsOf(asking('steps.q.choice == "yes"', '["${{ item.title }}", drop]'))).toEqual([]);
  });

  test('is what a comparison of the answer needs', () => {
    expect(check(asking('steps.q == "send"')).diagnostics.map(({ hint }) => hint)).toEqual([
      'use a field of the object, for example .choice',
    ]);
  });
});
