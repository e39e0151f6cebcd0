import { Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { didDocument, passwordOf, SCOPES, serverDid } from './accounts.ts';
import { Nsid } from './addresses.ts';
import { authRequired, invalidRequest, takenDown } from './refusal.ts';
import { actor, bodyOf, one, open, query, read, text, type XrpcRequest, type XrpcRoute } from './request.ts';
import { type Session, signToken, type TokenPair } from './sessions.ts';
import { type BlueskyState, isTakenDown } from './state.ts';

const HOUR_SECONDS = 3600;
const MINUTE_SECONDS = 60;

const SignIn = z.looseObject({ identifier: z.string(), password: z.string() });

/** `com.atproto.server` and `com.atproto.identity`: sessions, tokens for other services, and handles. */
export const sessionRoutes: readonly XrpcRoute[] = [
  {
    method: 'com.atproto.server.createSession',
    verb: 'POST',
    answer(request) {
      const { state, origin } = request;
      const input = read(SignIn, bodyOf(request), 'Input/');
      const session = signIn(input, state);
      return toSession(session, state.sessions.open(session, serverDid(origin)), request);
    },
  },
  {
    method: 'com.atproto.server.refreshSession',
    verb: 'POST',
    answer(request) {
      const { state, token, origin } = request;
      const { session, ...pair } = state.sessions.refresh(token, serverDid(origin));
      if (isTakenDown(state, session.did)) throw takenDown();
      return toSession(session, pair, request);
    },
  },
  {
    method: 'com.atproto.server.deleteSession',
    verb: 'POST',
    answer({ state, token }) {
      state.sessions.close(token);
      return undefined;
    },
  },

  query('com.atproto.server.getSession', {}, (_, request) => toInfo(request.session, request)),

  query(
    'com.atproto.server.getServiceAuth',
    { aud: text, exp: one(z.coerce.number<string>().int()).optional(), lxm: one(Nsid).optional() },
    ({ aud, exp, lxm }, { session, nowMs }) => {
      const now = Math.floor(nowMs / 1000);
      const longest = lxm === undefined ? MINUTE_SECONDS : HOUR_SECONDS;
      if (exp !== undefined && (exp < now || exp > now + longest)) {
        throw invalidRequest(`expiration is not within ${longest} seconds`, 'BadExpiration');
      }
      return { token: signToken({ iat: now, iss: session.did, aud, exp: exp ?? now + MINUTE_SECONDS, lxm }, 'JWT') };
    },
  ),

  open('com.atproto.identity.resolveHandle', { handle: actor }, ({ handle }, { state: { directory } }) => {
    const person = handle.startsWith('did:') ? undefined : directory.find(handle);
    if (!person) throw invalidRequest('Unable to resolve handle', 'HandleNotFound');
    return { did: directory.didOf(person) };
  }),
];

/** The account and the scope of a password. A missing account is answered like a wrong password. */
function signIn({ identifier, password }: z.output<typeof SignIn>, { directory, accounts }: BlueskyState): Session {
  const person = directory.find(identifier);
  const scope = person && SCOPES.find((each) => passwordOf(person, each) === password);
  const did = person && directory.didOf(person);
  const account = did === undefined ? undefined : accounts.get(did);
  if (!person || !did || !scope || account?.passwordsRevoked) throw authRequired('Invalid identifier or password');
  if (account?.takenDown) throw takenDown();
  return { person, did, scope };
}

function toSession(session: Session, pair: TokenPair, request: XrpcRequest): JsonObject {
  return { ...pair, ...toInfo(session, request) };
}

function toInfo({ person, did }: Session, { state, origin }: XrpcRequest): JsonObject {
  const handle = state.directory.handleOf(person);
  return { did, handle, didDoc: didDocument({ did, handle, pds: origin }), active: true };
}

/** The directory of DIDs, such as `https://plc.directory`. */
export function plcRoutes({ directory }: BlueskyState): Hono {
  return new Hono().get('/:did', (c) => {
    const did = c.req.param('did');
    const person = directory.find(did);
    if (!person) return c.json({ message: `DID not registered: ${did}` }, 404);
    const document = didDocument({ did, handle: directory.handleOf(person), pds: new URL(c.req.url).origin });
    return c.body(JSON.stringify(document), 200, { 'content-type': 'application/did+ld+json' });
  });
}
