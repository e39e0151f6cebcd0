import { describe, expect, test } from 'vitest';
import { evaluateTemplate } from '#src/rules/expression/evaluate-template.ts';
import type { Json } from '#src/clients/operation/json.ts';
import type { Rule } from '#src/rules/rule.ts';
import { countProcessorMs } from '../../support/processor-time.ts';
import { ada, catalogue, check, diagnosticsOf, ruleOf, rulesOf, scopeOf } from '../../support/rule-language.ts';

/** A rule that watches streams. `top` begins at line 3. */
function rule(top: string, { users = 'ada', when = '', content = 'hi' } = {}): string {
  return `id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [${users}] }${when} }\n${top}\nthen:\n  - { do: discord.send, with: { channel: live, content: "${content}" } }\n`;
}

/** The rendered text of the first step. */
function contentOf({ names, then: [step] }: Rule): Json | undefined {
  const content = step?.with['content'];
  return typeof content === 'string' ? evaluateTemplate(content, { ...scopeOf() }, { site: { kind: 'step', names }, catalogue }) : content;
}

test.each([
  ['each: { on: [{ id: 007, line: x, least: 0 }] }', '3:20 warning leading-zeros each'],
  ['vars: { pin: [0.5, 10, -01] }', '3:24 warning leading-zeros vars'],
])('a number with leading zeros in a constant is reported: %s', (top, expected) => {
  expect(
    check(rule(top)).diagnostics.map(({ line, column, severity, code, path }) => `${line}:${column} ${severity} ${code} ${path}`),
  ).toEqual([expected]);
});

describe('values that no expression reads', () => {
  const codes = (source: string): readonly string[] =>
    check(source).diagnostics.map(({ line, column, code, path }) => `${line}:${column} ${code} ${path}`);

  test('make equal rules', () => {
    expect(codes(rule('about: each on\neach: { on: [a, b], off: [a, b] }', { content: '${{ each.off }}' }))).toEqual([
      '4:9 unread-each each.on',
    ]);
  });

  test('that the rule watches without an expression are announced several times', () => {
    const watching = (users: string): string =>
      rule('each: { on: [ada, grace] }', { content: '${{ each.on }}' }).replace(/users: \[.*?\]/u, `users: ${users}`);

    expect(codes(watching('[ada, grace]'))).toEqual(['3:9 unread-each each.on']);
    expect(codes(watching('["${{ each.on }}"]'))).toEqual([]);
    expect(codes(watching('[ada, linus]'))).toEqual([]);
  });

  test.for([
    ['each: { on: [a] }', {}],
    ['each: { on: [a, b] }', { content: '${{ each["on"] }}' }],
    ['each: { on: [ada, grace] }\nif: item.owner.handle == each.on', { users: 'ada, grace' }],
    ['each: { on: [{ id: a, n: 1 }, { id: b, n: 2 }] }\nif: each.on.n > 1', {}],
    ['each: { on: [a, b] }', { when: ', account: "${{ each.on }}"' }],
  ] as const)('are not %j', ([top, options]) => {
    expect(codes(rule(top, options)).filter((one) => one.includes('unread-each'))).toEqual([]);
  });
});

describe('the instances of a rule', () => {
  test('have the ids of maps, or scalars, in their names', () => {
    const rules = rulesOf(rule('each: { on: [{ id: chess, game: Chess }, { id: 2048 }], lang: [en, fr] }'));

    expect(rules.map(({ id, name }) => [id, name])).toEqual([
      ['r/chess,en', 'r'],
      ['r/chess,fr', 'r'],
      ['r/2048,en', 'r'],
      ['r/2048,fr', 'r'],
    ]);
    expect(new Set(rules.map(({ version }) => version)).size).toBe(4);
  });

  test('have separate values in all expressions', () => {
    const source = rule('vars: { factor: 2 }\neach: { on: [{ id: a, least: 5, name: A }, { id: b, least: 7, name: B }] }', {
      when: ', where: item.viewerCount > each.on.least * vars.factor, take: "${{ each.on.least }}", settle: 5m',
      content: '${{ each.on.name }} ${{ each.on.least + vars.factor }}',
    });
    const rules = rulesOf(source);

    expect(rules.map(contentOf)).toEqual(['A 7', 'B 9']);
    expect(rules.map(({ watched }) => watched?.take)).toEqual([5, 7]);
    expect(rules.map(({ watched }) => watched?.where?.test({ ...scopeOf(), item: { ...ada, viewerCount: 12 } }).holds)).toEqual([
      true,
      false,
    ]);
    expect(new Set(rules.map(({ watched }) => watched?.fingerprint)).size).toBe(2);
  });

  test('have lists and maps as written', () => {
    const rules = rulesOf(
      rule('vars: { list: [5, 6], maps: [{ a: x }, { a: y, b: [z] }] }', {
        content: '${{ vars.list[1] + 1 }} ${{ vars.maps.map(m, m.a + string(m.b.size())).join() }}',
      }),
    );

    expect(rules.map(contentOf)).toEqual(['7 x0y1']);
  });

  test('have empty values for missing fields that other values of the list have', () => {
    const rules = rulesOf(
      rule('each: { on: [{ id: a, ping: x, tags: [y] }, { id: b, mature: true }] }', {
        content: '<${{ each.on.ping }}${{ each.on.tags.size() }}${{ each.on.mature }}>',
      }),
    );

    expect(rules.map(contentOf)).toEqual(['<x1false>', '<0true>']);
  });

  test.each([
    ['each: { on: ▲[] }', 'wrong-value each.on'],
    ['each: { ▲o-n: [a] }', 'unreadable-name each.o-n'],
  ])('%s: %s', (top, expected) => {
    expect(diagnosticsOf(rule(top))).toContainEqual(`▲ error ${expected}`);
  });

  test('are cheap if their values have one shape', () => {
    const values = Array.from({ length: 400 }, (_, n) => `{ id: g${n}, game: Game ${n} }`).join(', ');
    const workedMs = countProcessorMs();

    const { rules } = check(rule(`each: { on: [${values}] }`, { content: '${{ each.on.game }}' }));

    expect(rules).toHaveLength(400);
    expect(workedMs()).toBeLessThan(2_000);
  });
});

describe('an expression of constants', () => {
  test('is evaluated at load', () => {
    const source = rule(
      'vars: { n: 3, zone: Europe/Paris, who: [twitch], from: "23:00" }\nquiet: { from: "${{ vars.from }}", to: "08:00", then: hold }',
      {
        when: ', take: "${{ vars.n }}", settle: "${{ vars.n }}m", timezone: "${{ vars.zone }}", account: "${{ vars.who }}"',
      },
    );

    expect(ruleOf(source)).toMatchObject({
      watched: { take: 3, settleMs: 180_000, accounts: ['twitch'] },
      quiet: { fromMinute: 1380, toMinute: 480, timezone: 'Europe/Paris', then: 'hold' },
    });
  });

  test.each([
    [{ when: ', take: ▲"${{ vars.word }}"' }, 'wrong-value when.take'],
    [{ when: ', take: "${{ ▲item.rank }}"' }, 'expression when.take'],
    [{ when: ', settle: "${{ vars.▲wrod }}"' }, 'expression when.settle'],
  ])('%j: %s', (parts, expected) => {
    expect(diagnosticsOf(rule('vars: { word: x }', parts))).toContainEqual(`▲ error ${expected}`);
  });

  test('may give the accounts of a step', () => {
    const source = rule('vars: { nets: [bluesky] }').replace(
      'do: discord.send, with: { channel: live, content: "hi" }',
      'do: social.createPost, as: "${{ vars.nets }}", with: { text: hi }',
    );

    expect(ruleOf(source).then[0]?.as).toEqual(['bluesky']);
  });
});

describe('the version of a rule', () => {
  test('changes only with the source and the accounts', () => {
    const of = (source: string, all: readonly string[] = ['discord']): string | undefined =>
      check(source, {
        accounts: {
          streaming: { all: ['twitch'], defaults: [] },
          discord: { all, defaults: ['discord'] },
          social: { all: [], defaults: [] },
        },
      }).rules[0]?.version;
    const before = of(rule(''));

    expect(of(rule(''))).toBe(before);
    expect(of(rule('', { content: 'ho' }))).not.toBe(before);
    expect(of(rule(''), ['discord', 'another'])).toBe(before);
  });
});
