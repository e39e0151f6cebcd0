import { settle } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf } from '../../support/firings.ts';
import type { Fixture } from './fixture.ts';

/** The delivery is not due during the test. */
const LATER_MS = 100 * 365 * 86_400_000;

let count = 0;

/** Stores a delivery of the rule `doubt` whose outcome is unknown. */
export async function fireUnknown(fixture: Fixture): Promise<string> {
  const nth = ++count;
  // When its outcome is known, Fanfare deletes a delivery of months ago.
  const atMs = Date.now() + nth;
  const fired = firing([creating(['discord'], { id: 'hello', do: 'discord.send', afterMs: LATER_MS })], {
    rule: 'doubt',
    episode: `unknown-${nth}`,
    occasion: `${nth}`,
    atMs,
  });
  await fixture.keep(async (store) => {
    await store.ruleStates.commit(committing([fired], { rule: 'doubt', slotMs: atMs }));
    await settle(store, keysOf(fired)[0], { state: 'unknown' }, { params: { channel: 'general', content: 'Hello' } });
  });
  return keysOf(fired)[0] ?? '';
}
