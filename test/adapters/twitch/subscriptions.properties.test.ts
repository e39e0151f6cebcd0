import { expect, test } from 'vitest';
import { createSubscriptions } from '#adapters/twitch/eventsub/subscriptions.ts';
import { PlatformError } from '#src/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fc, runs } from '../../support/property.ts';

/** A conduit of an app with a limit. `foreign`: the cost of the subscriptions of other conduits. */
function conduit({ maxCost, foreign }: { readonly maxCost: number; readonly foreign: number }) {
  const topics = new Map<string, { readonly type: string; readonly channelId: string }>();
  let next = 0;
  const totals = () => ({ cost: topics.size + foreign, maxCost });
  return {
    keys: () => [...topics.values()].map(({ type, channelId }) => `${channelId} ${type}`),
    api: {
      list: async () => ({
        subscriptions: [...topics].map(([id, topic]) => ({ id, cost: 1, isEnabled: true, ...topic })),
        totals: totals(),
      }),
      totals: async () => totals(),
      async create(_conduitId: string, { type, channelId }: { readonly type: string; readonly channelId: string }) {
        if (totals().cost >= maxCost) throw new PlatformError('the cost is too high', { platform: 'twitch', fault: 'rateLimited' });
        const id = String(next++);
        topics.set(id, { type, channelId });
        return { id, cost: 1, totals: totals() };
      },
      async remove(id: string) {
        topics.delete(id);
      },
    },
  };
}

const someChannels = fc
  .uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 10 })
  .chain((ids) => fc.record({ ids: fc.constant(ids.map(String)), updates: fc.subarray(ids.map(String)) }));

test('the first channels have all types that they need, and no channel counts as notified without them', async () => {
  let isLimited = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(someChannels, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 5 }),
      async (rounds, room, foreign) => {
        const { api, keys } = conduit({ maxCost: room + foreign, foreign });
        let replaced = 0;
        const subscriptions = createSubscriptions({
          api,
          conduitId: 'conduit',
          onAdded: () => undefined,
          onReplace: () => replaced++,
          clock: new ManualClock(0),
        });
        const { signal } = new AbortController();
        await subscriptions.load(signal);
        for (const { ids, updates } of rounds) {
          const before = keys();
          replaced = 0;
          const followed = await subscriptions.follow({ ids: new Set(ids), updates: new Set(updates) }, signal);
          const needed = ids.flatMap((id) =>
            ['stream.online', 'stream.offline', ...(updates.includes(id) ? ['channel.update'] : [])].map((type) => `${id} ${type}`),
          );
          // An independent model: the cost is spent channel by channel.
          const expected = needed.slice(0, room);
          expect(keys().toSorted()).toEqual(expected.toSorted());
          if (expected.length < needed.length) isLimited++;
          expect(before.some((key) => needed.includes(key) && !expected.includes(key))).toBe(replaced > 0);
          const has = (id: string, ...types: readonly string[]) => types.every((type) => expected.includes(`${id} ${type}`));
          const presence = ids.filter((id) => has(id, 'stream.online', 'stream.offline'));
          expect([...followed.presence]).toEqual(presence);
          expect([...followed.updates]).toEqual(presence.filter((id) => has(id, 'channel.update')));
          expect(followed.onlyPolled).toEqual(
            ids.filter((id) => needed.some((key) => key.startsWith(`${id} `) && !expected.includes(key))),
          );
        }
      },
    ),
    { numRuns: runs(200, 5_000) },
  );
  expect(isLimited).toBeGreaterThan(runs(50, 1_000));
});
