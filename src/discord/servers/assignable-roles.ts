import type { APIRole } from 'discord.js';
import { makesModerators } from '#src/clients/chat/moderator-permissions.ts';
import type { Reader } from '#src/discord/caller.ts';
import { includesPermission, type ServerState } from './server-state.ts';

/** Whether members may get a role from the bot: it is below the bot's, and makes no one a moderator. */
export function isSafe({ id, managed, position, permissions }: APIRole, state: ServerState): boolean {
  return id !== state.id && !managed && position < state.highest && !makesModerators(permissions);
}

/** Why a role cannot be the live role; undefined: it can. The permissions and the order of roles change. */
export function liveRefusal(id: string, state: ServerState, { texts }: Pick<Reader, 'texts'>): string | undefined {
  const { live } = texts.setup;
  const role = state.roles.find((one) => one.id === id);
  if (!role) return live.gone;
  const name = `<@&${id}>`;
  if (role.managed || id === state.id) return live.managed(name);
  if (!includesPermission(state.permissions, 'ManageRoles')) return live.noPermission;
  if (role.position >= state.highest) return live.tooHigh(name);
  return isSafe(role, state) ? undefined : live.unsafe(name);
}
