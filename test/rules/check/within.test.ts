import { describe, expect, test } from 'vitest';
import { checkAcrossFiles } from '#src/rules/check/check-across-files.ts';
import { accounts, check, diagnosticsOf, ruleOf } from '../../support/rule-language.ts';

const STEP = 'then:\n  - { id: post, do: discord.send, with: { channel: live, content: hi } }';
const STREAMS = 'watch: streaming.getStreams, with: { users: [ada] }';

function rule(when: string, rest = ''): string {
  return `id: r\nwhen: { ${when} }\n${rest}${STEP}`;
}

describe('within', () => {
  test.each([
    ['every: 30s, within: 5m', { everyMs: 30_000 }, 300_000],
    ['every: 1m, within: 1m', { everyMs: 60_000 }, 60_000],
    // Notifications can stop at any time.
    ['every: 5m, within: 30s', { everyMs: 30_000 }, 30_000],
    ['every: 5m, within: 1s', { everyMs: 5_000 }, 1_000],
  ])('%s', (when, schedule, withinMs) => {
    expect(ruleOf(rule(`${when}, ${STREAMS}`))).toMatchObject({ schedule, withinMs });
  });

  test.each([
    [`every: 5m, within: ▲30s, ${STREAMS}`, '', ['▲ warning within-below-every when.within']],
    [`every: 5s, within: ▲2s, ${STREAMS}`, '', ['▲ warning impossible-within when.within']],
    [`timezone: UTC, cron: "0 9 * * *", ▲within: 1m, ${STREAMS}`, '', ['▲ warning impossible-within when.within']],
    [`every: 30s, within: ▲1m, settle: 2m, ${STREAMS}`, '', ['▲ warning impossible-within when.within']],
    [`every: 30s, within: ▲1m, confirm: 4, ${STREAMS}`, '', ['▲ warning impossible-within when.within']],
    [
      `every: 30s, within: ▲1m, per: slot, ${STREAMS}`,
      'if: items.size() > 0\nfuse: { firings: 500 }\n',
      ['▲ warning impossible-within when.within'],
    ],
    [`every: 30s, within: 1m, settle: 1m, confirm: 3, ${STREAMS}`, '', []],
    ['every: 5m, ▲within: 10m', 'fuse: { firings: 500 }\n', ['▲ error key-without-watch when.within']],
    [`every: 1m, within: ▲soon, ${STREAMS}`, '', ['▲ error wrong-value when.within']],
  ])('%s', (when, rest, expected) => {
    expect(diagnosticsOf(rule(when, rest))).toEqual(expected);
  });

  const busy = {
    ...accounts,
    streaming: { all: ['twitch'], defaults: [], requestsPerMinute: { twitch: 100 } },
  };
  const many = (id: string, count: number, rest: string): string =>
    `id: ${id}\nwhen: { every: 1m, within: 2m, watch: streaming.getStreams, with: { users: [${Array.from({ length: count }, (_, index) => `${id}${index}`).join()}] } }\n${rest}${STEP}`;

  test('needs room in the rate limit beside rules of the same or a higher priority', () => {
    const files = [many('first', 6_000, 'priority: high\n'), many('second', 5_000, ''), many('third', 100, 'priority: low\n')].map(
      (source, index) => ({ ...check(source, { accounts: busy }), file: `rules/${index}.yaml`, source }),
    );

    const found = checkAcrossFiles(files, { accounts: busy }).filter(({ code }) => code === 'impossible-within');

    expect(found.map(({ file, line, message, hint }) => ({ file, line, message, hint }))).toEqual([
      {
        file: 'rules/1.yaml',
        line: 2,
        message:
          'within: 2m is not possible: all rules need 111 requests per minute of twitch, which has 80 for polls, so this rule is polled about every 2m 30s',
        hint: 'write priority: high, or poll other rules less often',
      },
      {
        file: 'rules/2.yaml',
        line: 2,
        message:
          'within: 2m is not possible: all rules need 111 requests per minute of twitch, which has 80 for polls, so this rule is polled about every 10m 1s',
        hint: 'write priority: high, or poll other rules less often',
      },
    ]);
  });
});

test.each([
  ['priority: high', 'high'],
  ['priority: low', 'low'],
  ['', undefined],
])('the priority of a rule: %s', (line, expected) => {
  expect(ruleOf(rule(`every: 1m, ${STREAMS}`, `${line}\n`)).priority).toBe(expected);
});

describe('the fields that decide about a rule', () => {
  test.each([
    ['no field, if only the presence counts', '', '', []],
    ['those of the condition', ', where: item.viewerCount > 5 && item.game.name == "Chess"', '', ['game', 'viewerCount']],
    ['those of the changes', ', changes: [{ changed: [game.name, title] }]', '', ['game', 'title']],
    ['a number that rises', ', changes: [{ rose: { field: viewerCount, above: 100 } }]', '', ['viewerCount']],
    ['those by which the platform selects', ', where: item.viewerCount > 5', '', ['game', 'viewerCount'], ', games: [Chess]'],
    ['a rank', ', take: 3, settle: 1m', '', ['rank']],
    [
      'those of the last poll in the steps at the end',
      '',
      'finally:\n  - { do: discord.send, with: { channel: live, content: "${{ item.title }}" } }\n',
      ['title'],
    ],
    [
      'each poll, for steps of while',
      '',
      'while:\n  - { do: discord.edit, with: { message: "${{ steps.post.id }}", content: hi } }\n',
      undefined,
    ],
    [
      'each poll, for data that each poll adds to',
      '',
      'finally:\n  - { do: discord.send, with: { channel: live, content: "${{ string(episode.polls) }}" } }\n',
      undefined,
    ],
  ])('%s', (_, when, rest, expected, params = '') => {
    const streams = STREAMS.replace(' }', `${params} }`);
    expect(ruleOf(rule(`every: 1m, ${streams}${when}`, rest)).watched?.decidingFields).toEqual(expected);
  });
});
