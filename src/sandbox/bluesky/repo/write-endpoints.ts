import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { Bluesky } from '../core.ts';
import { toAtUri } from '../data/at-uri.ts';
import { procedure, type Endpoints, type SignedCall } from '../xrpc/endpoint.ts';
import { Actor, Cid, Nsid, RecordKey } from '../xrpc/params.ts';
import { authRequired, invalidRequest } from '../xrpc/refusal.ts';
import type { Action, Prepared, Wanted } from './prepare.ts';
import { Document, type Commit } from './repository.ts';
import type { Occasion } from './writing.ts';

const MOST_WRITES = 200;
/** What a change costs of the points of an hour. */
const POINTS = { create: 3, update: 2, delete: 1 } as const;
const ACTION = /^com\.atproto\.repo\.applyWrites#(create|update|delete)$/;

const place = { repo: Actor, collection: Nsid };
const writing = { validate: z.boolean().optional(), swapCommit: Cid.nullish() };

/** `com.atproto.repo`: what changes records. */
export function writeEndpoints({ directory, writing: repo, unwritten }: Bluesky): Endpoints {
  /** The caller's own repository; somebody else's is refused. */
  function occasionOf(actor: string, { session, nowMs, fault }: SignedCall, swapCommit?: string | null): Occasion {
    const owner = directory.find(actor);
    if (!owner) throw invalidRequest(`Could not find repo: ${actor}`);
    if (owner.id !== session.person.id) throw authRequired();
    return { did: session.did, nowMs, hiddenForMs: fault('delayedVisibility')?.ms ?? 0, swapCommit: swapCommit ?? undefined };
  }

  function standingCid({ did }: Occasion, collection: string, rkey: string): string | undefined {
    return (repo.current(did, collection, rkey) ?? unwritten.find(did, collection, rkey))?.cid;
  }

  function written(change: Prepared, { did }: Occasion, commit?: Commit): JsonObject {
    const { collection, rkey, now, validationStatus } = change;
    const meta = commit && { cid: commit.cid, rev: commit.rev };
    return { uri: toAtUri({ repo: did, collection, rkey }), cid: now?.cid, commit: meta, validationStatus };
  }

  return {
    'com.atproto.repo.createRecord': procedure(
      z.looseObject({ ...place, ...writing, rkey: RecordKey.optional(), record: Document }),
      ({ repo: actor, collection, rkey, record, validate, swapCommit }, call) => {
        const occasion = occasionOf(actor, call, swapCommit);
        call.spendWrites(POINTS.create);
        const [change] = repo.prepared([{ action: 'create', collection, rkey, record, validate }], occasion);
        if (!change) throw invalidRequest('There is no record');
        return written(change, occasion, repo.commit([...repo.twins(change, occasion.did), change], occasion));
      },
    ),

    'com.atproto.repo.putRecord': procedure(
      z.looseObject({ ...place, ...writing, rkey: RecordKey, record: Document, swapRecord: Cid.nullish() }),
      ({ repo: actor, collection, rkey, record, validate, swapCommit, swapRecord }, call) => {
        const occasion = occasionOf(actor, call, swapCommit);
        call.spendWrites(POINTS.update);
        const standing = standingCid(occasion, collection, rkey);
        const action = standing === undefined ? 'create' : 'update';
        const [change] = repo.prepared([{ action, collection, rkey, record, validate }], occasion);
        if (!change) throw invalidRequest('There is no record');
        // The same record again is no change, whatever it was to replace.
        if (standing !== undefined && standing === change.now?.cid) return written(change, occasion);
        checkSwap(swapRecord, standing);
        return written(change, occasion, repo.commit([change], occasion));
      },
    ),

    'com.atproto.repo.deleteRecord': procedure(
      z.looseObject({ ...place, rkey: RecordKey, swapRecord: Cid.nullish(), swapCommit: Cid.nullish() }),
      ({ repo: actor, collection, rkey, swapRecord, swapCommit }, call) => {
        const occasion = occasionOf(actor, call, swapCommit);
        call.spendWrites(POINTS.delete);
        const standing = standingCid(occasion, collection, rkey);
        if (standing === undefined) return {};
        checkSwap(swapRecord ?? undefined, standing);
        const { cid, rev } = repo.commit(repo.prepared([{ action: 'delete', collection, rkey }], occasion), occasion);
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
        const occasion = occasionOf(actor, call, swapCommit);
        const wanted = writes.map(({ $type, collection, rkey, value }): Wanted => {
          const action = ACTION.exec($type)?.[1] as Action; // the form lets through nothing else
          if (action !== 'create' && rkey === undefined) throw invalidRequest('Error: Input/writes must have the property "rkey"');
          if (action !== 'delete' && value === undefined) throw invalidRequest('Error: Input/writes must have the property "value"');
          return { action, collection, rkey, record: value, validate };
        });
        call.spendWrites(wanted.reduce((sum, { action }) => sum + POINTS[action], 0));
        if (wanted.length > MOST_WRITES) throw invalidRequest(`Too many writes. Max: ${MOST_WRITES}`);
        const changes = repo.prepared(wanted, occasion);
        const { cid, rev } = repo.commit(changes, occasion);
        const results = changes.map((change): JsonObject => {
          const result = { create: 'createResult', update: 'updateResult', delete: 'deleteResult' }[change.action];
          const $type = `com.atproto.repo.applyWrites#${result}`;
          return change.action === 'delete' ? { $type } : { $type, ...written(change, occasion) };
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
