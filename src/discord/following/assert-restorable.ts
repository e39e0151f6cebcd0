import type { BaseInteraction } from 'discord.js';
import type { ListChange } from '#src/admin/actions/list-store.ts';
import type { Json } from '#src/clients/operation/json.ts';
import type { Clock } from '#src/clock.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import { requireMayAssign, requireMayPing } from '#src/discord/servers/member-rights.ts';
import { requireMayPost } from '#src/discord/servers/require-may-post.ts';
import { readServerState, type ServerState } from '#src/discord/servers/server-state.ts';

/** How long members can take their own removals back, whatever the entries ping. */
const OWN_REMOVAL_MS = 15 * 60_000;

type Field = 'channel' | 'ping' | 'liveRole';

interface RestoringOptions {
  readonly interaction: Pick<BaseInteraction, 'client'>;
  readonly caller: Caller;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * Throws if the undo of a change restores a channel where the caller may not post, or a role that the caller may not ping or assign. Files
 * and the API can also name channels and roles: those roles need the permission to ping everyone.
 */
export async function assertRestorable(change: ListChange, { interaction, caller, clock }: RestoringOptions): Promise<void> {
  const { before, after, by, at } = change;
  const isOwn = by.via === 'discord' && by.id === caller.id && clock.nowMs() - at.getTime() < OWN_REMOVAL_MS;
  const restored = Object.keys(before).filter((id) => !(isOwn && after[id] === null));
  const valuesOf = (field: Field): readonly Json[] =>
    restored.flatMap((id) => {
      const value = before[id]?.[field];
      return value === undefined || value === after[id]?.[field] ? [] : [value];
    });
  const [channels, pings, liveRoles] = [valuesOf('channel'), valuesOf('ping'), valuesOf('liveRole')];
  if (channels.length + pings.length + liveRoles.length === 0) return;
  const state = await readServerState(interaction.client.rest, { server: requireServer(caller), bot: interaction.client.user.id });
  for (const ping of pings) requireMayPing(roleNamed(ping, state) ?? state.id, state, caller);
  if (liveRoles.length > 0)
    requireMayAssign(
      liveRoles.flatMap((role) => roleNamed(role, state) ?? []),
      state,
      caller,
    );
  // A deleted channel gets no cards.
  for (const channel of channels)
    if (typeof channel === 'string' && (await state.inChannel(channel)) !== undefined) await requireMayPost(channel, state, caller);
}

function roleNamed(role: Json, { roles }: ServerState): string | undefined {
  return roles.find(({ id, name }) => id === role || name === role)?.id;
}
