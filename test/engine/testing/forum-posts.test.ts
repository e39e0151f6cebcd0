import { expect, test } from 'vitest';
import { diagnosticsOf } from '../../support/rule-language.ts';
import { fileCases } from './cases.ts';

const RULE = `
id: open-questions
when:
  every: 1m
  watch: discord.getMessages
  with: { channel: questions }
  where: '"Open" in item.tags'
then:
  - do: discord.send
    with: { channel: moderators, content: "\${{ item.author.displayName }} asks: \${{ item.title }}" }
  - do: discord.send
    with: { channel: "\${{ item.thread.id }}", content: Somebody will answer. }
`;

const TESTS = `
rule: open-questions
start: 2026-11-20T18:00:00Z
cases:
  - it: tells of a post that is open, with its title, and says so below it
    polls:
      - { at: 0s, items: [] }
      - at: 1m
        items:
          - { key: "7", title: Which opening?, tags: [Open], author: { displayName: Ada }, thread: { id: "1202584131993600700" } }
          - { key: "8", title: Which end?, tags: [Solved] }
          - { key: "9", title: Which game? }
    expect:
      - { at: 1m, do: discord.send, with: { channel: moderators, content: "Ada asks: Which opening?" } }
      - { at: 1m, do: discord.send, with: { channel: "1202584131993600700" } }
`;

test('a rule that watches a forum reads the title, the tags and the thread of its posts', () => {
  expect(diagnosticsOf(RULE)).toEqual([]);
  expect(diagnosticsOf(RULE.replace('item.title', 'item.titel'))).toEqual([expect.stringContaining('error expression then[0]')]);
});

test('the tests of a forum rule can have posts', async () => {
  expect(await fileCases(RULE, { file: 'open-questions.test.yaml', source: TESTS })).toEqual([expect.stringMatching(/^✓/)]);
});
