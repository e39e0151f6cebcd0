import { readdirSync, readFileSync } from 'node:fs';
import { fc } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import type { Rule } from '#src/rules/rule.ts';
import { formatCase } from '#src/engine/testing/format-case.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';
import { countProcessorMs, slowdown } from '../../support/processor-time.ts';
import { catalogue, rulesOf } from '../../support/rule-language.ts';
import { MUTATIONS } from '../../rules/mutations.ts';
import { runCases } from './cases.ts';

const RUNS = 150;
const SLOWEST_MS = 2_000;
const FOLDER = 'test/engine/testing/examples';

interface Example {
  /** The name of the rule. */
  readonly rule: string;
  readonly source: string;
}

const RULES: Readonly<Record<string, readonly Rule[]>> = Object.fromEntries(
  readdirSync('test/rules/examples').map((name) => [
    name.replace('.yaml', ''),
    rulesOf(readFileSync(`test/rules/examples/${name}`, 'utf8')),
  ]),
);
const EXAMPLES = readdirSync(FOLDER).map((name): Example => {
  return { rule: name.replace('.test.yaml', ''), source: readFileSync(`${FOLDER}/${name}`, 'utf8') };
});

/** Valid and invalid polls of a test file. */
const POLLS: readonly string[] = [
  'items: []',
  'items: [{ key: ada, viewerCount: 100, language: en }, { key: grace }]',
  'items: [{ key: ada, id: again, title: "${{ 1 }}" }]',
  'items: [{}, {}, { key: "" }, { key: 5 }, { id: "" }]',
  'items: [{ key: ada, owner: [], viewerCount: -1e300, tags: { a: b } }]',
  'items: [{ key: ada, viewerCount: .nan, startedAt: "+275760-09-13T00:00:00Z" }]',
  'items: [{ key: ada, startedAt: "-271821-04-20T00:00:00Z", createdAt: 0 }]',
  'items: [{ key: m1, text: "@everyone **a**" }], answers: { draft: { message: { text: a } } }',
  'restart: true',
  'error: "\\e[2J"',
  'items: [{ key: ada }, { key: grace }], fail: [post.bluesky, post.mastodon, card.discord, verdict.discord]',
  'items: [], answers: { verdict: [], vods: { items: {} }, draft: null, __proto__: {} }',
  'items: [], answers: { vods: [[[]]], draft: { message: [] }, verdict: { choice: [1], by: { handle: 5 } } }',
  'answers: { verdict: { choice: send } }',
];

const EXPECTATIONS: readonly string[] = [
  'do: discord.send, with: { content: "/(a*)*b/", __proto__: { a: 1 } }',
  'do: x.y, as: [a, a, a]',
  'do: social.createPost, with: { text: [{ a: [] }] }',
];

const time = fc.oneof(
  fc.nat(40).map((minutes) => `${minutes}m`),
  fc.constantFrom('1ms', '12h', '520w', '3660d'),
);

/** A test file for the rule of an example. */
const made = fc
  .record({
    example: fc.constantFrom(...EXAMPLES),
    start: fc.constantFrom('2026-11-20T18:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-03-28T23:30:00+01:00'),
    pauses: fc.array(fc.tuple(fc.nat(30), fc.constantFrom(...POLLS)), { minLength: 1, maxLength: 30 }),
    expectations: fc.array(fc.tuple(time, fc.constantFrom(...EXPECTATIONS)), { maxLength: 3 }),
  })
  .map(({ example: { rule }, start, pauses, expectations }): Example => {
    let minute = 0;
    const polls = pauses.map(([minutes, line]) => `      - { at: ${(minute += minutes + 1)}m, ${line} }`);
    const expected = expectations.map(([at, line]) => `      - { at: ${at}, ${line} }`);
    const head = `rule: ${rule}\nstart: ${start}\ncases:\n  - it: is hostile\n    polls:`;
    return { rule, source: [head, ...polls, ...(expected.length > 0 ? ['    expect:', ...expected] : [])].join('\n') };
  });

describe('a broken test file', () => {
  test.each(Object.entries(MUTATIONS))('in its %s is read, run and printed quickly', async (_, mutation) => {
    const broken = fc
      .tuple(fc.constantFrom(...EXAMPLES), fc.array(mutation, { minLength: 1, maxLength: 2 }))
      .map(([{ rule, source }, mutations]): Example => ({ rule, source: mutations.reduce((text, mutate) => mutate(text), source) }));

    await fc.assert(
      fc.asyncProperty(broken, async (example) => {
        await expect(endure(example)).resolves.toBeGreaterThanOrEqual(0);
      }),
      { numRuns: RUNS },
    );
  });

  test('in its values is run and printed quickly', async () => {
    let ran = 0;

    await fc.assert(
      fc.asyncProperty(made, async (example) => {
        const count = await endure(example);
        ran += count;
      }),
      { numRuns: 3 * RUNS },
    );

    expect(ran).toBeGreaterThan(RUNS);
  });
});

/** Reads, runs and prints a test file. Returns the number of cases. */
async function endure({ rule, source }: Example): Promise<number> {
  const workedMs = countProcessorMs();
  const { tests, diagnostics } = readRuleTests({ file: 'x.test.yaml', source });
  const results = tests ? await runRuleTests({ tests, rules: RULES[rule] ?? [], catalogue }) : [];
  const printed = results.map((result) => formatCase(result, { color: false })).join('');

  expect(printed.length + diagnostics.length).toBeGreaterThan(0);
  // A terminal would interpret it.
  expect(printed).not.toContain('\u001B');
  expect(workedMs()).toBeLessThan(SLOWEST_MS * slowdown());
  return results.length;
}

test('a pattern with exponential backtracking runs quickly', async () => {
  const rule = `id: x\nwhen: { every: 1m }\nthen: [{ do: discord.send, with: { channel: live, content: "${'a'.repeat(60)}" } }]`;

  const [printed] = await runCases(
    rule,
    '\n      polls: [{ at: 0m }]\n      expect: [{ at: 0m, do: discord.send, with: { content: "/^(a*)*b$/" } }]',
  );

  expect(printed).toContain('different');
});

test('a pattern with lookaround or backreferences is an error', () => {
  const source = (pattern: string): string =>
    `rule: x\ncases: [{ it: a, polls: [{ at: 0m }], expect: [{ at: 0m, do: x.y, with: { content: '${pattern}' } }] }]`;

  const read = ['/^(?!x)(a+)+$/', '/(?<=a)b/', String.raw`/(a)\1/`].map((one) =>
    readRuleTests({ file: 'x.test.yaml', source: source(one) }),
  );

  expect(read.map(({ tests }) => tests)).toEqual([undefined, undefined, undefined]);
});

test('a case with targets that fail for years ends quickly', async () => {
  const rule = `id: x
when: { every: 1m, watch: streaming.getTopStreams }
fuse: { firings: 100000, per: 1h }
then: [{ id: card, do: discord.send, retry: { for: 365d }, with: { channel: live, content: hi } }]`;
  const items = Array.from({ length: 500 }, (_, index) => `{ key: k${index} }`).join(', ');
  const workedMs = countProcessorMs();

  const [printed] = await runCases(rule, `\n      polls: [{ at: 0m, items: [] }, { at: 1m, items: [${items}], fail: [card.discord] }]`);

  expect(printed).toContain('more than 10000 attempts fail');
  // 10,000 attempts take 1.2 to 2 seconds.
  expect(workedMs()).toBeLessThan(2 * SLOWEST_MS * slowdown());
});
