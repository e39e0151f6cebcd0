import { ComponentType, type MessageComponentInteraction } from 'discord.js';
import { Refused, UserError } from '#src/errors.ts';
import { MOST_ROLES } from '#src/admin/servers/server-store.ts';
import type { Caller } from '#src/discord/caller.ts';

/**
 * The stored roles with what the user changed in a menu of roles: the menu may be older than the choice of another administrator. Values are not
 * secret, so there may be more of them than the menu takes.
 */
export function rolesAfter(
  interaction: Pick<MessageComponentInteraction, 'isAnySelectMenu' | 'message' | 'customId'>,
  stored: readonly string[],
  { texts }: Pick<Caller, 'texts'>,
): readonly string[] {
  const chosen = interaction.isAnySelectMenu() ? interaction.values : [];
  const menu = interaction.message.resolveComponent(interaction.customId);
  const shown = menu?.type === ComponentType.RoleSelect ? (menu.data.default_values ?? []).map(({ id }) => id) : [];
  const kept = stored.filter((id) => chosen.includes(id) || !shown.includes(id));
  const roles = [...new Set([...kept, ...chosen.filter((id) => !shown.includes(id))])];
  if (roles.length > MOST_ROLES) throw new UserError(texts.errors.gone);
  return roles;
}

/** How often a choice is made. Each repetition follows a choice of another person that was stored. */
const MOST_ATTEMPTS = 10;

/** Stores a choice of roles, which is made again if another administrator changed the roles since it read them. */
export async function storeChoice<T>(choose: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await choose();
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !(error instanceof Refused) || error.code !== 'settingsChanged') throw error;
    }
  }
}
