import type { WorldPerson } from '../../world/world.ts';

/** Who sent a request, and with what they showed it. */
export type Caller =
  | { readonly kind: 'app' }
  | { readonly kind: 'user'; readonly via: 'oauth1'; readonly person: WorldPerson }
  | { readonly kind: 'user'; readonly via: 'oauth2'; readonly person: WorldPerson; readonly scopes: ReadonlySet<string> };

/** How X calls the ways to sign a request. */
export const AUTHENTICATIONS = {
  app: 'OAuth 2.0 Application-Only',
  oauth1: 'OAuth 1.0a User Context',
  oauth2: 'OAuth 2.0 User Context',
} as const;

export function authenticationOf(caller: Caller): keyof typeof AUTHENTICATIONS {
  return caller.kind === 'app' ? 'app' : caller.via;
}
