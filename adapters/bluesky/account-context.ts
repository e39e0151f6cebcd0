import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { Person } from '#src/clients/operation/record.ts';
import { isFault } from '#src/http/errors.ts';
import { atUri, isDid, parseAtUri, parseRecordUri, POST, readAddress, type RecordAddress, REPOST, toHandle } from './addresses.ts';
import type { Xrpc } from './client.ts';
import { failure } from './errors.ts';
import type { Repo } from './repo.ts';
import { maybeText } from './wire/parts.ts';
import { toPerson } from './wire/profile.ts';

/** The signed-in account, as the operations work with it. */
export interface AccountContext {
  readonly xrpc: Xrpc;
  readonly repo: Repo;
  readonly names: Names;
  readonly now: () => Date;
  /** How many requests a page may take that is put together from several. */
  readonly pageRequests: number;
}

/** Resolves the names, addresses and links that users write. */
interface Names {
  /** A handle, with or without @, a DID or the address of a profile, as requests take it. */
  actor(name: string): string;
  didOf(name: string, signal: AbortSignal | undefined): Promise<string>;
  /** Like `didOf`; undefined for an unknown handle. */
  findDid(name: string, signal: AbortSignal | undefined): Promise<string | undefined>;
  /** A record of one of the kinds, by its `at://` address or its address on the web. */
  recordOf(name: string, collections: readonly string[], signal: AbortSignal | undefined): Promise<RecordAddress>;
  /** A post, by the address of the post or of a repost of it. Timelines list reposts under their own addresses. */
  postOf(name: string, signal: AbortSignal | undefined): Promise<RecordAddress>;
}

const Repost = z.object({ value: z.object({ subject: z.object({ uri: z.string() }) }) });

/** Resolves names, and caches the results for a day. */
export function names(xrpc: Xrpc, clock: Clock): Names {
  const resolved = cachedByName(clock, async (handle, signal) => {
    const Did = z.object({ did: z.string().refine(isDid) });
    return (await xrpc.query('com.atproto.identity.resolveHandle', Did, { handle }, { signal })).did;
  });

  function actor(name: string): string {
    const named = readAddress(name)?.actor ?? name.trim();
    const found = isDid(named) ? named : toHandle(named);
    if (found === undefined) throw unknownUser(name);
    return found;
  }

  async function didOf(name: string, signal: AbortSignal | undefined): Promise<string> {
    const found = actor(name);
    if (isDid(found)) return found;
    return resolved(found, signal).catch((error: unknown) => {
      throw isFault(error, 'missing') ? unknownUser(name, error) : error;
    });
  }

  async function recordOf(name: string, collections: readonly string[], signal: AbortSignal | undefined): Promise<RecordAddress> {
    const parts = partsOf(name.trim());
    if (!parts || !collections.includes(parts.collection)) throw unknownRecord(name, collections);
    return { ...parts, did: await didOf(parts.authority, signal) };
  }

  return {
    actor,
    didOf,
    recordOf,

    async findDid(name, signal) {
      return didOf(name, signal).catch((error: unknown) => {
        if (isFault(error, 'missing')) return undefined;
        throw error;
      });
    },

    async postOf(name, signal) {
      const address = await recordOf(name, [POST, REPOST], signal);
      if (address.collection === POST) return address;
      const { did: repo, ...key } = address;
      const { value } = await xrpc.query('com.atproto.repo.getRecord', Repost, { repo, ...key }, { signal }).catch((error: unknown) => {
        throw isFault(error, 'missing') ? failure('missing', `there is no repost ${atUri(address)}: it was deleted.`, error) : error;
      });
      const post = parseRecordUri(value.subject.uri);
      if (post?.collection !== POST) throw unknownRecord(name, [POST]);
      return post;
    },
  };
}

function partsOf(name: string): { readonly authority: string; readonly collection: string; readonly rkey: string } | undefined {
  const { actor, record } = readAddress(name) ?? {};
  return actor !== undefined && record ? { authority: actor, ...record } : parseAtUri(name);
}

export function unknownUser(name: string, cause?: unknown): Error {
  return failure('missing', `there is no user "${name}": a handle looks like ada.bsky.social.`, cause);
}

function unknownRecord(name: string, [collection = '']: readonly string[]): Error {
  return failure('missing', `"${name}" is not a ${LABELS[collection] ?? 'record'}: use its at:// address, or its address on bsky.app.`);
}

const LABELS: Readonly<Record<string, string>> = {
  [POST]: 'post',
  'app.bsky.graph.list': 'list',
  'app.bsky.feed.generator': 'feed',
};

const Named = z.object({ displayName: maybeText });

/** The account as the author of its posts. Only the server of the account is needed. */
export function accountPerson({ xrpc, repo, clock }: { readonly xrpc: Xrpc; readonly repo: Repo; readonly clock: Clock }) {
  const nameOf = cachedByName(clock, async (did, signal) => {
    const found = await repo.find({ did, collection: 'app.bsky.actor.profile', rkey: 'self' }, { signal });
    return Named.safeParse(found?.value).data?.displayName;
  });

  return async (signal: AbortSignal | undefined): Promise<Person> => {
    const { did, handle } = await xrpc.session(signal);
    const displayName = await nameOf(did, signal).catch(() => undefined);
    // A post does not need the display name.
    signal?.throwIfAborted();
    return toPerson({ did, handle, displayName });
  };
}
