import type { Context } from 'hono';
import type { Actor } from '#src/admin/actions/actor.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Who sent the request. */
    actor: Actor;
    /** What forms of this session send, as the field `csrf` or the header `X-CSRF-Token`; absent without a session. */
    formToken: string | undefined;
  }
}

/** Who sent the request. Throws before the check of the access, so that no route can be served without it. */
export function actorOf(c: Context): Actor {
  const actor: Actor | undefined = c.get('actor');
  if (!actor) throw new Error('the access to this route was not checked');
  return actor;
}
