import { expect, test } from 'vitest';
import { ruleDetails } from '#src/admin/queries/rule-details.ts';
import type { LoggedEpisode } from '#src/rules/episode-log.ts';
import { creating, setting } from '../../support/firings.ts';
import { makeRule } from '../../support/rules.ts';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const rule = makeRule({
  id: 'live',
  then: [creating(['x'])],
  while: [setting(['discord'], { everyMs: 60_000, with: { channel: 'news' } })],
});

const episode: LoggedEpisode = {
  id: 'e1',
  rule: 'live',
  key: 'twitch/7',
  item: { displayName: 'Ada' },
  startedMs: NOW_MS - 60_000,
  openedMs: NOW_MS - 50_000,
  lengthMs: 40_000,
  peak: {},
  phase: 'closing',
  announced: true,
};

function read(isOn: boolean) {
  const asked: object[] = [];
  const episodes = { list: (filter: object) => (asked.push(filter), Promise.resolve([episode])) };
  const inForce = new Map([
    ['live', { file: 'rules/live.yaml', source: 'id: live\n', rules: [rule], diagnostics: [], editedMessages: [], follows: [], files: [] }],
  ]);
  const now = { inForce, rules: [rule], diagnostics: [], files: new Set<string>(), asBefore: new Set<string>() };
  return { asked, details: ruleDetails(rule, { registry: { now, isOn: () => isOn }, episodes, nowMs: NOW_MS }) };
}

test('the details of a rule have its text, its steps, its next runs and its newest episodes', async () => {
  const { asked, details } = read(true);

  expect(await details).toEqual({
    rule: 'live',
    source: 'id: live\n',
    timezone: 'UTC',
    nextRuns: [10, 20, 30, 40, 50].map((seconds) => new Date(NOW_MS + seconds * 1000)),
    watches: { operation: 'streaming.getStreams', accounts: ['twitch'], changes: ['entered'] },
    steps: [
      { section: 'then', do: 'social.createPost', accounts: ['x'], channel: undefined, everyMs: undefined },
      { section: 'while', do: 'discord.edit', accounts: ['discord'], channel: 'news', everyMs: 60_000 },
    ],
    episodes: [
      {
        id: 'e1',
        key: 'twitch/7',
        name: 'Ada',
        startedAt: new Date(NOW_MS - 60_000),
        lastSeenAt: new Date(NOW_MS - 20_000),
        closedAt: undefined,
        phase: 'closing',
        announced: true,
      },
    ],
  });
  expect(asked).toEqual([{ rule: 'live', sinceMs: NOW_MS - 7 * 86_400_000, limit: 50 }]);
});

test('a rule that is off has no next runs', async () => {
  expect((await read(false).details).nextRuns).toEqual([]);
});
