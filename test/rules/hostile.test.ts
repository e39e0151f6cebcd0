import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExpressionError } from '#src/rules/expression/complaints/expression-error.ts';
import { expressionsOf } from '#src/rules/expression/expressions.ts';
import { printProblem } from '#src/rules/print-problem.ts';
import type { Problem } from '#src/rules/problem.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Rule } from '#src/rules/rule.ts';
import { countProcessorMs } from '../support/processor-time.ts';
import { ada, catalogue, check, scopeOf } from '../support/rule-language.ts';
import { lighter, MUTATIONS } from './mutations.ts';

const FILES = 100_000;
const SLOWEST_MS = 1_000;
const SOURCES = ['rules', 'test/rules/examples']
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  .filter((file) => /(?<!\.test)\.yaml$/u.test(file))
  .map((file) => readFileSync(file, 'utf8'));

/** A problem that would lead its reader astray; undefined: it stands where it says. */
function misplaced({ line, column, excerpt, file, message }: Problem, lines: readonly string[]): string | undefined {
  const there = lines[line - 1];
  if (there === undefined || column < 1 || column > there.length + 1) return `${line}:${column} is not in the file: ${message}`;
  if (excerpt !== there.replace(/\r$/u, '')) return `${line} is another line: ${message}`;
  return file === '' || message === '' ? 'nothing is said' : undefined;
}

/** Runs what was found right: nothing in it may throw. */
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
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1e6;
}

describe('a rule that somebody broke', () => {
  const kinds = Object.entries(MUTATIONS);
  const runs = Math.ceil(FILES / kinds.length);
  const { stackTraceLimit } = Error;

  // Half of the time would go into traces of errors that nobody sees.
  beforeAll(() => {
    Error.stackTraceLimit = 0;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  test.each(kinds)('in its %s is checked in no time, and what is wrong stands in the file', { timeout: 600_000 }, (_, mutation) => {
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
        const { rules, problems } = check(source);
        const tookMs = workedMs();
        if (tookMs >= SLOWEST_MS) throw new Error(`it is checked in ${tookMs} ms`);
        checked++;
        const lines = source.replace(/^\uFEFF/u, '').split('\n');
        const astray = problems.map((problem) => misplaced(problem, lines)).find((why) => why !== undefined);
        if (astray !== undefined) throw new Error(astray);
        if ((rules.length === 0) !== problems.some(({ severity }) => severity === 'error'))
          throw new Error('a rule runs in spite of an error');
        if (checked % 16 === 0) {
          for (const problem of problems) printProblem(problem, { color: true });
          runAll(rules);
        }
      }),
      { numRuns: runs },
    );
    expect(checked).toBe(runs);
  });

  test('leaves nothing behind', () => {
    const checkOne = (n: number): unknown =>
      check(
        `id: r${n}\nwhen: { every: 1m }\nvars: { v${n}: ${n} }\nthen:\n  - { do: discord.send, with: { channel: a, content: "\${{ vars.v${n} }}" } }`,
      );
    // What the first of all leave is there once.
    for (let n = 0; n < 200; n++) checkOne(n);
    const beforeMb = heapMb();

    for (let n = 200; n < 2_200; n++) checkOne(n);

    expect(heapMb() - beforeMb).toBeLessThan(20);
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
