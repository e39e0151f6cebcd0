import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { mediaContent } from '../social/media.ts';
import { didDocument } from './accounts.ts';
import { Actor, Cid, Nsid, RecordKey } from './addresses.ts';
import { findRecord, profileRecord } from './post-records.ts';
import { checkLimits, WRITES } from './rate-limits.ts';
import { blobJson, COLLECTIONS, type NamedRecord, RecordValue } from './records.ts';
import { invalidRequest, XrpcRefusal } from './refusal.ts';
import {
  actor,
  one,
  open,
  pageAnswer,
  paging,
  procedure,
  requireOwner,
  requireSignedIn,
  type SignedInRequest,
  type XrpcRoute,
} from './request.ts';
import { checkedRecord, commit, newKey, type Write } from './writes.ts';

const UPLOAD = 'com.atproto.repo.uploadBlob';
const MOST_BYTES = 52_428_800;
const MOST_WRITES = 200;
/** The points of a change. */
const POINTS = { create: 3, update: 2, delete: 1 } as const;
const ACTION = /^com\.atproto\.repo\.applyWrites#(create|delete)$/;

const place = { repo: Actor, collection: Nsid };
const swap = { swapRecord: Cid.nullish() };

/** `com.atproto.repo`: records and uploads. */
export const repoRoutes: readonly XrpcRoute[] = [
  open(
    'com.atproto.repo.getRecord',
    { repo: actor, collection: one(Nsid), rkey: one(RecordKey) },
    ({ repo, collection, rkey }, { state, fault, nowMs }) => {
      const person = state.directory.find(repo);
      const found = person && findRecord(state.directory.didOf(person), collection, rkey, state);
      const lagMs = fault('delayedVisibility')?.ms ?? 0;
      if (!found || ('createdAtMs' in found && found.createdAtMs + lagMs > nowMs)) {
        throw invalidRequest(`Could not locate record: at://${repo}/${collection}/${rkey}`, 'RecordNotFound');
      }
      return toRecord(found);
    },
  ),

  open('com.atproto.repo.listRecords', { repo: actor, collection: one(Nsid), ...paging }, ({ repo, collection, ...page }, request) => {
    const { state, fault, nowMs } = request;
    const person = state.directory.find(repo);
    if (!person) throw invalidRequest(`Could not find repo: ${repo}`);
    const lagMs = fault('delayedVisibility')?.ms ?? 0;
    const stored = state.records.in(state.directory.didOf(person), collection).filter(({ createdAtMs }) => createdAtMs + lagMs <= nowMs);
    const found: readonly NamedRecord[] = collection === COLLECTIONS.profile ? [profileRecord(person, state)] : stored;
    return pageAnswer(
      'records',
      found.map((record) => ({ ...record, id: record.uri })),
      page,
      request,
      toRecord,
    );
  }),

  open('com.atproto.repo.describeRepo', { repo: actor }, ({ repo }, { state: { directory }, origin }) => {
    const person = directory.find(repo);
    if (!person) throw invalidRequest(`Could not find repo: ${repo}`);
    const [did, handle] = [directory.didOf(person), directory.handleOf(person)];
    return { handle, did, didDoc: didDocument({ did, handle, pds: origin }), collections: [], handleIsCorrect: true };
  }),

  {
    method: UPLOAD,
    verb: 'POST',
    answer(request) {
      const { session, content, contentType, nowMs, state } = requireSignedIn(request, UPLOAD);
      if (content.length === 0) throw invalidRequest('A request body is expected but none was provided');
      if (content.length > MOST_BYTES) throw new XrpcRefusal(413, 'PayloadTooLarge', 'request entity too large');
      const mimeType = mediaContent(content)?.contentType ?? (contentType || 'application/octet-stream');
      return { blob: blobJson(state.blobs.add(content, { did: session.did, mimeType, uploadedAtMs: nowMs })) };
    },
  },

  procedure(
    'com.atproto.repo.createRecord',
    z.looseObject({ ...place, rkey: RecordKey.optional(), record: RecordValue }),
    ({ repo, collection, rkey, record: value }, request) => {
      requireOwner(repo, request);
      spend(POINTS.create, request);
      return written(commit([{ collection, rkey: rkey ?? newKey(request), value, isNew: true }], request)[0]);
    },
  ),

  procedure(
    'com.atproto.repo.putRecord',
    z.looseObject({ ...place, ...swap, rkey: RecordKey, record: RecordValue }),
    ({ repo, collection, rkey, record: value, swapRecord }, request) => {
      const did = requireOwner(repo, request);
      spend(POINTS.update, request);
      const standing = findRecord(did, collection, rkey, request.state)?.cid;
      const next = checkedRecord({ collection, rkey, value }, request);
      // The same record again is no change, whatever the client expects to replace.
      if (standing === next.cid) return written(next);
      checkSwap(swapRecord, standing);
      return written(commit([{ collection, rkey, value }], request)[0]);
    },
  ),

  procedure(
    'com.atproto.repo.deleteRecord',
    z.looseObject({ ...place, ...swap, rkey: RecordKey }),
    ({ repo, collection, rkey, swapRecord }, request) => {
      const did = requireOwner(repo, request);
      spend(POINTS.delete, request);
      const standing = request.state.records.find(did, collection, rkey);
      if (!standing) return {};
      checkSwap(swapRecord ?? undefined, standing.cid);
      commit([{ collection, rkey }], request);
      return {};
    },
  ),

  procedure(
    'com.atproto.repo.applyWrites',
    z.looseObject({
      repo: Actor,
      writes: z.array(
        z.looseObject({ $type: z.string().regex(ACTION), collection: Nsid, rkey: RecordKey.optional(), value: RecordValue.optional() }),
      ),
    }),
    ({ repo, writes }, request) => {
      requireOwner(repo, request);
      const actions = writes.map(({ $type }) => ACTION.exec($type)?.[1] as keyof typeof POINTS); // the schema accepts only these
      spend(
        actions.reduce((sum, action) => sum + POINTS[action], 0),
        request,
      );
      if (writes.length > MOST_WRITES) throw invalidRequest(`Too many writes. Max: ${MOST_WRITES}`);
      const changes = writes.map(({ collection, rkey = newKey(request), value }, index): Write => {
        if (actions[index] === 'delete') return { collection, rkey };
        return { collection, rkey, value: value ?? {}, isNew: actions[index] === 'create' };
      });
      const results = commit(changes, request).map((record, index) => ({
        $type: `com.atproto.repo.applyWrites#${actions[index]}Result`,
        ...written(record),
      }));
      return { results };
    },
  ),
];

function toRecord({ uri, cid, record: value }: NamedRecord): JsonObject {
  return { uri, cid, value };
}

/** The answer to a write; empty for a deletion. */
function written(record?: NamedRecord): JsonObject {
  return record ? { uri: record.uri, cid: record.cid } : {};
}

function spend(points: number, { state, session, rates }: SignedInRequest): void {
  rates.push(state.rateLimits.spend(WRITES, session.did, points));
  checkLimits(rates);
}

/** Refuses a write if the client expects another record under the key. `null` expects no record. */
function checkSwap(expected: string | null | undefined, standing: string | undefined): void {
  if (expected === undefined || (expected ?? undefined) === standing) return;
  throw invalidRequest(`Record was at ${standing ?? 'null'}`, 'InvalidSwap');
}
