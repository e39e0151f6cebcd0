import { expect, test } from 'vitest';
import { ruleDetails } from '#src/admin/queries/rule-details.ts';
import { creating, setting } from '../../support/firings.ts';
import { makeRule } from '../../support/rules.ts';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const rule = makeRule({
  id: 'live',
  then: [creating(['x'])],
  while: [setting(['discord'], { everyMs: 60_000, with: { channel: 'news' } })],
});

function read(isOn: boolean) {
  const inForce = new Map([
    ['live', { file: 'rules/live.yaml', source: 'id: live\n', rules: [rule], diagnostics: [], editedMessages: [], follows: [], files: [] }],
  ]);
  const now = { inForce, rules: [rule], diagnostics: [], files: new Set<string>(), asBefore: new Set<string>(), unusable: new Map() };
  return ruleDetails(rule, { registry: { now, isOn: () => isOn }, nowMs: NOW_MS });
}

test('the details of a rule have its text, its steps and its next runs', () => {
  expect(read(true)).toEqual({
    rule: 'live',
    source: 'id: live\n',
    timezone: 'UTC',
    nextRuns: [10, 20, 30, 40, 50].map((seconds) => new Date(NOW_MS + seconds * 1000)),
    watches: { operation: 'streaming.getStreams', accounts: ['twitch'], changes: ['entered'] },
    steps: [
      { section: 'then', do: 'social.createPost', accounts: ['x'], channel: undefined, everyMs: undefined },
      { section: 'while', do: 'discord.edit', accounts: ['discord'], channel: 'news', everyMs: 60_000 },
    ],
  });
});

test('a rule that is off has no next runs', () => {
  expect(read(false).nextRuns).toEqual([]);
});
