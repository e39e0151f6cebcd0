import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpressionError } from '#src/rules/expression/complaints/expression-error.ts';
import { expressionsOf } from '#src/rules/expression/expressions.ts';
import { printProblem } from '#src/rules/print-problem.ts';
import { renderStep } from '#src/rules/render.ts';
import { ada, catalogue, check, scopeOf } from '../support/rule-language.ts';

const SOURCES = ['valorant-top', 'live-card'].map((name) => readFileSync(`rules/${name}.yaml`, 'utf8'));

/** What a slip of the hand, or worse, may put into a rule. */
const SCRAPS = [
  ...'{}[]:#&*!|>%@`\'"\\\t\n -?,=+()<>$~^;.0'.split(''),
  '${{',
  '}}',
  '$${{',
  '\r\n',
  '\u0000',
  '\u202E',
  '\uD800',
  '\uFDD0',
  '😀',
  ' #',
  ': ',
  '- ',
  '--- ',
  '...',
  '*a',
  '&a ',
  '!!binary ',
  '<<: ',
  '? ',
  'null',
  'true',
  '.inf',
  '-0',
  '1e999',
  '0x',
  '__proto__: ',
  'constructor',
  '{{{{{{',
  '[[[[[[',
  '((((((',
  '!!!!!!',
  "r'",
  '"""',
  'has(item)',
  'cel.bind(a, 1, a)',
  'items.map(a, items.map(b, items.map(c, 1)))',
  'rx(item.title, "(a*)*b")',
  'dyn(',
  'steps',
  'steps.',
  'item..title',
  'while: []\n',
  'then:\n',
  'when: 5\n',
  'every: 1ms\n',
  'cron: "* * * * * *"\n',
  'take: -1\n',
];

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 40 }),
  what: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...SCRAPS).map((scrap) => () => scrap) },
    { weight: 2, arbitrary: fc.constant((cut: string) => cut + cut) },
    { weight: 2, arbitrary: fc.constant(() => '') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }).map((text) => () => text) },
  ),
  isInserted: fc.boolean(),
});

const mutated = fc.tuple(fc.constantFrom(...SOURCES), fc.array(mutation, { minLength: 1, maxLength: 6 })).map(([source, mutations]) =>
  mutations.reduce((text, { at, length, what, isInserted }) => {
    const from = Math.floor(at * text.length);
    const cut = text.slice(from, from + length);
    return text.slice(0, from) + what(cut) + (isInserted ? cut : '') + text.slice(from + length);
  }, source),
);

describe('a rule that somebody broke', () => {
  test('is checked in no time, and what is wrong stands in the file', { timeout: 60_000 }, () => {
    let slowestMs = 0;
    fc.assert(
      fc.property(mutated, (source) => {
        const startedMs = performance.now();

        const { rule, problems } = check(source);

        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
        const lines = source.replace(/^\uFEFF/u, '').split('\n');
        for (const problem of problems) {
          expect(printProblem(problem, { color: true })).toContain(problem.file);
          expect(problem.column).toBeGreaterThan(0);
          expect(problem.column).toBeLessThanOrEqual((lines[problem.line - 1] ?? '').length + 1);
          expect(problem.excerpt).toBe((lines[problem.line - 1] ?? '').replace(/\r$/u, ''));
        }
        expect(rule === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
        for (const step of [...(rule?.then ?? []), ...(rule?.while ?? []), ...(rule?.finally ?? [])]) {
          expect(
            Object.keys(renderStep({ step, names: rule?.names ?? { steps: {} }, scope: scopeOf(), results: {}, catalogue })),
          ).toHaveLength(1);
        }
      }),
      { numRuns: 3_500 },
    );

    expect(slowestMs).toBeLessThan(2_000);
  });
});

describe('an expression that somebody broke', () => {
  const place = { kind: 'step', names: { watch: 'streaming.getStreams', steps: { card: 'discord.send' } } } as const;
  const part = fc.constantFrom(
    'item',
    '.title',
    '.viewerCount',
    '.?',
    '[0]',
    '[?"x"]',
    'items',
    '.map(i, ',
    '.exists(i, ',
    ')',
    '(',
    ' + ',
    ' == ',
    ' && ',
    ' || ',
    '? ',
    ' : ',
    '"x"',
    "'",
    '5',
    '1.5',
    'null',
    'steps.card',
    '.id',
    'now',
    '.getHours("UTC")',
    'previous',
    '.orValue(0)',
    'compact(',
    'rx(',
    ', ',
    'duration(',
    'date(',
    '!',
    '-',
    '{',
    '}',
    ' in ',
    'optional.none()',
    'b"x"',
    '5u',
    '.size()',
    'i',
    '.join(',
    'top(',
    'either(',
    '__proto__',
    '.constructor',
    'toString',
    'cel',
    'google',
    'int',
    '\u202E',
  );

  function outcome(source: string): string {
    try {
      expressionsOf(catalogue)
        .compile(source, place)
        .run({ ...scopeOf(ada), steps: {} });
      return 'run';
    } catch (error) {
      return error instanceof ExpressionError ? 'refused' : String(error);
    }
  }

  test('is refused or run, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
        expect(['refused', 'run']).toContain(outcome(parts.join('')));
      }),
      { numRuns: 4_000 },
    );
  });
});
