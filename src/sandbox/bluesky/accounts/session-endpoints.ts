import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Bluesky } from '../core.ts';
import { Limits, limitHeaders, SIGN_INS } from '../xrpc/limits.ts';
import { bodyOf, parsed, query, type Call, type Endpoints } from '../xrpc/endpoint.ts';
import { Nsid, one, text } from '../xrpc/params.ts';
import { authRequired, invalidRequest, RateLimited } from '../xrpc/refusal.ts';
import { didDocument, serverDid } from './did-document.ts';
import { signToken } from './jwt.ts';
import { accountOf, type Password } from './passwords.ts';
import type { Session, TokenPair } from './sessions.ts';

const HOUR_SECONDS = 3600;
const MINUTE_SECONDS = 60;

const SignIn = z.looseObject({ identifier: z.string(), password: z.string(), authFactorToken: z.string().optional() });

/** `com.atproto.server`: signing in, coming back, and tokens for other services. */
export function sessionEndpoints({ context, stage, directory, standings, sessions }: Bluesky): Endpoints {
  const limits = new Limits(context.clock);

  function findByIdentifier(identifier: string): WorldPerson | undefined {
    const name = identifier.toLowerCase();
    if (!name.includes('@')) return directory.find(name);
    return stage.people.all.find((person) => accountOf(person).email === name);
  }

  /** The account and the password that opens it; a missing account is answered like a wrong password. */
  function opened({ identifier, password, authFactorToken }: z.output<typeof SignIn>): {
    readonly person: WorldPerson;
    readonly by: Password;
  } {
    const person = findByIdentifier(identifier);
    const by = person && accountOf(person).passwords.find(({ value }) => value === password);
    const standing = person && standings.of(directory.didOf(person));
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

  function told({ person, did, scope }: Session, { origin }: Call, pair?: TokenPair): JsonObject {
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
        const given = parsed(SignIn, bodyOf(call), 'Input/');
        const stands = SIGN_INS.map((allowance) => limits.spend(allowance, given.identifier.toLowerCase(), 1));
        if (stands.some(({ isOver }) => isOver)) throw new RateLimited(limitHeaders(stands));
        const { person, by } = opened(given);
        const session = { person, did: directory.didOf(person), scope: by.scope };
        return told(session, call, sessions.open(session, serverDid(call.origin)));
      },
    },

    'com.atproto.server.refreshSession': {
      admission: 'anybody',
      verb: 'POST',
      run(call) {
        const { session, ...pair } = sessions.refresh(call.token, serverDid(call.origin));
        if (standings.of(session.did).takenDown) throw authRequired('Account has been taken down', 'AccountTakedown');
        return told(session, call, pair);
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

    'com.atproto.server.getSession': query(z.object({}), (_, call) => told(call.session, call)),

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
