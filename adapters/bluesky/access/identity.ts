import { z } from 'zod';
import type { Hosts } from '../xrpc/hosts.ts';
import { isDid } from '../at-uri.ts';
import { anything } from '../wire/parts.ts';

const DidDocument = z.object({
  id: z.string(),
  alsoKnownAs: z.array(z.string()).nullish(),
  service: z
    .array(z.looseObject({ id: z.string(), type: anything, serviceEndpoint: anything }))
    .nullish()
    .catch(undefined),
});
type DidDocument = z.output<typeof DidDocument>;

/** Who somebody is, and which server has their account. */
export interface Identity {
  readonly did: string;
  readonly pds: string;
}

export interface IdentityOptions {
  readonly hosts: Hosts;
  /** A server that knows handles. */
  readonly url: string;
  /** The directory of `did:plc`. */
  readonly plcUrl: string;
}

/** Looks up where an account is; undefined where that cannot be told. */
export function identities({
  hosts,
  url,
  plcUrl,
}: IdentityOptions): (identifier: string, signal: AbortSignal) => Promise<Identity | undefined> {
  const once = { idempotent: false } as const;

  async function didOf(handle: string, signal: AbortSignal): Promise<string> {
    const request = { path: '/xrpc/com.atproto.identity.resolveHandle', query: { handle }, ...once, signal };
    return (await hosts.at(url).request(request)).json(z.object({ did: z.string().refine(isDid) })).did;
  }

  async function documentOf(did: string, signal: AbortSignal): Promise<DidDocument> {
    const [host, path] = did.startsWith('did:web:') ? webPlace(did) : [plcUrl, `/${did}`];
    return (await hosts.at(host).request({ path, ...once, signal })).json(DidDocument);
  }

  return async (identifier, signal) => {
    try {
      const did = isDid(identifier) ? identifier : await didOf(identifier, signal);
      const document = await documentOf(did, signal);
      const pds = endpointOf(document);
      // Both have to say so: the password goes to where this leads.
      const isTheirs = isDid(identifier) || document.alsoKnownAs?.includes(`at://${identifier}`);
      return pds !== undefined && document.id === did && isTheirs ? { did, pds } : undefined;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  };
}

/** The server that a DID document names, if it is one. */
export function endpointOf(document: unknown): string | undefined {
  const { data } = DidDocument.safeParse(document);
  const service = data?.service?.find(({ id }) => id === '#atproto_pds' || id === `${data.id}#atproto_pds`);
  const endpoint = service?.serviceEndpoint;
  return typeof endpoint === 'string' && /^https?:\/\//.test(endpoint) && URL.canParse(endpoint) ? endpoint.replace(/\/+$/, '') : undefined;
}

/** Where the document of a `did:web` is. */
function webPlace(did: string): readonly [host: string, path: string] {
  const host = decodeURIComponent(did.slice('did:web:'.length));
  const scheme = /^localhost(:\d+)?$/.test(host) ? 'http' : 'https';
  return [`${scheme}://${host}`, '/.well-known/did.json'];
}
