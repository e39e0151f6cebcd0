import { readdirSync, readFileSync } from 'node:fs';
import { fc } from '../../support/property.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { TestPoll } from '#src/engine/testing/rule-tests.ts';
import { rulesOf } from '../../support/rule-language.ts';

export const MINUTE = 60_000;

/** A rule with waits, edits, lists, a failure that stops later steps, a question, quiet hours and a queue. */
const CROWDED = `
id: crowded
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace] }, changes: [entered, { changed: [title] }], grace: 3m }
mode: restart
quiet: { from: "18:20", to: "18:40", then: hold }
then:
  - { id: post, do: social.createPost, as: [bluesky, mastodon], fit: thread, onError: stop, retry: { for: 5m }, with: { text: "\${{ item.title }}" } }
  - { id: verdict, do: discord.ask, maxAge: 10m37s, with: { channel: mods, content: "\${{ steps.post.url }}?", choices: [a, b] } }
  - wait: 2m
  - { id: all, do: discord.send, forEach: item.tags, with: { channel: live, content: "\${{ it }} \${{ steps.verdict.choice }}" } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.all.map(s, s.id).join(\\" \\") }} \${{ steps.post.on.mastodon.id }}" } }
while:
  - { id: edit, do: discord.edit, with: { message: "\${{ steps.verdict.id }}", content: "\${{ item.viewerCount }} watch" } }
finally:
  - wait: 4m
  - { do: discord.edit, with: { message: "\${{ steps.verdict.id }}", content: "was live for \${{ duration(episode.lengthMs) }}" } }
`;

/** A card with few different texts, so that many edits are unchanged. */
const CARD = `
id: card
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace] }, grace: 3m }
then:
  - { id: post, do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
while:
  - { id: edit, do: discord.edit, with: { message: "\${{ steps.post.id }}", content: "\${{ item.viewerCount > 50 ? \\"many\\" : \\"few\\" }}" } }
finally:
  - { do: discord.edit, with: { message: "\${{ steps.post.id }}", content: over } }
`;

/** The start of every timeline. */
export const START_MS = Date.parse('2026-11-20T18:00:00Z');

/** Rules with all features. */
export const RULES: readonly Rule[] = [
  ...rulesOf(CROWDED),
  ...rulesOf(CARD),
  ...readdirSync('test/rules/examples').flatMap((name) => rulesOf(readFileSync(`test/rules/examples/${name}`, 'utf8')).slice(0, 1)),
];

const item = fc.record(
  {
    key: fc.constantFrom('ada', 'grace'),
    id: fc.constantFrom('first', 'second'),
    title: fc.constantFrom('One', 'Two', 'Three'),
    viewerCount: fc.constantFrom(40, 60, 80),
    language: fc.constantFrom('en', 'de'),
    tags: fc.constantFrom([], ['red', 'blue']),
  },
  { requiredKeys: ['key', 'viewerCount', 'language'] },
);

const poll = fc.record({
  afterMinutes: fc.integer({ min: 1, max: 9 }),
  items: fc.option(fc.uniqueArray(item, { selector: ({ key }) => key, maxLength: 2 }), { freq: 6, nil: undefined }),
  refused: fc.subarray(['post.bluesky', 'edit.discord'], { maxLength: 1 }),
  verdict: fc.constantFrom(undefined, undefined, 'b'),
});

/** A rule and its polls. */
export interface Life {
  readonly rule: Rule;
  readonly lines: readonly TestPoll[];
}

/** A random rule with random polls. */
export const life: fc.Arbitrary<Life> = fc
  .record({
    rule: fc.oneof(fc.constantFrom(...RULES.slice(0, 2)), fc.constantFrom(...RULES)),
    polls: fc.array(poll, { minLength: 1, maxLength: 30 }),
  })
  .map(({ rule, polls }) => {
    let atMs = 0;
    const ids = new Set([...rule.then, ...rule.while].flatMap(({ id, as }) => as.map((account) => `${id}.${account}`)));
    const lines = polls.map(({ afterMinutes, items, refused, verdict }): TestPoll => {
      atMs += afterMinutes * MINUTE;
      const read = items ? { items } : { error: 'unavailable' };
      // A case must not name a step that the rule does not have.
      const answers = verdict !== undefined && ids.has('verdict.discord') ? { verdict: { choice: verdict } } : {};
      return { atMs, line: 1, restart: false, ...read, fail: refused.filter((name) => ids.has(name)), answers };
    });
    return { rule, lines };
  });
