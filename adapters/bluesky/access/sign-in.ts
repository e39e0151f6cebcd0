import { z } from 'zod';
import { isNearby } from '#src/media/public-addresses.ts';
import { isDid, toHandle } from '../at-uri.ts';
import { failure, isFault } from '../platform.ts';
import { reasonOf } from '../xrpc/faults.ts';
import type { Hosts } from '../xrpc/hosts.ts';
import { endpointOf, type Identity } from './identity.ts';
import { emailIn, type Session } from './session.ts';
import { anything } from '../wire/parts.ts';

const Opened = z.object({
  did: z.string().refine(isDid),
  handle: z.string().nullish(),
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  didDoc: anything,
});
type Opened = z.output<typeof Opened>;

const APP_PASSWORDS = 'Settings, Privacy and security, App passwords';

export interface SignInOptions {
  readonly hosts: Hosts;
  /** Where nothing better is known. */
  readonly url: string;
  readonly identifier: string;
  readonly appPassword: string;
  /** Absent where the server at `url` has the account for sure. */
  readonly find: ((identifier: string, signal: AbortSignal) => Promise<Identity | undefined>) | undefined;
}

/** Opens a session on the server that has the account. */
export function signIn({ hosts, url, identifier, appPassword, find }: SignInOptions): (signal: AbortSignal) => Promise<Session> {
  const email = emailIn(identifier);

  return async (signal) => {
    const identity = email === undefined ? await find?.(identifier, signal) : undefined;
    const host = identity?.pds ?? url;
    const request = {
      method: 'POST',
      path: '/xrpc/com.atproto.server.createSession',
      idempotent: true,
      budget: 'sessions',
      signal,
    } as const;
    const json = { identifier, password: appPassword };
    const response = await hosts
      .at(host)
      .request({ ...request, json })
      .catch((error: unknown) => {
        throw explained(error, host);
      });
    const opened = response.json(Opened);
    return toSession(opened, { pds: serverOf(opened, host), handle: handleOf(opened, identifier) ?? identifier, email });
  };
}

/** Exchanges the tokens of a session for new ones. */
export function refresh({ hosts, identifier }: Pick<SignInOptions, 'hosts' | 'identifier'>): (session: Session) => Promise<Session> {
  return async ({ pds, handle, email, refreshJwt, bound }) => {
    const response = await hosts.at(pds).request({
      method: 'POST',
      path: '/xrpc/com.atproto.server.refreshSession',
      headers: { authorization: `Bearer ${refreshJwt}` },
      // What was exchanged is exchanged for the same once more, for two hours.
      idempotent: true,
      budget: 'sessions',
    });
    const opened = response.json(Opened);
    return { ...toSession(opened, { pds, handle: handleOf(opened, identifier) ?? handle, email }), bound };
  };
}

/** The handle that was configured, by which the session is known again; otherwise the one that the account has now. */
function handleOf({ handle }: Opened, identifier: string): string | undefined {
  return toHandle(identifier) ?? handle ?? undefined;
}

function toSession({ did, accessJwt, refreshJwt }: Opened, { pds, handle, email }: Pick<Session, 'pds' | 'handle' | 'email'>): Session {
  return { did, handle, ...(email !== undefined && { email }), pds, accessJwt, refreshJwt };
}

/** A server of this machine or its network that gives out an address elsewhere is still the one that was meant. */
function serverOf({ didDoc }: Opened, host: string): string {
  const named = endpointOf(didDoc);
  return named === undefined || (isNearby(host) && !isNearby(named)) ? host : named;
}

function explained(error: unknown, host: string): unknown {
  if (reasonOf(error).name === 'AuthFactorTokenRequired') {
    const message = `${host} wants the code that it sent by e-mail, as for the main password: use an app password, made at ${APP_PASSWORDS}.`;
    return failure('unauthorized', message, error);
  }
  if (isFault(error, 'unauthorized')) {
    const message = `${host} does not know this handle with this app password: check both; app passwords are made at ${APP_PASSWORDS}.`;
    return failure('unauthorized', message, error);
  }
  if (isFault(error, 'forbidden'))
    return failure('forbidden', `${host} has suspended or taken down this account: log in there to see why.`, error);
  return error;
}
