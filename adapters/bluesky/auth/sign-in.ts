import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import { PlatformError } from '#src/errors.ts';
import { isNearby } from '#src/http/media/public-addresses.ts';
import { isFault } from '#src/http/errors.ts';
import { isDid, toHandle } from '../addresses.ts';
import type { Hosts } from '../client.ts';
import { failure, PLATFORM, reasonOf } from '../errors.ts';
import { anything } from '../wire/parts.ts';
import { emailIn, type Session } from './sessions.ts';

const DidDocument = z.object({
  id: z.string(),
  alsoKnownAs: arrayOf(z.string()).nullish(),
  service: z
    .array(z.looseObject({ id: z.string(), type: anything, serviceEndpoint: anything }))
    .nullish()
    .catch(undefined),
});
type DidDocument = z.output<typeof DidDocument>;

/** The DID of an account, and the server that hosts it. */
interface Identity {
  readonly did: string;
  readonly pds: string;
}

/** Looks up the server of an account; undefined if the lookup fails. */
export function identities({
  hosts,
  url,
  plcUrl,
}: {
  readonly hosts: Hosts;
  /** A server that resolves handles. */
  readonly url: string;
  /** The directory of `did:plc`. */
  readonly plcUrl: string;
}): (identifier: string, signal: AbortSignal) => Promise<Identity | undefined> {
  const once = { idempotent: false } as const;

  async function didOf(handle: string, signal: AbortSignal): Promise<string> {
    const request = { path: '/xrpc/com.atproto.identity.resolveHandle', query: { handle }, ...once, signal };
    return (await hosts.at(url).request(request)).json(z.object({ did: z.string().refine(isDid) })).did;
  }

  async function documentOf(did: string, signal: AbortSignal): Promise<DidDocument> {
    const [host, path] = did.startsWith('did:web:') ? webDocument(did) : [plcUrl, `/${did}`];
    return (await hosts.at(host).request({ path, ...once, signal })).json(DidDocument);
  }

  return async (identifier, signal) => {
    try {
      const did = isDid(identifier) ? identifier : await didOf(identifier, signal);
      const document = await documentOf(did, signal);
      const pds = endpointOf(document);
      // The handle and the document must confirm each other, because the adapter sends the password to this server.
      const isTheirs = isDid(identifier) || document.alsoKnownAs?.includes(`at://${identifier}`);
      return pds !== undefined && document.id === did && isTheirs ? { did, pds } : undefined;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  };
}

/** The server that a DID document names, if it is one. */
function endpointOf(document: unknown): string | undefined {
  const { data } = DidDocument.safeParse(document);
  const service = data?.service?.find(({ id }) => id === '#atproto_pds' || id === `${data.id}#atproto_pds`);
  const endpoint = service?.serviceEndpoint;
  return typeof endpoint === 'string' && /^https?:\/\//.test(endpoint) && URL.canParse(endpoint) ? endpoint.replace(/\/+$/, '') : undefined;
}

/** Where the document of a `did:web` is. */
function webDocument(did: string): readonly [host: string, path: string] {
  const host = decodeURIComponent(did.slice('did:web:'.length));
  const scheme = /^localhost(:\d+)?$/.test(host) ? 'http' : 'https';
  return [`${scheme}://${host}`, '/.well-known/did.json'];
}

const Opened = z.object({
  did: z.string().refine(isDid),
  handle: z.string().nullish(),
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  didDoc: anything,
});
type Opened = z.output<typeof Opened>;

export const APP_PASSWORDS = 'Settings, Privacy and security, App passwords';

interface SignInOptions {
  readonly hosts: Hosts;
  /** The server to use if the server of the account is unknown. */
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
      // For two hours, a repeat of the exchange returns the same tokens.
      idempotent: true,
      budget: 'sessions',
    });
    const opened = response.json(Opened);
    return { ...toSession(opened, { pds, handle: handleOf(opened, identifier) ?? handle, email }), bound };
  };
}

/** The configured handle, which identifies the session later; otherwise the current handle of the account. */
function handleOf({ handle }: Opened, identifier: string): string | undefined {
  return toHandle(identifier) ?? handle ?? undefined;
}

function toSession({ did, accessJwt, refreshJwt }: Opened, { pds, handle, email }: Pick<Session, 'pds' | 'handle' | 'email'>): Session {
  return { did, handle, ...(email !== undefined && { email }), pds, accessJwt, refreshJwt };
}

/** A local server stays the server of the account, even if it names a remote address. */
function serverOf({ didDoc }: Opened, host: string): string {
  const named = endpointOf(didDoc);
  return named === undefined || (isNearby(host) && !isNearby(named)) ? host : named;
}

function explained(error: unknown, host: string): unknown {
  if (reasonOf(error).name === 'AuthFactorTokenRequired') {
    const message = `${host} asks for a code from an e-mail, because this is the main password: create an app password at ${APP_PASSWORDS}.`;
    return failure('unauthorized', message, error);
  }
  if (isFault(error, 'unauthorized')) {
    const message = `${host} rejects this handle and app password: check both, or create an app password at ${APP_PASSWORDS}.`;
    return failure('unauthorized', message, error);
  }
  if (isFault(error, 'missing') && error.status === 404) {
    return failure('malformed', `${host} is not a server of the AT Protocol: check the address.`, error);
  }
  if (isFault(error, 'forbidden')) {
    const message = `${PLATFORM}: ${host} has suspended or taken down this account: log in there to see why.`;
    return new PlatformError(message, { platform: PLATFORM, fault: 'forbidden', status: error.status, cause: error, refusesAccount: true });
  }
  return error;
}
