import { describe, expect, test } from 'vitest';
import { formatCase } from '#src/engine/testing/format-case.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';
import type { CaseResult } from '#src/engine/testing/case-result.ts';
import { catalogue, rulesOf, TOP_FIVE } from '../../support/rule-language.ts';

const CARD = `
id: live-card
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada, grace] }
  grace: 15m
then:
  - id: card
    do: discord.send
    with: { channel: live, embed: { title: "\${{ item.title }}", url: "\${{ item.url }}", image: "\${{ item.thumbnailUrl }}" } }
while:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", embed: { title: "\${{ item.title }}", footer: "\${{ compact(item.viewerCount) }} watching" } }
finally:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", embed: { footer: "was live for \${{ duration(episode.lengthMs) }}, peak \${{ compact(episode.peak.viewerCount) }}" } }
`;

const LOOKUP = `
id: look-up
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { id: who, do: streaming.getUser, with: { user: "\${{ item.owner.handle }}" } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.who.bio }}" } }
`;

const NEWS = `
id: news
when: { every: 1h }
then:
  - { do: discord.send, with: { channel: live, content: An hour has passed. } }
`;

describe('the cases of a test file', () => {
  test('announce nothing on the first poll, then a streamer who stays for two minutes', async () => {
    const [result] = await run(
      TOP_FIVE,
      `
      - it: says nothing on the first poll, then announces who stays for two minutes
        polls:
          - { at: 0m, items: [{ key: ada, viewerCount: 9000 }] }
          - { at: 5m, items: [{ key: ada, viewerCount: 9000 }, { key: grace, viewerCount: 5000 }] }
          - { at: 10m, items: [{ key: ada, viewerCount: 9000 }, { key: grace, viewerCount: 5200 }] }
        expect:
          - { at: 10m, do: social.createPost, with: { text: "/^grace is now #2 in VALORANT with 5.2K viewers/" } }
          - { at: 10m, do: discord.send, with: { content: "New in the top five: grace https://example.invalid/post-1" } }
      `,
    );

    expect(result && formatCase(result, { color: false })).toBe(
      '✓ says nothing on the first poll, then announces who stays for two minutes',
    );
  });

  test.for([
    {
      what: 'a card that is sent, edited after changes and closed',
      rule: CARD,
      cases: `
      - it: works
        polls:
          - { at: 0m, items: [] }
          - { at: 1m, items: [{ key: ada, viewerCount: 10 }] }
          - { at: 2m, items: [{ key: ada, viewerCount: 10 }] }
          - { at: 3m, items: [{ key: ada, viewerCount: 10 }] }
          - { at: 4m, items: [{ key: ada, viewerCount: 1200 }] }
          - { at: 5m, items: [] }
          - { at: 20m, items: [] }
        expect:
          - { at: 1m, do: discord.send, as: discord, with: { channel: live, embed: { title: "ada's title" } } }
          - { at: 2m, do: discord.edit, with: { message: card-1, embed: { footer: 10 watching } } }
          - { at: 4m, do: discord.edit, with: { message: card-1, embed: { footer: 1.2K watching } } }
          - { at: 20m, do: discord.edit, with: { message: card-1, embed: { footer: "was live for 3m, peak 1.2K" } } }`,
    },
    {
      what: 'a restart and failed polls in the middle',
      rule: CARD,
      cases: `
      - it: works
        polls:
          - { at: 0m, items: [] }
          - { at: 1m, items: [{ key: ada }] }
          - { at: 2m, restart: true }
          - { at: 3m, error: unavailable }
          - { at: 4m, items: [{ key: ada, viewerCount: 5 }] }
          - { at: 5m, restart: true }
          - { at: 5m, items: [{ key: ada, viewerCount: 5 }, { key: grace }] }
        expect:
          - { at: 1m, do: discord.send }
          - { at: 5m, do: discord.send, with: { embed: { title: "grace's title" } } }
          - { at: 4m, do: discord.edit, with: { message: card-1, embed: { footer: 5 watching } } }`,
    },
    {
      what: 'a stream that continues after its end: its card is edited again, even if its text is unchanged',
      rule: CARD,
      cases: `
      - it: works
        polls:
          - { at: 0m, items: [] }
          - { at: 1m, items: [{ key: ada }] }
          - { at: 2m, items: [{ key: ada }] }
          - { at: 3m, items: [] }
          - { at: 18m, items: [] }
          - { at: 19m, items: [{ key: ada }] }
          - { at: 20m, items: [{ key: ada }] }
        expect:
          - { at: 1m, do: discord.send }
          - { at: 2m, do: discord.edit, with: { embed: { footer: 0 watching } } }
          - { at: 18m, do: discord.edit, with: { embed: { footer: "/^was live/" } } }
          - { at: 19m, do: discord.edit, with: { embed: { footer: 0 watching } } }`,
    },
    {
      what: 'a failing target: its card is not edited',
      rule: CARD,
      cases: `
      - it: works
        polls:
          - { at: 0m, items: [] }
          - { at: 1m, items: [{ key: ada }], fail: [card.discord] }
          - { at: 2m, items: [{ key: ada }] }`,
    },
    {
      what: 'one failing target of two',
      rule: TOP_FIVE,
      cases: `
      - it: works
        polls:
          - { at: 0m, items: [] }
          - { at: 5m, items: [{ key: ada, viewerCount: 9000 }] }
          - { at: 10m, items: [{ key: ada, viewerCount: 9000 }], fail: [post.mastodon] }
        expect:
          - { at: 10m, do: social.createPost, as: [bluesky] }
          - { at: 10m, do: discord.send, with: { content: "New in the top five: ada https://example.invalid/post-1" } }`,
    },
    {
      what: 'a question for two members, after a restart',
      rule: `id: asking
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { id: verdict, do: discord.ask, maxAge: 1h, with: { channel: mods, content: Well?, choices: [yes, no], answers: 2 } }
  - { do: discord.send, if: 'steps.verdict.choice == "yes"', with: { channel: live, content: "\${{ size(steps.verdict.answers) }} agree" } }
`,
      cases: `
      - it: works
        polls:
          - { at: 0m, items: [] }
          - { at: 1m, items: [{ key: ada }] }
          - { at: 2m, items: [{ key: ada }], answers: { verdict: { choice: yes, by: ada } } }
          - { at: 3m, restart: true }
          - { at: 4m, items: [{ key: ada }], answers: { verdict: { choice: yes, by: ada } } }
          - { at: 5m, items: [{ key: ada }], answers: { verdict: { choice: yes, by: grace } } }
        expect:
          - { at: 1m, do: discord.ask }
          - { at: 5m, do: discord.send, with: { content: 2 agree } }`,
    },
    {
      what: 'the result of a step that reads',
      rule: LOOKUP,
      cases: `
      - it: works
        polls:
          - { at: 0m, items: [] }
          - { at: 1m, items: [{ key: ada }], answers: { who: { bio: I play chess. } } }
        expect:
          - { at: 1m, do: discord.send, with: { content: I play chess. } }`,
    },
    {
      what: 'a rule that watches nothing',
      rule: NEWS,
      cases: `
      - it: works
        polls: [{ at: 0m }, { at: 60m }]
        expect:
          - { at: 0m, do: discord.send, with: { content: An hour has passed. } }
          - { at: 60m, do: discord.send }`,
    },
    {
      what: 'a channel without a start that is first seen after a long time',
      rule: CARD,
      cases: `
      - it: works
        polls:
          - { at: 0m, items: [] }
          - { at: 5h, items: [{ key: ada }] }
        expect:
          - { at: 5h, do: discord.send }`,
    },
    {
      what: 'a channel that went live in a gap, longer ago than maxAge',
      rule: CARD,
      cases: `
      - it: works
        polls:
          - { at: 0m, items: [] }
          - { at: 5h, items: [{ key: ada, startedAt: 2026-11-20T19:00:00Z }] }`,
    },
  ])('pass: $what', async ({ rule, cases }) => {
    const printed = (await run(rule, cases)).map((result) => formatCase(result, { color: false }));

    expect(printed).toEqual(['✓ works']);
  });

  test('are independent', async () => {
    const results = await run(
      CARD,
      `
      - { it: one, polls: [{ at: 0m, items: [] }, { at: 1m, items: [{ key: ada }] }], expect: [{ at: 1m, do: discord.send }] }
      - { it: two, polls: [{ at: 1m, items: [{ key: ada }] }] }
      `,
    );

    expect(results.map(({ passed }) => passed)).toEqual([true, true]);
  });
});

const ASKING = `id: asking
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ id: verdict, do: discord.ask, maxAge: 1h, with: { channel: mods, content: Well?, choices: [yes, no] } }]
`;

describe('a failing case', () => {
  test('shows both sides of a different parameter, and the decisions of the rule', async () => {
    const [result] = await run(
      TOP_FIVE,
      `
      - it: promises too much
        polls:
          - { at: 0m, items: [] }
          - { at: 5m, items: [{ key: ada, viewerCount: 9000 }] }
          - { at: 10m, items: [{ key: ada, viewerCount: 9000 }] }
        expect:
          - { at: 10m, do: social.createPost, as: mastodon, with: { text: ada is first } }
          - { at: 10m, do: social.createPost, as: bluesky }
          - { at: 15m, do: discord.send }
      `,
    );

    expect(result && formatCase(result, { color: false })).toBe(
      [
        '✗ promises too much rules/x.test.yaml:4',
        '    different  10m social.createPost as mastodon line 10',
        '      text',
        '        expected "ada is first"',
        '        sent     "ada is now #1 in VALORANT with 9K viewers https://example.invalid/ada"',
        '    missing    15m discord.send line 12',
        '      sent at 10m',
        '    unexpected 10m discord.send as discord',
        '      channel: "stream-news"',
        '      content: "New in the top five: ada https://example.invalid/post-1"',
        '    decisions:',
        '      0m unchanged: 0 items in the list, 0 followed',
        '      5m waiting: ada is #1 with 9,000 viewers: settling for 2m more',
        '      10m fired: ada entered at #1 with 9,000 viewers',
      ].join('\n'),
    );
  });

  test('names another time only for the same contents', async () => {
    const [result] = await run(
      NEWS,
      '\n      - it: comes later\n        polls: [{ at: 0m }]\n        expect: [{ at: 5m, do: discord.send, as: discord, with: { content: Hello } }]',
    );

    expect(result && formatCase(result, { color: false })).not.toContain('it was done at');
  });

  test('shows a text of several lines as a block', async () => {
    const [result] = await run(
      NEWS.replace('An hour has passed.', '"Hello,\\nan hour has passed."'),
      '\n      - it: has two lines\n        polls: [{ at: 0m }]\n        expect: [{ at: 0m, do: discord.send, with: { content: "Hello,\\nworld." } }]',
    );

    expect(result && formatCase(result, { color: false })).toBe(
      [
        '✗ has two lines rules/x.test.yaml:4',
        '    different  0m discord.send as discord line 6',
        '      content',
        '        expected │ Hello,',
        '                 │ world.',
        '        sent     │ Hello,',
        '                 │ an hour has passed.',
        '    decisions:',
        '      0m fired: scheduled run',
      ].join('\n'),
    );
  });

  test('shows the first twenty differences', async () => {
    const polls = Array.from({ length: 25 }, (_, hour) => `{ at: ${hour}h }`).join(', ');

    const [result] = await run(NEWS, `\n      - it: says too much\n        polls: [${polls}]`);

    const printed = result && formatCase(result, { color: false });
    expect(printed?.match(/unexpected/gu)).toHaveLength(20);
    expect(printed).toContain('    and 5 more\n');
  });

  test('shows why a step was not sent', async () => {
    const [result] = await run(
      TOP_FIVE,
      `
      - it: is in a hurry
        polls:
          - { at: 0m, items: [] }
          - { at: 5m, items: [{ key: ada, viewerCount: 9000 }] }
        expect:
          - { at: 5m, do: discord.send }
      `,
    );

    expect(result && formatCase(result, { color: false })).toContain('5m waiting: ada is #1 with 9,000 viewers: settling for 2m more');
  });

  test.for([
    {
      what: 'an unknown field',
      rule: CARD,
      poll: '{ at: 0m, items: [{ key: ada, viewrCount: 9 }] }',
      error: 'line 6: items[0].viewrCount: unknown field, did you mean viewerCount?',
    },
    {
      what: 'a step that cannot be rendered',
      rule: NEWS.replace('An hour has passed.', '"${{ string(int(rule.id)) }}"'),
      poll: '{ at: 0m }',
      error: expect.stringMatching(/^0m discord.send as discord failed: /u),
    },
    {
      what: 'a poll without items for a rule that watches a list',
      rule: CARD,
      poll: '{ at: 0m }',
      error: 'line 6: the rule watches streaming.getStreams, so the poll needs items or error',
    },
    {
      what: 'items for a rule that watches nothing',
      rule: NEWS,
      poll: '{ at: 0m, items: [] }',
      error: 'line 6: the rule has no watch, so the poll cannot have items',
    },
    {
      what: 'an answer to an unknown step',
      rule: CARD,
      poll: '{ at: 0m, items: [], answers: { who: {} } }',
      error: 'line 6: the rule has no step who',
    },
    {
      what: 'an answer to a question that is not open yet',
      rule: ASKING,
      poll: '{ at: 0m, items: [], answers: { verdict: { choice: yes } } }\n          - { at: 1m, items: [{ key: ada }] }\n        expect: [{ at: 1m, do: discord.ask }]',
      error: 'line 6: answers.verdict: no question was open at this time',
    },
    {
      what: 'an expectation of an unknown operation or account',
      rule: CARD,
      poll: '{ at: 0m, items: [] }\n        expect: [{ at: 0m, do: discord.sned }, { at: 0m, do: discord.send, as: discrod }]',
      error: 'line 7: no step of the rule runs discord.sned, did you mean discord.send?',
    },
    {
      what: 'an unknown target',
      rule: CARD,
      poll: '{ at: 0m, items: [], fail: [card.mastodon] }',
      error: 'line 6: the rule has no step card on mastodon',
    },
  ])('reports $what', async ({ rule, poll, error }) => {
    const [result] = await run(rule, `\n      - it: cannot be\n        polls:\n          - ${poll}`);

    expect(result?.passed).toBe(false);
    expect(result?.errors[0]).toEqual(error);
  });
});

async function run(source: string, cases: string): Promise<readonly CaseResult[]> {
  const rules = rulesOf(source.trim());
  const { tests, diagnostics } = readRuleTests({
    file: 'rules/x.test.yaml',
    source: `rule: ${rules[0]?.name}\nstart: 2026-11-20T18:00:00Z\ncases:${cases.startsWith('\n') ? '' : '\n'}${cases}`,
  });
  if (!tests) throw new Error(JSON.stringify(diagnostics));
  return await runRuleTests({ tests, rules, catalogue });
}
