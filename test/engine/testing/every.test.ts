import { expect, test } from 'vitest';
import { runCases } from './cases.ts';

/** A rule with a card, an edit at each poll and a reminder each four hours. */
function live(reminder: string, top = ''): string {
  return `id: x
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, confirm: { gone: 1 } }
${top}
then:
  - { id: card, do: discord.send, with: { channel: live, content: "LIVE" } }
while:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.title }}" } }
${reminder}`;
}

const REMINDER = (more = '') => `  - { id: reminder, every: 4h${more}, do: discord.send, with: { channel: live, content: "still live" } }`;

const POLLS = [
  '{ at: 0m, items: [] }',
  '{ at: 1m, items: [{ key: ada, title: one }] }',
  '{ at: 2m, items: [{ key: ada, title: one }] }',
  '{ at: 241m, items: [{ key: ada, title: one }] }',
  '{ at: 242m, items: [{ key: ada, title: two }] }',
  '{ at: 490m, items: [{ key: ada, title: two }] }',
];

const RESTARTS = POLLS.flatMap((poll) => [poll, poll.replace(/at: (\d+)m, items: .*/u, 'at: $1m1s, restart: true }')]);

const EDITS = [
  '        - { at: 1m, do: discord.send, with: { content: LIVE } }',
  '        - { at: 2m, do: discord.edit, with: { content: one } }',
  '        - { at: 242m, do: discord.edit, with: { content: two } }',
];

function reminderAt(at: string): string {
  return `        - { at: ${at}, do: discord.send, with: { content: still live } }`;
}

test.each<[what: string, rule: string, polls: readonly string[], expected: readonly string[]]>([
  ['the same text is sent at each multiple, and edits go on', live(REMINDER()), POLLS, [...EDITS, reminderAt('241m'), reminderAt('490m')]],
  ['an if is evaluated at each multiple', live(REMINDER(', if: "item.title == \'two\'"')), POLLS, [...EDITS, reminderAt('490m')]],
  ['restarts send nothing twice', live(REMINDER()), RESTARTS, [...EDITS, reminderAt('241m'), reminderAt('490m')]],
])('%s', async (_, rule, polls, expected) => {
  const list = polls.map((poll) => `\n        - ${poll}`).join('');
  const report = await runCases(rule, `\n      polls:${list}\n      expect:\n${expected.join('\n')}`);

  expect(report).toEqual(['✓ works']);
});
