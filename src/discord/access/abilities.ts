import { PermissionFlagsBits } from 'discord.js';
import type { Ability, DiscordSettings } from '#src/config/discord-settings.ts';

/** What Discord's own permissions say, where the configuration names no roles; absent: everybody may. */
const USUALLY_NEEDS: Readonly<Record<Ability, bigint | undefined>> = {
  look: undefined,
  ask: undefined,
  post: PermissionFlagsBits.ManageGuild,
  operate: PermissionFlagsBits.ManageGuild,
};

/** Everybody in a server, where roles are named. */
const EVERYONE = '@everyone';
/** Nobody has it but administrators, who have everything. */
const ADMINISTRATORS_ONLY = 0n;

const LIKE_AN_ID = /^\d{15,20}$/u;

/** Somebody in a server, as Discord tells of them with an interaction. */
export interface Member {
  readonly permissions: { has(permission: bigint): boolean };
  /** What their roles are known by. */
  readonly roles: ReadonlySet<string>;
}

/** What roles are known by in the configuration: their ids and their names, but for a name that could be taken for the id of another. */
export function knownBy(ids: readonly string[], names: readonly string[]): ReadonlySet<string> {
  return new Set([...ids, ...names.filter((name) => !LIKE_AN_ID.test(name))]);
}

/** Whether somebody may; outside of a server nobody has a role or a permission. */
export function may(ability: Ability, member: Member | undefined, { roles }: Pick<DiscordSettings, 'roles'>): boolean {
  const named = roles[ability];
  if (member?.permissions.has(PermissionFlagsBits.Administrator)) return true;
  if (named) return member !== undefined && named.some((role) => role === EVERYONE || member.roles.has(role));
  const needed = USUALLY_NEEDS[ability];
  return needed === undefined || (member?.permissions.has(needed) ?? false);
}

/** Who is offered a command by Discord itself; roles of the configuration are asked for when it is used. */
export function offeredTo(ability: Ability, { roles }: Pick<DiscordSettings, 'roles'>): bigint | undefined {
  const named = roles[ability];
  if (named?.length === 0) return ADMINISTRATORS_ONLY;
  return named ? undefined : USUALLY_NEEDS[ability];
}
