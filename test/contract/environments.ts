import { expect, test } from 'vitest';
import type { Store } from '#src/store/store.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const ADA = { name: 'ada', via: 'discord', id: '7', role: 'editor' } as const;
const ALONE = { isAlone: true };
const KINDS = ['sandbox', 'real'] as const;

/** A state with a delivery that waits. */
async function used(open: OpenStore, first: (store: Store) => Promise<unknown>) {
  const store = await open(new ManualClock(SLOT_MS));
  await first(store);
  const fired = firing([creating(['mastodon'])]);
  await store.ruleStates.commit(committing([fired]));
  return { store, waiting: async () => (await store.deliveries.ofFirings([fired.id])).map(({ id }) => id), keys: keysOf(fired) };
}

/** The contract of the environment of a state. */
export function environmentsContract(open: OpenStore): void {
  test('real accounts get nothing that waits in a state of the sandbox, and what people set up stays', async () => {
    const { store, waiting, keys } = await used(open, ({ environments }) => environments.begin('sandbox', ALONE));
    await using _store = store;
    const { environments, lists, ruleStates, sealedRows } = store;
    for (const server of [undefined, '42'])
      await lists.edit({ list: 'team', ...(server && { server }) }, ADA, () => ({ after: { grace: { twitch: 'grace' } } }));
    await ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
    await ruleStates.changePauses(['holidays'], { pause: { by: 'ada', fromMs: SLOT_MS + 1 } });
    await sealedRows.save('mastodon', 'sealed');
    expect(await environments.begin('sandbox', ALONE)).toBe('begun');
    expect(await waiting()).toEqual(keys);

    const begun = await environments.begin('real', ALONE);

    expect([begun, await waiting()]).toEqual(['cleared', []]);
    expect([[...(await ruleStates.lastSlots()).keys()], [...(await ruleStates.paused()).keys()]]).toEqual([[], ['live']]);
    expect([...(await ruleStates.planned()).keys()]).toEqual(['holidays']);
    expect((await lists.read()).entries).toMatchObject([{ list: 'team', server: undefined, id: 'grace' }]);
    expect(await sealedRows.load('mastodon')).toBe('sealed');
    expect([await environments.begin('real', ALONE), await environments.begin('sandbox', ALONE)]).toEqual(['begun', 'refused']);
  });

  test('several processes begin a new state at the same time', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    const begun = await Promise.all(Array.from({ length: 4 }, () => store.environments.begin('real', { isAlone: false })));

    expect(new Set(begun)).toEqual(new Set(['begun']));
    expect(await store.environments.begin('sandbox', ALONE)).toBe('refused');
  });

  test('a process with real accounts does not begin beside one with the sandbox', async () => {
    const { store, waiting, keys } = await used(open, ({ environments }) => environments.begin('sandbox', ALONE));
    await using _store = store;

    expect(await store.environments.begin('real', { isAlone: false })).toBe('refused');
    expect(await waiting()).toEqual(keys);
  });

  test.for(KINDS)('a state of an earlier version loses nothing, begun as %s', async (first) => {
    const { store, waiting, keys } = await used(open, () => Promise.resolve());
    await using _store = store;

    expect(await store.environments.begin(first, ALONE)).toBe('begun');
    expect(await store.environments.begin('real', ALONE)).toBe('begun');
    expect(await waiting()).toEqual(keys);
  });
}
