import { describe, expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { checkDraft } from '#src/discord/assistant-tools/check-draft.ts';
import { EXAMPLE_RULE, EXAMPLE_TESTS, RULE_GUIDE, STEPS, TESTS_GUIDE, WHENS } from '#src/discord/assistant-tools/rule-guide.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import type { ScaffoldAnswers } from '#src/admin/scaffold/answers.ts';
import { draftRule } from '#src/admin/scaffold/draft-rule.ts';
import { draftTest } from '#src/admin/scaffold/draft-test.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const onSandbox = accountsOf(configOfEnvironment({}));
const checker = {
  accounts: onSandbox,
  isOn: () => true,
  nowMs: () => nowMs,
  isTaken: async () => false,
  sourceToWrite: (source: string) => source,
};

function problemsOf(source: string): ReturnType<typeof checkRule>['diagnostics'] {
  return checkRule({ file: 'x.yaml', source, catalogue, accounts: onSandbox, nowMs }).diagnostics;
}

describe('the guide for the assistant', () => {
  test('has the checked example, its tests and lines', () => {
    expect(TESTS_GUIDE).toContain(EXAMPLE_TESTS);
    for (const shown of [EXAMPLE_RULE, ...Object.values(WHENS), ...STEPS.map(([, step]) => step)]) expect(RULE_GUIDE).toContain(shown);
  });

  test('has an example without diagnostics and with passing tests', async () => {
    expect(await checkDraft(EXAMPLE_RULE, EXAMPLE_TESTS, checker)).toEqual({ rule: 'chess-tops', remarks: [] });
  });

  test.each(Object.entries(WHENS))('has a valid trigger for %s', (_, when) => {
    expect(problemsOf(`id: r\nwhen: ${when}\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n`)).toEqual([]);
  });

  test('has valid alternatives in the comments of the example', () => {
    const comment = /changes: .*# or left, (.*)$/mu.exec(EXAMPLE_RULE)?.[1] ?? '';
    const every = /every: 5m +# or (cron: .*) with (timezone: \S+), or (at: \S+)$/mu.exec(EXAMPLE_RULE) ?? [];

    expect(problemsOf(EXAMPLE_RULE.replace(/changes: .*/u, `changes: [left, ${comment}]`))).toEqual([]);
    expect(problemsOf(EXAMPLE_RULE.replace(/every: .*/u, `${every[1]}\n  ${every[2]}`))).toEqual([]);
    expect(problemsOf(`id: r\nwhen: { ${every[3]} }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n`)).toEqual([]);
  });

  test('has steps that are valid together', () => {
    const sections = Map.groupBy(STEPS, ([section]) => section);
    const text = [...sections].map(([section, steps]) => `${section}:\n${steps.map(([, step]) => `  - ${step}`).join('\n')}`).join('\n');

    expect(problemsOf(`id: r\nwhen: ${WHENS['a channel goes live']}\n${text}\n`)).toEqual([]);
  });

  test('names existing fields of items', () => {
    const fields = (what: string): readonly string[] =>
      (new RegExp(`${what}: ([^.]*(?:\\.\\w[^.]*)*)\\.`, 'u').exec(RULE_GUIDE)?.[1] ?? '').split(', ');
    const text = (names: readonly string[]): string => names.map((name) => `\${{ [item.${name}].size() }}`).join(' ');
    const rule = (when: string, names: readonly string[]): string =>
      `id: r\nwhen: ${when}\nthen: [{ do: discord.send, with: { channel: live, content: "${text(names)}" } }]\n`;

    expect(fields('The fields of a stream').length).toBeGreaterThan(5);
    for (const [what, when] of [
      ['The fields of a stream', 'a channel goes live'],
      ['Of a clip', 'new clips of a game'],
      ['Of a post', 'new posts'],
    ] as const) {
      expect(problemsOf(rule(WHENS[when] ?? '', fields(what)))).toEqual([]);
    }
  });
});

describe('a rule of `fanfare new`', () => {
  const kinds = ['top', 'live', 'clips', 'posts'] as const;
  const channels = [{ channel: 'live', post: true }, { channel: 'live', post: false }, { post: true }];

  test.each(kinds.flatMap((kind) => channels.map((place) => [kind, place] as const)))(
    'passes the check and its own tests: %s, %o',
    async (kind, place) => {
      const answers: ScaffoldAnswers = { id: 'new-rule', kind, whom: ['ada'], targets: place, every: '5m', least: 10, take: 3 };

      expect(await checkDraft(draftRule(answers), draftTest(answers), checker)).toEqual({
        rule: 'new-rule',
        posts: place.post || undefined,
        remarks: [],
      });
    },
  );
});
