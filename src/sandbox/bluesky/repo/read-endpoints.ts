import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { FaultOrder } from '../../faults.ts';
import { mediaContent } from '../../social/media-content.ts';
import type { WorldPerson } from '../../world/world.ts';
import { didDocument } from '../accounts/did-document.ts';
import type { Bluesky } from '../core.ts';
import { open, type Call, type Endpoints } from '../xrpc/endpoint.ts';
import { Actor, Cid, flag, Nsid, one, paging, RecordKey } from '../xrpc/params.ts';
import { cutPage } from '../xrpc/paging.ts';
import { invalidRequest, XrpcRefusal } from '../xrpc/refusal.ts';
import { blobRef } from './blobs.ts';
import type { NamedRecord } from './derived.ts';
import type { StandingRecord } from './repository.ts';

export const BLOB_LIMIT_BYTES = 52_428_800;

/** `com.atproto.repo`: what reads records, and uploads of files. */
export function readEndpoints({ directory, repositories, unwritten, blobs }: Bluesky): Endpoints {
  function requireRepo(actor: string): { readonly person: WorldPerson; readonly did: string } {
    const person = directory.find(actor);
    if (!person) throw invalidRequest(`Could not find repo: ${actor}`);
    return { person, did: directory.didOf(person) };
  }

  return {
    'com.atproto.repo.getRecord': open(
      z.object({ repo: one(Actor), collection: one(Nsid), rkey: one(RecordKey), cid: one(Cid).optional() }),
      ({ repo, collection, rkey, cid }, call) => {
        const did = directory.find(repo) && requireRepo(repo).did;
        const row = did === undefined ? undefined : repositories.find(did, collection, rkey);
        const found = row ? (isSeen(row, call) ? row : undefined) : unwritten.find(did ?? '', collection, rkey);
        if (!found || (cid !== undefined && cid !== found.cid)) {
          throw invalidRequest(`Could not locate record: at://${repo}/${collection}/${rkey}`, 'RecordNotFound');
        }
        return { uri: found.uri, cid: found.cid, value: found.record };
      },
    ),

    'com.atproto.repo.listRecords': open(
      z.object({ repo: one(Actor), collection: one(Nsid), reverse: flag.default(false), ...paging() }),
      ({ repo, collection, reverse, ...asked }, call) => {
        const { did } = requireRepo(repo);
        const late = call.fault('delayedVisibility');
        const rows = repositories.all(did, collection).filter((row) => isSeenBy(row, call.nowMs, late));
        const keyed: readonly (NamedRecord & { readonly rkey: string })[] = [...rows, ...unwritten.all(did, collection)];
        // The latest first, unless it is wanted the other way round.
        const all = keyed.toSorted((a, b) => (a.rkey < b.rkey === reverse ? -1 : 1));
        const { items, cursor } = cutPage(all, asked, { idOf: ({ rkey }) => rkey, fault: call.fault });
        return { cursor, records: items.map(({ uri, cid, record }) => ({ uri, cid, value: record })) };
      },
    ),

    'com.atproto.repo.describeRepo': open(z.object({ repo: one(Actor) }), ({ repo }, { origin }) => {
      const { person, did } = requireRepo(repo);
      const handle = directory.handleOf(person);
      const collections = [...new Set([...repositories.collectionsOf(did), ...unwritten.collectionsOf(did)])].toSorted();
      return { handle, did, didDoc: didDocument({ did, handle, pds: origin }), collections, handleIsCorrect: true };
    }),

    'com.atproto.repo.uploadBlob': {
      admission: 'signedIn',
      verb: 'POST',
      run({ session, content, contentType, nowMs }): JsonObject {
        if (content.length === 0) throw invalidRequest('A request body is expected but none was provided');
        if (content.length > BLOB_LIMIT_BYTES) throw new XrpcRefusal(413, 'PayloadTooLarge', 'request entity too large');
        const mimeType = mediaContent(content)?.contentType ?? (contentType || 'application/octet-stream');
        return { blob: blobRef(blobs.add(session.did, content, { mimeType, uploadedAtMs: nowMs })) };
      },
    },
  };
}

/** Whether a read shows a record: with the failure in force, only after a while. */
function isSeen(row: StandingRecord, { fault, nowMs }: Pick<Call, 'fault' | 'nowMs'>): boolean {
  return isSeenBy(row, nowMs, fault('delayedVisibility'));
}

function isSeenBy({ atMs }: StandingRecord, nowMs: number, late: FaultOrder | undefined): boolean {
  return late === undefined || atMs + (late.ms ?? 0) <= nowMs;
}
