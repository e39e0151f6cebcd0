import type { Role } from './actor.ts';

/** How a person signs in. */
export type PersonKind = 'discord' | 'password';

/** A person who may sign in to the page. */
export interface Person {
  /** `password:<name in lower case>`, or `discord:<id of the user>`. */
  readonly id: string;
  readonly name: string;
  readonly kind: PersonKind;
  readonly role: Role;
}

/** The rights of a token: reading the metrics, or those of a viewer, an editor or an admin. */
export const TOKEN_SCOPES = ['metrics', 'read', 'write', 'admin'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A token of the API, without its text. */
export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly scope: TokenScope;
  /** The name of the person who created it. */
  readonly by: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date | undefined;
  readonly lastUsedAt?: Date | undefined;
  readonly revokedAt?: Date | undefined;
}

/** The start of the id of a person who signed in with Discord, before the id in Discord. */
export const DISCORD_PERSON = 'discord:';

/** The id in Discord of a person who signed in with Discord; undefined for other people. */
export function discordIdOf(person: string): string | undefined {
  return person.startsWith(DISCORD_PERSON) ? person.slice(DISCORD_PERSON.length) : undefined;
}
