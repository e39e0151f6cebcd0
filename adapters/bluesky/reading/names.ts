import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { remembered } from '#src/http/remembered.ts';
import { readAddress } from '../addresses.ts';
import { isDid, parseAtUri, toHandle, type RecordPlace } from '../at-uri.ts';
import { failure, isFault } from '../platform.ts';
import type { Xrpc } from '../xrpc/xrpc.ts';

/** Who and what is meant by what a person writes. */
export interface Names {
  /** A handle, with or without @, a DID or the address of a profile, as requests take it. */
  actor(name: string): string;
  didOf(name: string, signal: AbortSignal | undefined): Promise<string>;
  /** As `didOf`, where it may be nobody. */
  findDid(name: string, signal: AbortSignal | undefined): Promise<string | undefined>;
  /** A record of one of the kinds, by its `at://` address or its address on the web. */
  placeOf(name: string, collections: readonly string[], signal: AbortSignal | undefined): Promise<RecordPlace>;
}

/** Looks names up, and keeps what it found for a day. */
export function names(xrpc: Xrpc, clock: Clock): Names {
  const resolved = remembered(clock, async (handle, signal) => {
    const Did = z.object({ did: z.string().refine(isDid) });
    return (await xrpc.query('com.atproto.identity.resolveHandle', Did, { handle }, { signal })).did;
  });

  function actor(name: string): string {
    const named = readAddress(name)?.actor ?? name.trim();
    const found = isDid(named) ? named : toHandle(named);
    if (found === undefined) throw nobody(name);
    return found;
  }

  async function didOf(name: string, signal: AbortSignal | undefined): Promise<string> {
    const found = actor(name);
    if (isDid(found)) return found;
    return resolved(found, signal).catch((error: unknown) => {
      throw isFault(error, 'missing') ? nobody(name, error) : error;
    });
  }

  return {
    actor,
    didOf,

    async findDid(name, signal) {
      return didOf(name, signal).catch((error: unknown) => {
        if (isFault(error, 'missing')) return undefined;
        throw error;
      });
    },

    async placeOf(name, collections, signal) {
      const parts = partsOf(name.trim());
      if (!parts || !collections.includes(parts.collection)) throw noRecord(name, collections);
      return { ...parts, did: await didOf(parts.authority, signal) };
    },
  };
}

function partsOf(name: string): { readonly authority: string; readonly collection: string; readonly rkey: string } | undefined {
  const { actor, record } = readAddress(name) ?? {};
  return actor !== undefined && record ? { authority: actor, ...record } : parseAtUri(name);
}

export function nobody(name: string, cause?: unknown): Error {
  return failure('missing', `there is no user "${name}": a handle looks like ada.bsky.social.`, cause);
}

function noRecord(name: string, [collection = '']: readonly string[]): Error {
  return failure('missing', `"${name}" is no ${WORD[collection] ?? 'record'}: give its at:// address, or its address on bsky.app.`);
}

const WORD: Readonly<Record<string, string>> = {
  'app.bsky.feed.post': 'post',
  'app.bsky.graph.list': 'list',
  'app.bsky.feed.generator': 'feed',
};
