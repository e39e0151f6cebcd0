import { type APIRole, PermissionFlagsBits } from 'discord.js';
import type { Caller } from '#src/discord/caller.ts';
import { NotAllowed } from '#src/discord/explain-error.ts';

/** A server with its roles. */
interface RolesOfServer {
  readonly id: string;
  /** The id of the owner. */
  readonly owner: string;
  readonly roles: readonly APIRole[];
}

/** A member with the ids of the roles. */
export interface RoleHolder {
  readonly id: string;
  readonly roleIds: readonly string[];
}

/** What Discord lets a member do in a whole server. */
interface MemberRights {
  /** Without the overwrites of channels. */
  readonly permissions: bigint;
  /** The highest position of the roles; infinite for the owner. */
  readonly highest: number;
}

/**
 * The rights of a member in a server. The permissions of an interaction are no replacement: they include the overwrites of its channel, for
 * example Manage Permissions, which has the bit of Manage Roles.
 */
export function memberRights({ id: server, owner, roles }: RolesOfServer, { id, roleIds }: RoleHolder): MemberRights {
  if (id === owner) return { permissions: ~0n, highest: Infinity };
  const held = roles.filter((role) => role.id === server || roleIds.includes(role.id));
  const granted = held.reduce((bits, { permissions }) => bits | BigInt(permissions), 0n);
  const isAdministrator = (granted & PermissionFlagsBits.Administrator) !== 0n;
  return { permissions: isAdministrator ? ~0n : granted, highest: Math.max(...held.map(({ position }) => position)) };
}

/** Throws {@link NotAllowed} unless Discord lets the caller ping a role, or everyone by the id of the server. */
export function requireMayPing(ping: string, server: RolesOfServer, caller: Pick<Caller, 'id' | 'roleIds' | 'texts'>): void {
  if (ping !== server.id && server.roles.some(({ id, mentionable }) => id === ping && mentionable)) return;
  const { permissions } = memberRights(server, caller);
  if ((permissions & PermissionFlagsBits.MentionEveryone) === 0n) throw new NotAllowed(caller.texts.setup.needsMentionEveryone);
}

/** Throws {@link NotAllowed} unless Discord lets the caller give members these roles. */
export function requireMayAssign(wanted: readonly string[], server: RolesOfServer, caller: Pick<Caller, 'id' | 'roleIds' | 'texts'>): void {
  const { needsManageRoles, rolesAbove } = caller.texts.setup;
  const { permissions, highest } = memberRights(server, caller);
  if ((permissions & PermissionFlagsBits.ManageRoles) === 0n) throw new NotAllowed(needsManageRoles);
  if (server.roles.some(({ id, position }) => wanted.includes(id) && position >= highest)) throw new NotAllowed(rolesAbove);
}
