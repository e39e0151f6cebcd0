import { expect, test } from 'vitest';
import { createMergedPolls } from '#src/engine/planner/poll-merged.ts';
import type { Need, Query } from '#src/engine/planner/query.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fc } from '../../support/property.ts';

const NAMES = ['ada', 'bob', 'carl', 'dana', 'eve', 'finn', 'grace', 'hal', 'ida', 'jo', 'kim', 'lea'];

interface Channel {
  readonly isLive: boolean;
  /** A platform finds a renamed channel by its old name, and answers with the new one. */
  readonly isRenamed: boolean;
}

const worlds = fc.array(
  fc.record({ isLive: fc.boolean(), isRenamed: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)) }),
  {
    minLength: NAMES.length,
    maxLength: NAMES.length,
  },
);
const rules = fc.array(fc.subarray(NAMES, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 12 });

function open(world: readonly Channel[]) {
  const requests: (readonly string[])[] = [];
  const clock = new ManualClock();
  const poll = async ({ params }: Query) => {
    const asked = params['users'] as readonly string[]; // the rules below name users
    requests.push(asked);
    const items = asked.flatMap((name) => {
      const { isLive = false, isRenamed = false } = world[NAMES.indexOf(name)] ?? {};
      return isLive ? [{ id: `stream of ${name}`, owner: { id: `id-${name}`, handle: isRenamed ? `new-${name}` : name } }] : [];
    });
    return { items, approximate: false, partialErrors: [] };
  };
  const pollMerged = createMergedPolls({ poll, clock });
  return {
    requests,
    async streamsOf(named: readonly (readonly string[])[]): Promise<readonly (readonly string[])[]> {
      const needs: readonly Need[] = named.map((users, index) => ({
        rule: `r${index}`,
        verb: 'streaming.getStreams',
        account: 'kick',
        params: { users },
      }));
      const params = { users: [...new Set(named.flat())] };
      const { polls } = await pollMerged({ verb: 'streaming.getStreams', account: 'kick', params, needs }, {});
      return needs.map(({ rule }) => {
        const result = polls.get(rule);
        return result && 'items' in result ? result.items.map(({ id }) => (typeof id === 'string' ? id : '')).toSorted() : [];
      });
    },
  };
}

test('rules that share polls get the streams of channels that were renamed', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, rules, async (world, named) => {
      const platform = open(world);
      const live = named.map((users) =>
        users
          .filter((name) => world[NAMES.indexOf(name)]?.isLive)
          .map((name) => `stream of ${name}`)
          .toSorted(),
      );

      expect(await platform.streamsOf(named)).toEqual(live);
      const first = platform.requests.length;
      expect(await platform.streamsOf(named)).toEqual(live);

      // Once a renamed channel is found, its rules are polled alone, and the others together.
      const apart = new Set(
        named
          .map((users) => [...users].sort().join())
          .filter((key) => key.split(',').some((name) => world[NAMES.indexOf(name)]?.isLive && world[NAMES.indexOf(name)]?.isRenamed)),
      );
      expect(platform.requests.length - first).toBeLessThanOrEqual(apart.size + 1);
    }),
  );
});
