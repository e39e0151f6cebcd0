import type { Transaction } from 'kysely';
import { withDeliveryMessage } from '#src/engine/delivery/reason.ts';
import type { MuteOutcome } from '#src/engine/scheduler/rule-states.ts';
import { lockRule } from './dialect.ts';
import type { Tables } from './tables.ts';
import { withdraw } from './withdraw.ts';

/** Mutes the item of an episode until the episode ends, and withdraws its announcements that are not sent. */
export async function muteEpisode(
  trx: Transaction<Tables>,
  { rule, episode, by, atMs }: { readonly rule: string; readonly episode: string; readonly by: string; readonly atMs: number },
): Promise<MuteOutcome> {
  // A slot that is being committed would not see the mute.
  await lockRule(trx, rule);
  const row = await trx
    .selectFrom('episode')
    .select(['muted_ms', 'closed_ms'])
    .where('rule', '=', rule)
    .where('id', '=', episode)
    .executeTakeFirst();
  if (!row || row.closed_ms !== null) return 'over';
  if (row.muted_ms !== null) return 'already';
  await trx.updateTable('episode').set({ muted_by: by, muted_ms: atMs }).where('rule', '=', rule).where('id', '=', episode).execute();
  const muted = { rule, of: { episode }, ...withDeliveryMessage({ kind: 'itemMuted', by }) };
  await withdraw(trx, { ...muted, section: 'then' });
  await withdraw(trx, { ...muted, section: 'while', only: 'creates' });
  return 'muted';
}
