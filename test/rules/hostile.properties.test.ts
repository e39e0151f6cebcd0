import { readdirSync, readFileSync } from 'node:fs';
import { collectGarbage } from '../support/collect-garbage.ts';
import { fc, runs } from '../support/property.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import { expressionsOf } from '#src/rules/expression/expressions.ts';
import { formatDiagnostic, type Diagnostic } from '#src/rules/diagnostic.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Rule } from '#src/rules/rule.ts';
import { countProcessorMs } from '../support/processor-time.ts';
import { ada, catalogue, check, scopeOf } from '../support/rule-language.ts';
import { lighter, MUTATIONS } from './mutations.ts';

const FILES = runs(100, 8_000);
const SLOWEST_MS = 1_000;
const SOURCES = ['rules', 'test/rules/examples']
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  .filter((file) => /(?<!\.test)\.yaml$/u.test(file))
  .map((file) => readFileSync(file, 'utf8'));

/** Describes a diagnostic with a wrong location; undefined if the location is right. */
function misplaced({ line, column, excerpt, file, message }: Diagnostic, lines: readonly string[]): string | undefined {
  const there = lines[line - 1];
  if (there === undefined || column < 1 || column > there.length + 1) return `${line}:${column} is not in the file: ${message}`;
  if (excerpt !== there.replace(/\r$/u, '')) return `${line} is another line: ${message}`;
  return file === '' || message === '' ? 'the message is empty' : undefined;
}

/** Runs rules without errors: nothing in them may throw. */
function runAll(rules: readonly Rule[]): void {
  for (const rule of rules.slice(0, 2)) {
    rule.watched?.key(ada);
    rule.watched?.where?.test(scopeOf());
    rule.if?.test(scopeOf());
    for (const section of ['then', 'while', 'finally'] as const) {
      for (const step of rule[section]) {
        renderStep({ step, section, account: step.as[0] ?? '', names: rule.names, scope: scopeOf(), results: {}, catalogue });
      }
    }
  }
}

function heapMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

describe('a broken rule', () => {
  const kinds = Object.entries(MUTATIONS);
  const numRuns = Math.ceil(FILES / kinds.length);
  const { stackTraceLimit } = Error;

  // Stack traces would take half of the time.
  beforeAll(() => {
    Error.stackTraceLimit = 0;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  test.each(kinds)('in its %s is checked quickly, with all diagnostics inside the file', (_, mutation) => {
    const broken = fc
      .tuple(
        fc.constantFrom(...SOURCES),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        fc.array(mutation, { minLength: 1, maxLength: 2 }),
      )
      .map(([source, keep, mutations]) => mutations.reduce((text, mutate) => mutate(text), lighter(source, keep)));
    let checked = 0;
    fc.assert(
      fc.property(broken, (source) => {
        const workedMs = countProcessorMs();
        const { rules, diagnostics } = check(source);
        const tookMs = workedMs();
        if (tookMs >= SLOWEST_MS) throw new Error(`it is checked in ${tookMs} ms`);
        checked++;
        const lines = source.replace(/^\uFEFF/u, '').split('\n');
        const error = diagnostics.map((diagnostic) => misplaced(diagnostic, lines)).find((one) => one !== undefined);
        if (error !== undefined) throw new Error(error);
        if ((rules.length === 0) !== diagnostics.some(({ severity }) => severity === 'error'))
          throw new Error('a rule runs despite an error');
        if (checked % 16 === 0) {
          for (const diagnostic of diagnostics) formatDiagnostic(diagnostic, { color: true });
          runAll(rules);
        }
      }),
      { numRuns },
    );
    expect(checked).toBe(numRuns);
  });

  test.runIf(runs(0, 1) > 0)('leaves nothing in memory', () => {
    const checkOne = (n: number): unknown =>
      check(
        `id: r${n}\nwhen: { every: 1m }\nvars: { v${n}: ${n} }\nthen:\n  - { do: discord.send, with: { channel: a, content: "\${{ vars.v${n} }}" } }`,
      );
    // The first rules fill caches of a fixed size.
    for (let n = 0; n < 200; n++) checkOne(n);
    const beforeMb = heapMb();

    for (let n = 200; n < 2_200; n++) checkOne(n);

    expect(heapMb() - beforeMb).toBeLessThan(20);
  });
});

describe('a broken expression', () => {
  const site = { kind: 'step', names: { watch: 'streaming.getStreams', steps: { card: 'discord.send' } } } as const;
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
    '.sortBy(i, ',
    '.groupBy(i, ',
    'average(',
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
        .compile(source, site)
        .run({ ...scopeOf(ada), steps: {} });
      return 'run';
    } catch (error) {
      return error instanceof ExpressionError ? 'refused' : String(error);
    }
  }

  test('is an error or runs', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
        expect(['refused', 'run']).toContain(outcome(parts.join('')));
      }),
      { numRuns: runs(60, 1_500) },
    );
  });
});
