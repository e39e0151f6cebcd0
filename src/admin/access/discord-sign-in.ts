import { ROLES, type Role } from '#src/admin/actions/actor.ts';
import { DISCORD_PERSON, type Person } from '#src/admin/actions/people.ts';

/** A user of Discord, with the memberships in the configured servers. */
export interface DiscordUser {
  readonly id: string;
  readonly name: string;
  /** One for each server of which the user is a member. */
  readonly memberships: readonly DiscordMembership[];
}

/** A member of a server. */
interface DiscordMembership {
  /** The ids of the roles. */
  readonly roles: readonly string[];
  readonly isAdministrator: boolean;
  readonly canManageServer: boolean;
}

/** Who has a role of Fanfare: ids of roles in Discord, `everyone`, `administrators` or `managers`. */
export type DiscordRoles = Readonly<Record<Role, readonly string[]>>;

/** The requests of a sign-in with Discord. */
interface DiscordIdentification {
  /** Begins a sign-in. `kept` belongs in a cookie of the browser: it proves that the answer belongs to it. */
  begin(redirectUri: string): { readonly url: string; readonly kept: string };
  /** The user who gave the permission. Throws a `PlatformError` if the answer belongs to another sign-in, or if Discord refuses it. */
  finish(
    answer: { readonly code: string; readonly state: string },
    options: { readonly kept: string; readonly redirectUri: string; readonly signal?: AbortSignal | undefined },
  ): Promise<DiscordUser>;
}

/** A sign-in with Discord: who signs in, and with which role. */
export interface DiscordSignIn extends DiscordIdentification {
  readonly roles: DiscordRoles;
}

/** The id of a user of Discord among the people who may sign in. */
export function idOfDiscord({ id }: Pick<DiscordUser, 'id'>): string {
  return DISCORD_PERSON + id;
}

/** The person with the highest role that a user has in any server; undefined: they have none. */
export function personOfDiscord({ id, name, memberships }: DiscordUser, roles: DiscordRoles): Person | undefined {
  const role = ROLES.findLast((one) => memberships.some((membership) => roles[one].some((entry) => isOne(membership, entry))));
  return role && { id: idOfDiscord({ id }), name, kind: 'discord', role };
}

function isOne({ roles, isAdministrator, canManageServer }: DiscordMembership, entry: string): boolean {
  if (entry === 'everyone') return true;
  if (entry === 'administrators') return isAdministrator;
  if (entry === 'managers') return isAdministrator || canManageServer;
  return roles.includes(entry);
}
