import type { Actor } from '#src/admin/actions/actor.ts';
import { requireServer, type Caller } from './caller.ts';

/** A user of Discord, as actions take it. */
export function actorOf(
  { id, name, server }: Pick<Caller, 'id' | 'name' | 'server'>,
  as: Pick<Actor, 'role' | 'scope' | 'displayName'>,
): Actor {
  return { name, via: 'discord', id, origin: server?.id, ...as };
}

/** A caller who may change what the permission `operate` allows. */
export function operatorOf(caller: Caller): Actor {
  return actorOf(caller, { role: caller.may('operate') ? 'editor' : 'viewer', scope: caller.scope });
}

/** A caller who may post, and acts on the posts of this server; outside of servers, on those that were written there. */
export function posterActor(caller: Caller): Actor {
  return actorOf(caller, { role: 'editor', scope: { server: caller.server?.id ?? '', accounts: [] } });
}

/** A caller who has an ability in the server, and acts on this server only. */
export function memberActor(caller: Caller): Actor {
  return actorOf(caller, { role: 'editor', scope: caller.scope ?? { server: requireServer(caller), accounts: [] } });
}
