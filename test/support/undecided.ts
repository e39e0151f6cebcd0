import { withDeliveryMessage } from '#src/engine/delivery/reason.ts';
import type { Store } from '#src/store/store.ts';
import { committing, creating, firing } from './firings.ts';

/** Stores a delivery with an unknown outcome. Returns its id. */
export async function leaveUndecided(
  { ruleStates, deliveries }: Pick<Store, 'ruleStates' | 'deliveries'>,
  { content, account = 'discord', slotMs }: { readonly content: string; readonly account?: string; readonly slotMs: number },
): Promise<string> {
  const params = { channel: 'live', content };
  const fired = firing([creating([account], { do: 'discord.send', with: params })], { rule: 'news', episode: content, atMs: slotMs });
  await ruleStates.commit(committing([fired], { rule: 'news', slotMs }));
  const delivery = await deliveries.find(fired.steps[0]?.key ?? '');
  if (!delivery) throw new Error('nothing was committed');
  const at = new Date(slotMs);
  const begun = await deliveries.change(delivery, {
    state: 'sending',
    attempts: 1,
    params,
    since: at,
    attemptedAt: at,
    giveUpAt: at,
    dueAt: at,
  });
  if (!begun) throw new Error('it was not begun');
  await deliveries.change(begun, { state: 'unknown', ...withDeliveryMessage({ kind: 'notSearchable', account }) });
  return delivery.id;
}
