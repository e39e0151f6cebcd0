import { expect, test } from 'vitest';
import { explainItem } from '#src/admin/queries/explain-item.ts';
import { mergeKey, queriesOf } from '#src/engine/planner/merge-queries.ts';
import { NO_LISTS } from '#src/rules/lists.ts';
import { openStore } from '#src/store/store.ts';
import { rulesIn } from '../../engine/simulation/replay/replay-fixture.ts';
import { committing, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const RULE = `id: top
when: { every: 10s, watch: streaming.getTopStreams, take: 1 }
then: [{ do: discord.send, with: { channel: live, content: hi } }]`;

const STREAMS = ['grace', 'ada'].map((handle) => ({ id: handle, owner: { id: handle, handle, displayName: handle } }));

test.for([
  ['that is stored', [-20, -10, 0], [0], 0],
  ['that is not stored yet', [-20, -10], [-20, -10], -10],
] as const)('the search for an item reads as few polls as possible after a last slot %s', async ([, stored, expected, at]) => {
  const clock = new ManualClock(SLOT_MS - 60_000);
  await using store = await openStore({ clock });
  const rules = rulesIn([RULE]);
  const needs = rules.flatMap((rule) => queriesOf(rule));
  for (const seconds of stored)
    for (const need of needs)
      await store.recordedPolls.record(mergeKey(need), {
        slotMs: SLOT_MS + seconds * 1_000,
        params: need.params,
        answer: { items: STREAMS, approximate: false, partialErrors: [] },
      });
  await store.ruleStates.commit(committing([], { rule: 'top', slotMs: SLOT_MS }));
  const read: number[] = [];
  const recordedPolls: Pick<typeof store.recordedPolls, 'read'> = {
    async *read(...query) {
      for await (const poll of store.recordedPolls.read(...query)) {
        read.push((poll.slotMs - SLOT_MS) / 1_000);
        yield poll;
      }
    },
  };

  const found = await explainItem('ada', { rules, isOn: () => true, store: { ...store, recordedPolls }, lists: NO_LISTS });

  expect(found.rules).toMatchObject([{ id: 'top', belowTake: { atMs: SLOT_MS + at * 1_000, place: 2, take: 1 } }]);
  expect(read).toEqual(expected);
});
