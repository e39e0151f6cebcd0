import { settle } from '../contract/delivery-steps.ts';
import type { ControlsFixture } from '../discord/controls/fixture.ts';
import { committing, creating, firing, keysOf } from '../support/firings.ts';

/** Stores a delivery in a state, and returns its id. */
export async function deliveryIn(fixture: ControlsFixture, state: 'failed' | 'unknown' | 'asked', occasion: string): Promise<string> {
  const [verb, params] =
    state === 'asked'
      ? (['discord.ask', { channel: 'general', content: 'hello', choices: ['send', 'drop'] }] as const)
      : (['discord.send', { channel: 'general', content: 'hello' }] as const);
  // The running engine does not begin it before its state is stored.
  const later = { afterMs: 60_000, afterEnd: true };
  const step = creating(['discord'], { id: 'hello', do: verb, with: params, ...later });
  const one = firing([step], { rule: 'live', occasion, episode: occasion, atMs: Date.now() });
  const [id = ''] = keysOf(one);
  await fixture.keep(async (store) => {
    const { slotMs = 0 } = await store.ruleStates.load('live');
    await store.ruleStates.commit({ ...committing([one], { rule: 'live', slotMs: slotMs + 1 }), afterMs: slotMs || undefined });
    const error = { fault: 'missing', message: 'there is no channel' } as const;
    await settle(store, id, state === 'failed' ? { state, error } : { state }, { params, dueAt: new Date() });
  });
  return id;
}
