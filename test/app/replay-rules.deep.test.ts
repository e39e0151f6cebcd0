import { setImmediate as nextLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { createReplays } from '#src/app/replay-rules.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { mergeKey } from '#src/engine/planner/merge-queries.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import type { Item } from '#src/rules/poll.ts';
import { openStore } from '#src/store/store.ts';
import { START_MS } from '../engine/simulation/replay/replay-fixture.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { slowdown } from '../support/processor-time.ts';

const config = configOfEnvironment({ FANFARE_RULES: '/nowhere' });
const RULE = `id: live
when: { every: 10s, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }} is live" } }]
`;
const EVERY_MS = 10_000;
const POLLS = 10_050;
const STREAM: Item = {
  id: 'ada-1',
  owner: { id: 'ada', handle: 'ada', displayName: 'ada' },
  viewerCount: 900,
  startedAt: '2026-11-20T18:00:30Z',
};
const MAX_BLOCK_MS = 250;

test('a replay ends after 10,000 polls, and never blocks other work for long', async () => {
  const { rules } = checkRule({ file: 'live.yaml', source: RULE, catalogue, accounts: accountsOf(config) });
  const [watched] = rules.map((rule) => rule.watched);
  if (!watched) throw new Error('the rule watches a list');
  const clock = new ManualClock(START_MS);
  await using store = await openStore({ clock });
  const query = mergeKey({ verb: watched.verb, account: 'twitch', params: watched.with });
  for (let poll = 0; poll < POLLS; poll++) {
    const slotMs = START_MS + poll * EVERY_MS;
    clock.set(slotMs);
    const items = poll % 1000 < 500 ? [STREAM] : [];
    await store.recordedPolls.record(query, { slotMs, params: watched.with, answer: { items, approximate: false, partialErrors: [] } });
  }
  const limit = { mostSlots: 10_000, withinMs: 90_000 };
  const replay = createReplays({ config, store, limit, clock: new ManualClock(START_MS + POLLS * EVERY_MS) });

  const replaying = replay(rules, { name: 'live', backMs: POLLS * EVERY_MS });
  let isOver = false;
  void replaying.finally(() => (isOver = true));
  let longestMs = 0;
  for (let beganMs = cpuMs(); !isOver; beganMs = cpuMs()) {
    await nextLoop();
    longestMs = Math.max(longestMs, cpuMs() - beganMs);
  }

  const [view] = (await replaying).views;
  expect(view?.slots?.count).toBe(10_000);
  expect(view?.endedAt).toEqual(view?.slots?.last);
  expect(longestMs).toBeLessThan(MAX_BLOCK_MS * slowdown());
});

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
