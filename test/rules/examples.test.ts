import { readdirSync, readFileSync } from 'node:fs';
import { fc } from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { renderStep } from '#src/rules/render.ts';
import type { StepResults } from '#src/rules/results.ts';
import type { Rule, Scope } from '#src/rules/rule.ts';
import { ada, catalogue, check, ruleOf, scopeOf, TOP_FIVE, without } from '../support/rule-language.ts';

const LIVE_CARD = `
id: live-card
about: Sends one card for each stream, edits it during the stream, and closes it at the end.
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace, linus] }, grace: 15m }
then:
  - id: card
    do: discord.send
    with: { channel: live, embed: { title: "\${{ item.title }}", url: "\${{ item.url }}", image: "\${{ item.thumbnailUrl }}" } }
while:
  - do: discord.edit
    if: episode.polls % 5 == 0
    with: { message: "\${{ steps.card.id }}", embed: { title: "\${{ item.title }}", footer: "\${{ compact(item.viewerCount) }} watching \${{ item.game.name }}" } }
finally:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", embed: { title: "\${{ item.title }}", footer: "was live for \${{ duration(episode.lengthMs) }}, peak \${{ compact(episode.peak.viewerCount) }}" } }
`;

const DIGEST = `
id: digest
when: { cron: "0 18 * * 0", timezone: Europe/Paris, watch: streaming.getTopStreams, changes: [entered, left] }
if: items.size() > 0
then:
  - do: discord.send
    with:
      channel: digest
      content: |
        \${{ items.map(i, string(i.rank) + ". " + i.owner.displayName + " · " + i.title).join("\\n") }}
        \${{ change.kind == "left" ? "gone" : "new" }} on \${{ date(now, "Europe/Paris", "date") }}: \${{ previous.title }} \${{ previous.viewerCount }}
`;

const results: StepResults = {
  post: [{ account: 'bluesky', result: { id: 'p1', url: 'https://social.test/p1' } }],
  card: [{ account: 'discord', result: { id: 'live/1', url: 'https://discord.test/1' } }],
};

/** Renders all steps of a rule. */
function renderAll(rule: Rule, scope: Scope): readonly unknown[] {
  return (['then', 'while', 'finally'] as const).flatMap((section) =>
    rule[section].map((step) => renderStep({ step, section, account: step.as[0] ?? '', names: rule.names, scope, results, catalogue })),
  );
}

const OPTIONAL = ['url', 'owner.url', 'game', 'game.url', 'language', 'mature', 'thumbnailUrl', 'thumbnailTemplate'];

interface Example {
  readonly source: string;
  /** The rendered steps for a complete stream, and for a stream with required fields only. */
  readonly full: readonly unknown[];
  readonly bare: readonly unknown[];
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  'the top five': {
    source: TOP_FIVE,
    full: [
      { params: { text: 'Ada is now #4 in VALORANT with 740 viewers https://twitch.tv/ada_' } },
      { params: { channel: 'stream-news', content: 'New in the top five: Ada https://social.test/p1' } },
    ],
    bare: [
      { params: { text: 'Ada is now #4 in VALORANT with 740 viewers ' } },
      { params: { channel: 'stream-news', content: 'New in the top five: Ada https://social.test/p1' } },
    ],
  },
  'the live card': {
    source: LIVE_CARD,
    full: [
      { params: { channel: 'live', embed: { title: ada.title, url: ada.url, image: ada.thumbnailUrl } } },
      { params: { message: 'live/1', embed: { title: ada.title, footer: '740 watching Chess' } } },
      { params: { message: 'live/1', embed: { title: ada.title, footer: 'was live for 2h 5m, peak 9K' } } },
    ],
    bare: [
      { params: { channel: 'live', embed: { title: ada.title } } },
      { params: { message: 'live/1', embed: { title: ada.title, footer: '740 watching ' } } },
      { params: { message: 'live/1', embed: { title: ada.title, footer: 'was live for 2h 5m, peak 9K' } } },
    ],
  },
  'the digest': {
    source: DIGEST,
    full: [{ params: { channel: 'digest', content: '4. Ada · Ranked until I win\nnew on Nov 20, 2026:  ' } }],
    bare: [{ params: { channel: 'digest', content: '4. Ada · Ranked until I win\nnew on Nov 20, 2026:  ' } }],
  },
};

describe.each(Object.entries(EXAMPLES))('%s', (_, { source, full, bare }) => {
  test('is valid without a warning', () => {
    expect(check(source).diagnostics).toEqual([]);
  });

  test('renders a complete stream', () => {
    expect(renderAll(ruleOf(source), scopeOf())).toEqual(full);
  });

  test('renders a stream with required fields only', () => {
    expect(renderAll(ruleOf(source), scopeOf(without(ada, ...OPTIONAL)))).toEqual(bare);
  });

  test('renders a stream without any optional fields', () => {
    const rule = ruleOf(source);

    fc.assert(
      fc.property(fc.subarray(OPTIONAL), (missing) => {
        const failures = renderAll(rule, scopeOf(without(ada, ...missing))).filter((rendered) =>
          JSON.stringify(rendered).startsWith('{"failure"'),
        );

        expect(failures).toEqual([]);
      }),
    );
  });
});

describe('the example rules', () => {
  test.each(readdirSync('test/rules/examples'))('%s is valid without a warning', (name) => {
    const { rules, diagnostics } = check(readFileSync(`test/rules/examples/${name}`, 'utf8'));

    expect(diagnostics).toEqual([]);
    expect(rules.length).toBeGreaterThan(0);
  });
});
