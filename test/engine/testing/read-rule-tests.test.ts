import { describe, expect, test } from 'vitest';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { countProcessorMs } from '../../support/processor-time.ts';

const GOOD = `rule: valorant-top
start: 2026-11-20T19:00:00+01:00
cases:
  - it: announces who stays
    polls:
      - { at: 0m, items: [{ key: ada, viewerCount: 9000 }] }
      - { at: 1h30m, restart: true }
      - { at: 1h30m, error: unavailable, answers: { who: { bio: hi } }, fail: [post.bluesky] }
    expect:
      - { at: 90s, do: social.createPost, as: [bluesky, mastodon], with: { text: "/^ada/" } }
      - { at: 90s, do: discord.send, as: discord }
`;

test('a test file is read with the positions of its lines', () => {
  const { tests, diagnostics } = readRuleTests({ file: 'x.test.yaml', source: GOOD });

  expect(diagnostics).toEqual([]);
  expect(tests).toEqual({
    file: 'x.test.yaml',
    rule: 'valorant-top',
    startMs: Date.parse('2026-11-20T18:00:00Z'),
    cases: [
      {
        it: 'announces who stays',
        line: 4,
        each: {},
        polls: [
          { atMs: 0, line: 6, items: [{ key: 'ada', viewerCount: 9000 }], restart: false, answers: {}, fail: [] },
          { atMs: 5_400_000, line: 7, restart: true, answers: {}, fail: [] },
          { atMs: 5_400_000, line: 8, error: 'unavailable', restart: false, answers: { who: { bio: 'hi' } }, fail: ['post.bluesky'] },
        ],
        expect: [
          { atMs: 90_000, line: 10, do: 'social.createPost', as: ['bluesky', 'mastodon'], with: { text: '/^ada/' } },
          { atMs: 90_000, line: 11, do: 'discord.send', as: ['discord'], with: {} },
        ],
      },
    ],
  });
});

test('the start has a fixed default', () => {
  const { tests } = readRuleTests({ file: 'x.test.yaml', source: GOOD.replace(/^start.*\n/mu, '') });

  expect(tests?.startMs).toBe(Date.parse('2026-11-20T18:00:00Z'));
});

test('a test file may begin with a byte order mark', () => {
  const { tests } = readRuleTests({ file: 'x.test.yaml', source: `\uFEFF${GOOD}` });

  expect(tests).toEqual(readRuleTests({ file: 'x.test.yaml', source: GOOD }).tests);
});

describe('an error in a test file', () => {
  test.for([
    { line: 'rul: x', place: '1:1', message: 'rul' },
    { line: 'start: yesterday', place: '1:8', message: 'not a timestamp: write it as 2026-11-20T18:00:00Z' },
    { line: 'start: 2026-11-20T18:00:00', place: '1:8', message: 'not a timestamp: write it as 2026-11-20T18:00:00Z' },
    { line: 'cases: []', place: '1:8', message: 'expected a list of at least 1, found an empty list' },
    { line: 'cases: [{ polls: [{ at: 0m }] }]', place: '1:9', message: 'it is missing' },
    {
      line: 'cases: [{ it: a, polls: [{ at: 1.5m }] }]',
      place: '1:32',
      message: 'not a time after the start: write it as 0m, 90s or 1h30m',
    },
    { line: 'cases: [{ it: a, polls: [{ at: 0m, item: [] }] }]', place: '1:36', message: 'item' },
    {
      line: 'cases: [{ it: a, polls: [{ at: 0m, error: x, restart: true }] }]',
      place: '1:26',
      message: 'a poll has only one of items, error, command, webhook and restart',
    },
    {
      line: 'cases: [{ it: a, polls: [{ at: 0m, fail: [post on x] }] }]',
      place: '1:43',
      message: 'write the id of a step, or step.account',
    },
    {
      line: 'cases: [{ it: a, polls: [{ at: 5m }, { at: 1m }] }]',
      place: '1:44',
      message: 'polls must be in order of time, with only one at each time',
    },
    {
      line: 'cases: [{ it: a, polls: [{ at: 5m }, { at: 5m }] }]',
      place: '1:44',
      message: 'polls must be in order of time, with only one at each time',
    },
    {
      line: 'cases: [{ it: a, polls: [{ at: 0m }], expect: [{ at: 0m, do: x.y, with: { embed: { title: "/(/" } } }] }]',
      place: '1:91',
      message: 'not a valid regular expression',
    },
  ])('has its position: $line', ({ line: source, place, message }) => {
    const { tests, diagnostics } = readRuleTests({ file: 'x.test.yaml', source });

    expect(tests).toBeUndefined();
    expect(diagnostics.filter(({ line, column }) => `${line}:${column}` === place).map((diagnostic) => diagnostic.message)).toContainEqual(
      expect.stringContaining(message),
    );
  });

  test('is reported together with all others', () => {
    const source = 'rule: x\ncases:\n  - it: a\n    polls: [{ at: soon }]\n    expect: [{ at: never, do: x.y, with: 5 }]\n';

    const { diagnostics } = readRuleTests({ file: 'x.test.yaml', source });

    expect(diagnostics.map(({ file, line, path, excerpt }) => ({ file, line, path, excerpt }))).toEqual([
      { file: 'x.test.yaml', line: 4, path: 'cases[0].polls[0].at', excerpt: '    polls: [{ at: soon }]' },
      { file: 'x.test.yaml', line: 5, path: 'cases[0].expect[0].at', excerpt: '    expect: [{ at: never, do: x.y, with: 5 }]' },
      { file: 'x.test.yaml', line: 5, path: 'cases[0].expect[0].with', excerpt: '    expect: [{ at: never, do: x.y, with: 5 }]' },
    ]);
  });

  test.each([
    ['polls: [{ at: 0m, items: [grace] }]', 'write { key: grace }, with the fields of the item behind the key'],
    ['polls: [{ at: 0m, items: grace }]', 'write [{ key: grace }], or [] for no items'],
    ['polls: [{ at: 0m }], expect: none', 'write a list of the expected steps, or [] for none'],
    ['polls: [{ at: 0m }], expect: [{ at: 0m, do: discord.send, content: hi }]', 'write it in with: { content: … }'],
    ['polls: [{ at: 0m }], expect: [{ at: 0m, doo: discord.send, do: discord.send }]', 'did you mean do?'],
  ])('has the hint of its place: %s', (lines, hint) => {
    const source = `rule: x\ncases: [{ it: a, ${lines} }]\n`;

    expect(readRuleTests({ file: 'x.test.yaml', source }).diagnostics.map((one) => one.hint)).toEqual([hint]);
  });

  test.each(['0', '90'])('has a hint if a time has no unit: at: %s', (at) => {
    const source = `rule: x\ncases: [{ it: a, polls: [{ at: ${at} }] }]\n`;
    const [diagnostic, ...others] = readRuleTests({ file: 'x.test.yaml', source }).diagnostics;

    expect(others).toEqual([]);
    expect([diagnostic?.message, diagnostic?.hint]).toEqual([
      'not a time after the start: write it as 0m, 90s or 1h30m',
      `write ${at}s, ${at}m or ${at}h`,
    ]);
    expect(readRuleTests({ file: 'x.test.yaml', source: source.replace(`at: ${at}`, `at: ${at}m`) }).diagnostics).toEqual([]);
  });

  test('may come from the YAML parser', () => {
    const { tests, diagnostics } = readRuleTests({ file: 'x.test.yaml', source: 'rule: x\nrule: y\n' });

    expect(tests).toBeUndefined();
    expect(diagnostics.map(({ line, message }) => `${line} ${message}`)).toContain('2 rule appears twice');
  });
});

describe('a large file', () => {
  const polls = (count: number): string =>
    Array.from(
      { length: count },
      (_, minute) => `      - { at: ${minute}m, items: [{ key: ada, viewerCount: ${minute} }, { key: grace }] }\n`,
    ).join('');

  test('may have a poll for every minute of a day', () => {
    const { tests, diagnostics } = readRuleTests({
      file: 'x.test.yaml',
      source: `rule: x\ncases:\n  - it: a\n    polls:\n${polls(1_440)}`,
    });

    expect(diagnostics).toEqual([]);
    expect(tests?.cases[0]?.polls.at(-1)).toMatchObject({ atMs: 1_439 * 60_000, line: 1_444 });
  });

  test('has a maximum size', () => {
    const { diagnostics } = readRuleTests({ file: 'x.test.yaml', source: `rule: x\ncases:\n${polls(9_000)}` });

    expect(diagnostics.map(({ message }) => message)).toEqual(['the file is too large: a test file can have at most 262144 characters']);
  });

  test('with errors in every line is read quickly and has 100 diagnostics', () => {
    const source = Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`)
      .join('\n')
      .slice(0, 250_000);
    const workedMs = countProcessorMs();

    const { diagnostics } = readRuleTests({ file: 'x.test.yaml', source });

    expect(diagnostics).toHaveLength(100);
    expect(workedMs()).toBeLessThan(5_000);
  });
});
