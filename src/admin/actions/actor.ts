/** The front end of an action. */
export type Via = 'discord' | 'cli' | 'api' | 'page';

/** What a person may do: read, act on rules and deliveries, or change accounts and access. Each includes the ones before. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The person or the token that acts. */
export interface Actor {
  readonly name: string;
  /** The name that the platform shows, if it is another one. */
  readonly displayName?: string | undefined;
  readonly via: Via;
  readonly role: Role;
  /** The id of the person or the token at its platform; absent on the command line. */
  readonly id?: string | undefined;
  /** The address of the request, or the server in Discord. */
  readonly origin?: string | undefined;
  /** What the actor may act on. Absent: the whole installation. */
  readonly scope?: ActorScope | undefined;
}

/** A Discord server: its administrators act on its own lists, channels and deliveries only. */
export interface ActorScope {
  readonly server: string;
  /** The accounts of this server. One of them can also send the cards of other servers. */
  readonly accounts?: readonly string[] | undefined;
}

/** Whether a role includes another one. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

const FRONT_ENDS: Readonly<Record<Via, string>> = { discord: 'Discord', cli: 'command line', api: 'API', page: 'page' };

/** The name of an actor with the front end, for example `ada (Discord)`. */
export function nameOfActor({ name, via }: Pick<Actor, 'name' | 'via'>): string {
  return `${name} (${FRONT_ENDS[via]})`;
}
