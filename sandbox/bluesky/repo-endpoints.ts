import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { FaultOrder } from '../faults.ts';
import { mediaContent } from '../social/media.ts';
import type { WorldPerson } from '../world/world.ts';
import { didDocument } from './accounts.ts';
import { toAtUri } from './at-uri.ts';
import { blobRef } from './blobs.ts';
import type { Bluesky } from './core.ts';
import {
  Actor,
  type Call,
  Cid,
  type Endpoints,
  Nsid,
  RecordKey,
  type SignedCall,
  cutPage,
  flag,
  one,
  open,
  paging,
  procedure,
} from './endpoint.ts';
import { XrpcRefusal, authRequired, invalidRequest } from './refusal.ts';
import { type Commit, Document, type NamedRecord, type StandingRecord } from './records.ts';
import type { Action, Prepared, RequestedWrite, WriteContext } from './writing.ts';

const BLOB_LIMIT_BYTES = 52_428_800;

/** `com.atproto.repo`: what reads records, and uploads of files. */
export function readEndpoints({ directory, repositories, generated, blobs }: Bluesky): Endpoints {
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
        const found = row ? (isSeen(row, call) ? row : undefined) : generated.find(did ?? '', collection, rkey);
        if (!found || (cid !== undefined && cid !== found.cid)) {
          throw invalidRequest(`Could not locate record: at://${repo}/${collection}/${rkey}`, 'RecordNotFound');
        }
        return { uri: found.uri, cid: found.cid, value: found.record };
      },
    ),

    'com.atproto.repo.listRecords': open(
      z.object({ repo: one(Actor), collection: one(Nsid), reverse: flag.default(false), ...paging() }),
      ({ repo, collection, reverse, ...pageRequest }, call) => {
        const { did } = requireRepo(repo);
        const late = call.fault('delayedVisibility');
        const rows = repositories.all(did, collection).filter((row) => isSeenBy(row, call.nowMs, late));
        const keyed: readonly (NamedRecord & { readonly rkey: string })[] = [...rows, ...generated.all(did, collection)];
        // The latest first, unless it is wanted the other way round.
        const all = keyed.toSorted((a, b) => (a.rkey < b.rkey === reverse ? -1 : 1));
        const { items, cursor } = cutPage(all, pageRequest, { idOf: ({ rkey }) => rkey, fault: call.fault });
        return { cursor, records: items.map(({ uri, cid, record }) => ({ uri, cid, value: record })) };
      },
    ),

    'com.atproto.repo.describeRepo': open(z.object({ repo: one(Actor) }), ({ repo }, { origin }) => {
      const { person, did } = requireRepo(repo);
      const handle = directory.handleOf(person);
      const collections = [...new Set([...repositories.collectionsOf(did), ...generated.collectionsOf(did)])].toSorted();
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

const MOST_WRITES = 200;
/** What a change costs of the points of an hour. */
const POINTS = { create: 3, update: 2, delete: 1 } as const;
const ACTION = /^com\.atproto\.repo\.applyWrites#(create|update|delete)$/;

const place = { repo: Actor, collection: Nsid };
const writing = { validate: z.boolean().optional(), swapCommit: Cid.nullish() };

/** `com.atproto.repo`: what changes records. */
export function writeEndpoints({ directory, writing: repo, generated }: Bluesky): Endpoints {
  /** The caller's own repository; somebody else's is refused. */
  function writeContextOf(actor: string, { session, nowMs, fault }: SignedCall, swapCommit?: string | null): WriteContext {
    const owner = directory.find(actor);
    if (!owner) throw invalidRequest(`Could not find repo: ${actor}`);
    if (owner.id !== session.person.id) throw authRequired();
    return { did: session.did, nowMs, hiddenForMs: fault('delayedVisibility')?.ms ?? 0, swapCommit: swapCommit ?? undefined };
  }

  function standingCid({ did }: WriteContext, collection: string, rkey: string): string | undefined {
    return (repo.current(did, collection, rkey) ?? generated.find(did, collection, rkey))?.cid;
  }

  function written(change: Prepared, { did }: WriteContext, commit?: Commit): JsonObject {
    const { collection, rkey, now, validationStatus } = change;
    const meta = commit && { cid: commit.cid, rev: commit.rev };
    return { uri: toAtUri({ repo: did, collection, rkey }), cid: now?.cid, commit: meta, validationStatus };
  }

  return {
    'com.atproto.repo.createRecord': procedure(
      z.looseObject({ ...place, ...writing, rkey: RecordKey.optional(), record: Document }),
      ({ repo: actor, collection, rkey, record, validate, swapCommit }, call) => {
        const writeContext = writeContextOf(actor, call, swapCommit);
        call.spendWrites(POINTS.create);
        const [change] = repo.prepared([{ action: 'create', collection, rkey, record, validate }], writeContext);
        if (!change) throw invalidRequest('There is no record');
        return written(change, writeContext, repo.commit([...repo.twins(change, writeContext.did), change], writeContext));
      },
    ),

    'com.atproto.repo.putRecord': procedure(
      z.looseObject({ ...place, ...writing, rkey: RecordKey, record: Document, swapRecord: Cid.nullish() }),
      ({ repo: actor, collection, rkey, record, validate, swapCommit, swapRecord }, call) => {
        const writeContext = writeContextOf(actor, call, swapCommit);
        call.spendWrites(POINTS.update);
        const standing = standingCid(writeContext, collection, rkey);
        const action = standing === undefined ? 'create' : 'update';
        const [change] = repo.prepared([{ action, collection, rkey, record, validate }], writeContext);
        if (!change) throw invalidRequest('There is no record');
        // The same record again is no change, whatever it was to replace.
        if (standing !== undefined && standing === change.now?.cid) return written(change, writeContext);
        checkSwap(swapRecord, standing);
        return written(change, writeContext, repo.commit([change], writeContext));
      },
    ),

    'com.atproto.repo.deleteRecord': procedure(
      z.looseObject({ ...place, rkey: RecordKey, swapRecord: Cid.nullish(), swapCommit: Cid.nullish() }),
      ({ repo: actor, collection, rkey, swapRecord, swapCommit }, call) => {
        const writeContext = writeContextOf(actor, call, swapCommit);
        call.spendWrites(POINTS.delete);
        const standing = standingCid(writeContext, collection, rkey);
        if (standing === undefined) return {};
        checkSwap(swapRecord ?? undefined, standing);
        const { cid, rev } = repo.commit(repo.prepared([{ action: 'delete', collection, rkey }], writeContext), writeContext);
        return { commit: { cid, rev } };
      },
    ),

    'com.atproto.repo.applyWrites': procedure(
      z.looseObject({
        repo: Actor,
        ...writing,
        writes: z.array(
          z.looseObject({ $type: z.string().regex(ACTION), collection: Nsid, rkey: RecordKey.optional(), value: Document.optional() }),
        ),
      }),
      ({ repo: actor, validate, swapCommit, writes }, call) => {
        const writeContext = writeContextOf(actor, call, swapCommit);
        const requested = writes.map(({ $type, collection, rkey, value }): RequestedWrite => {
          const action = ACTION.exec($type)?.[1] as Action; // the form lets through nothing else
          if (action !== 'create' && rkey === undefined) throw invalidRequest('Error: Input/writes must have the property "rkey"');
          if (action !== 'delete' && value === undefined) throw invalidRequest('Error: Input/writes must have the property "value"');
          return { action, collection, rkey, record: value, validate };
        });
        call.spendWrites(requested.reduce((sum, { action }) => sum + POINTS[action], 0));
        if (requested.length > MOST_WRITES) throw invalidRequest(`Too many writes. Max: ${MOST_WRITES}`);
        const changes = repo.prepared(requested, writeContext);
        const { cid, rev } = repo.commit(changes, writeContext);
        const results = changes.map((change): JsonObject => {
          const result = { create: 'createResult', update: 'updateResult', delete: 'deleteResult' }[change.action];
          const $type = `com.atproto.repo.applyWrites#${result}`;
          return change.action === 'delete' ? { $type } : { $type, ...written(change, writeContext) };
        });
        return { commit: { cid, rev }, results };
      },
    ),
  };
}

/** Refuses where something else stands than was expected; `null` expects nothing. */
function checkSwap(expected: string | null | undefined, standing: string | undefined): void {
  if (expected === undefined || (expected ?? undefined) === standing) return;
  throw invalidRequest(`Record was at ${standing ?? 'null'}`, 'InvalidSwap');
}
