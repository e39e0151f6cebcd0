import { Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { WorldPerson } from '../world/world.ts';
import { type Password, accountOf, didDocument, serverDid } from './accounts.ts';
import type { Bluesky } from './core.ts';
import { Actor, type Call, type Endpoints, Nsid, bodyOf, one, open, parsed, query, text } from './endpoint.ts';
import { RateLimited, authRequired, invalidRequest } from './refusal.ts';
import { Limits, SIGN_INS, limitHeaders } from './rate-limits.ts';

import { type Session, type TokenPair, signToken } from './sessions.ts';

/** `https://plc.directory` for the DIDs of this world. */
export function plcRoutes({ directory }: Bluesky): Hono {
  const routes = new Hono();
  routes.get('/:did', (c) => {
    const did = c.req.param('did');
    const person = directory.find(did);
    if (!person) return c.json({ message: `DID not registered: ${did}` }, 404);
    const { origin } = new URL(c.req.url);
    return c.body(JSON.stringify(didDocument({ did, handle: directory.handleOf(person), pds: origin })), 200, {
      'content-type': 'application/did+ld+json',
    });
  });
  return routes;
}

/** `com.atproto.identity`: handles and DIDs. */
export function identityEndpoints({ directory }: Bluesky): Endpoints {
  return {
    'com.atproto.identity.resolveHandle': open(z.object({ handle: one(Actor) }), ({ handle }) => {
      const person = handle.startsWith('did:') ? undefined : directory.find(handle);
      if (!person) throw invalidRequest('Unable to resolve handle', 'HandleNotFound');
      return { did: directory.didOf(person) };
    }),
  };
}

const HOUR_SECONDS = 3600;
const MINUTE_SECONDS = 60;

const SignIn = z.looseObject({ identifier: z.string(), password: z.string(), authFactorToken: z.string().optional() });

/** `com.atproto.server`: signing in, coming back, and tokens for other services. */
export function sessionEndpoints({ context, core, directory, accountStates, sessions }: Bluesky): Endpoints {
  const limits = new Limits(context.clock);

  function findByIdentifier(identifier: string): WorldPerson | undefined {
    const name = identifier.toLowerCase();
    if (!name.includes('@')) return directory.find(name);
    return core.people.all.find((person) => accountOf(person).email === name);
  }

  /** The account and the password that opens it; a missing account is answered like a wrong password. */
  function opened({ identifier, password, authFactorToken }: z.output<typeof SignIn>): {
    readonly person: WorldPerson;
    readonly by: Password;
  } {
    const person = findByIdentifier(identifier);
    const by = person && accountOf(person).passwords.find(({ value }) => value === password);
    const standing = person && accountStates.of(directory.didOf(person));
    if (!person || !by || (standing?.passwordsRevoked && by.scope !== 'com.atproto.access')) {
      throw authRequired('Invalid identifier or password');
    }
    if (standing?.takenDown) throw authRequired('Account has been taken down', 'AccountTakedown');
    if (by.factor !== undefined && authFactorToken === undefined) {
      throw authRequired('A sign in code has been sent to your email address', 'AuthFactorTokenRequired');
    }
    if (by.factor !== undefined && authFactorToken?.toLowerCase() !== by.factor) throw invalidRequest('Token is invalid', 'InvalidToken');
    return { person, by };
  }

  function toSessionJson({ person, did, scope }: Session, { origin }: Call, pair?: TokenPair): JsonObject {
    const handle = directory.handleOf(person);
    const mail = { email: accountOf(person).email, emailConfirmed: true, emailAuthFactor: true };
    const isOwner = scope !== 'com.atproto.appPass';
    return { ...pair, did, handle, didDoc: didDocument({ did, handle, pds: origin }), ...(isOwner && mail), active: true };
  }

  return {
    'com.atproto.server.createSession': {
      admission: 'anybody',
      verb: 'POST',
      run(call) {
        const input = parsed(SignIn, bodyOf(call), 'Input/');
        const recordStands = SIGN_INS.map((allowance) => limits.spend(allowance, input.identifier.toLowerCase(), 1));
        if (recordStands.some(({ isOver }) => isOver)) throw new RateLimited(limitHeaders(recordStands));
        const { person, by } = opened(input);
        const session = { person, did: directory.didOf(person), scope: by.scope };
        return toSessionJson(session, call, sessions.open(session, serverDid(call.origin)));
      },
    },

    'com.atproto.server.refreshSession': {
      admission: 'anybody',
      verb: 'POST',
      run(call) {
        const { session, ...pair } = sessions.refresh(call.token, serverDid(call.origin));
        if (accountStates.of(session.did).takenDown) throw authRequired('Account has been taken down', 'AccountTakedown');
        return toSessionJson(session, call, pair);
      },
    },

    'com.atproto.server.deleteSession': {
      admission: 'anybody',
      verb: 'POST',
      run({ token }) {
        sessions.close(token);
        return undefined;
      },
    },

    'com.atproto.server.getServiceAuth': query(
      z.object({ aud: text, exp: one(z.coerce.number<string>().int()).optional(), lxm: one(Nsid).optional() }),
      ({ aud, exp, lxm }, { session, nowMs }) => {
        const now = Math.floor(nowMs / 1000);
        const inSeconds = exp === undefined ? 0 : exp - now;
        if (inSeconds < 0) throw invalidRequest('expiration is in past', 'BadExpiration');
        if (inSeconds > HOUR_SECONDS) {
          throw invalidRequest('cannot request a token with an expiration more than an hour in the future', 'BadExpiration');
        }
        if (lxm === undefined && inSeconds > MINUTE_SECONDS) {
          const message = 'cannot request a method-less token with an expiration more than a minute in the future';
          throw invalidRequest(message, 'BadExpiration');
        }
        if (lxm?.startsWith('chat.bsky.') && session.scope === 'com.atproto.appPass') {
          throw invalidRequest(`insufficient access to request a service auth token for the following method: ${lxm}`);
        }
        return { token: signToken({ iat: now, iss: session.did, aud, exp: exp ?? now + MINUTE_SECONDS, lxm }, 'JWT') };
      },
    ),
  };
}
