import type { Transaction } from 'kysely';
import { isAnnouncement } from '#src/engine/delivery/ordering.ts';
import { withDeliveryMessage } from '#src/engine/delivery/reason.ts';
import type { Commit, MuteOutcome } from '#src/engine/scheduler/rule-states.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import { lockRule } from './dialect.ts';
import { isOneOf } from './json-list.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './tables.ts';
import { settle, withdraw } from './withdraw.ts';

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

/** The persons who muted the episodes of these firings, by episode. */
type Mutes = ReadonlyMap<string, string>;

const NO_MUTES: Mutes = new Map();

/** The mutes of the episodes of a slot, which may be newer than the state that it was computed from. Call it before the episodes are stored. */
export async function findMutes(
  trx: Transaction<Tables>,
  { rule, slotMs, change, firings }: Pick<Commit, 'rule' | 'slotMs' | 'change' | 'firings'>,
): Promise<Mutes> {
  // A person cannot have muted an item that this slot saw first.
  const fresh = new Set(change?.put.flatMap(({ id, firstSeenMs }) => (firstSeenMs === slotMs ? [id] : [])));
  const ids = firings.flatMap((firing) => (fresh.has(firing.episode) || mutedSteps(firing).length === 0 ? [] : [firing.episode]));
  if (ids.length === 0) return NO_MUTES;
  const { rows } = await findMuted(trx, { rule, ids });
  return new Map(rows.map(({ id, muted_by }) => [id, muted_by ?? '']));
}

const findMuted = prepared((db, { rule, ids }: { readonly rule: string; readonly ids: readonly string[] }) =>
  db.selectFrom('episode').select(['id', 'muted_by']).where('rule', '=', rule).where(isOneOf('id', ids)).where('muted_ms', 'is not', null),
);

/** Withdraws new deliveries about muted items. */
export async function withdrawMuted(trx: Transaction<Tables>, firings: readonly Firing[], mutes: Mutes): Promise<void> {
  for (const firing of firings) {
    const by = mutes.get(firing.episode);
    const rows = mutedSteps(firing).map(({ key }) => ({ id: key }));
    if (by !== undefined) await settle(trx, rows, withDeliveryMessage({ kind: 'itemMuted', by }));
  }
}

/** The steps of a firing that a mute of its episode withdraws. */
function mutedSteps({ section, scope, steps }: Firing): readonly PlannedStep[] {
  // A firing for a whole poll or slot is about no single item.
  return scope.episode ? steps.filter(({ step }) => isAnnouncement({ section, creates: step.creates })) : [];
}
