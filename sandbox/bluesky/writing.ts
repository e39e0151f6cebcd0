import type { JsonObject } from '#src/operation/json.ts';
import type { Blobs } from './blobs.ts';
import type { Effects } from './effects.ts';
import { UnencodableError, cidOf, encodeCbor, fromTid, toTid } from './encoding.ts';
import { XrpcRefusal, invalidRequest, refusalBody } from './refusal.ts';
import type { GeneratedRecords } from './generated-records.ts';
import { RECORD_FORMS, keyOf } from './record-schemas.ts';
import { type Commit, type Repositories, type StandingRecord, type Write, blobsIn, textAt } from './records.ts';
import { COLLECTIONS } from './social-records.ts';

export type Action = 'create' | 'update' | 'delete';

/** A change that could be made: what is wrong with it by itself was said. */
export interface Prepared {
  readonly action: Action;
  readonly collection: string;
  readonly rkey: string;
  readonly now: { readonly cid: string; readonly record: JsonObject } | undefined;
  readonly validationStatus: 'valid' | 'unknown' | undefined;
}

export interface RequestedWrite {
  readonly action: Action;
  readonly collection: string;
  readonly rkey?: string | undefined;
  readonly record?: JsonObject | undefined;
  /** Absent: where the collection is known. */
  readonly validate?: boolean | undefined;
}

interface PrepareOptions {
  readonly did: string;
  readonly nowMs: number;
  readonly blobs: Blobs;
  /** The index of the record in its request, because each record has a different key. */
  readonly index: number;
}

/** Checks a change as the platform does before it looks at what stands. */
function prepare({ action, collection, rkey, record, validate }: RequestedWrite, options: PrepareOptions): Prepared {
  if (action === 'delete') return { action, collection, rkey: rkey ?? '', now: undefined, validationStatus: undefined };
  const input = typed(record ?? {}, collection);
  const form = RECORD_FORMS[collection];
  if (!form && validate === true) throw invalidRequest(`Unknown lexicon type: ${collection}`);
  const isChecked = form !== undefined && validate !== false;
  if (isChecked) check(input, collection);
  const key = rkey ?? freshKey(collection, options);
  checkKey(collection, key);
  checkBlobs(input, options);
  return {
    action,
    collection,
    rkey: key,
    now: { cid: cidOfRecord(input, collection), record: input },
    validationStatus: isChecked ? 'valid' : validate === false ? undefined : 'unknown',
  };
}

function typed(record: JsonObject, collection: string): JsonObject {
  const { $type = collection } = record;
  if ($type !== collection) throw invalidRequest(`Invalid $type: expected ${collection}, got ${JSON.stringify($type)}`);
  return { ...record, $type };
}

function check(record: JsonObject, collection: string): void {
  const checked = RECORD_FORMS[collection]?.safeParse(record);
  const [issue] = checked?.error?.issues ?? [];
  if (!issue) return;
  const path = ['Record', ...issue.path.map(String)].join('/');
  // For files, the platform names the error.
  const word: unknown = issue.code === 'custom' ? issue.params?.['error'] : undefined;
  if (typeof word === 'string') throw invalidRequest(issue.message, word);
  const wrong =
    issue.code === 'invalid_type' && issue.input === undefined ? `must have the property "${String(issue.path.at(-1))}"` : issue.message;
  throw invalidRequest(`Invalid ${collection} record: ${path} ${wrong}`);
}

/** A record that has a floating number or a broken link in it cannot be written down. */
function cidOfRecord(record: JsonObject, collection: string): string {
  try {
    return cidOf('record', encodeCbor(record));
  } catch (error) {
    if (error instanceof UnencodableError) throw invalidRequest(`Bad record: ${collection}: ${error.message}`);
    throw error;
  }
}

function freshKey(collection: string, { nowMs, index }: PrepareOptions): string {
  const kind = keyOf(collection);
  return typeof kind === 'object' ? kind.literal : toTid({ atUs: nowMs * 1000 + index, clock: freshClock++ % 1024 });
}

/** Keys of one instant differ. */
let freshClock = 0;

function checkKey(collection: string, rkey: string): void {
  const kind = keyOf(collection);
  if (kind === 'tid' && !fromTid(rkey)) throw invalidRequest(`Invalid ${collection} record: record key must be a valid TID`);
  if (typeof kind === 'object' && rkey !== kind.literal) {
    throw invalidRequest(`Invalid ${collection} record: record key must be ${kind.literal}`);
  }
}

function checkBlobs(record: JsonObject, { did, nowMs, blobs }: PrepareOptions): void {
  for (const { cid, mimeType, size } of blobsIn(record)) {
    const blob = blobs.find({ did, cid }, nowMs);
    if (!blob) throw invalidRequest(`Could not find blob: ${cid}`, 'BlobNotFound');
    if (blob.mimeType !== mimeType) {
      const message = `Referenced Mimetype does not match stored blob. Expected: ${blob.mimeType}, Got: ${mimeType}`;
      throw invalidRequest(message, 'InvalidMimeType');
    }
    if (blob.size !== size) throw invalidRequest(`Size of blob ${cid} does not match: ${blob.size}`, 'InvalidSize');
  }
}

export interface WritingOptions {
  readonly repositories: Repositories;
  readonly blobs: Blobs;
  readonly effects: Effects;
  readonly generated: GeneratedRecords;
}

/** The repository of a write, its instant, and the commit that the caller expects. */
export interface WriteContext {
  readonly did: string;
  readonly nowMs: number;
  /** How long everybody else does not see it. */
  readonly hiddenForMs: number;
  readonly swapCommit?: string | undefined;
}

/** Writes to repositories: all changes of a request, or none. */
export interface Writing {
  prepared(requested: readonly RequestedWrite[], writeContext: WriteContext): readonly Prepared[];
  /** The record that an address stands for in its own repository, as far as the API can change it. */
  current(did: string, collection: string, rkey: string): StandingRecord | undefined;
  commit(changes: readonly Prepared[], writeContext: WriteContext): Commit;
  /** The records that a new record replaces because they state the same. */
  twins(change: Prepared, did: string): readonly Prepared[];
  /** Does what a kill left undone at the last end. */
  settle(nowMs: number): void;
}

const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  [COLLECTIONS.follow]: ['subject'],
  [COLLECTIONS.block]: ['subject'],
  [COLLECTIONS.like]: ['subject', 'uri'],
  [COLLECTIONS.repost]: ['subject', 'uri'],
};

export function createWriting({ repositories, blobs, effects, generated }: WritingOptions): Writing {
  function current(did: string, collection: string, rkey: string): StandingRecord | undefined {
    return repositories.find(did, collection, rkey);
  }

  /** Refuses a second record under a key, and changes of missing records. */
  function checkTree(changes: readonly Prepared[], did: string): void {
    const standing = new Map<string, boolean>();
    for (const { action, collection, rkey } of changes) {
      const place = `${collection}/${rkey}`;
      const known = standing.get(place) ?? (current(did, collection, rkey) !== undefined || undefined);
      const there = known ?? generated.find(did, collection, rkey) !== undefined;
      if (there === (action === 'create')) throw brokenTree();
      if (known === undefined && action !== 'create') generated.checkChange(action, collection);
      standing.set(place, action !== 'delete');
    }
  }

  for (const { did, record } of repositories.everything()) for (const { cid } of blobsIn(record)) blobs.keep({ did, cid });

  return {
    settle: (nowMs) => effects.settle(nowMs),
    current,
    prepared: (requested, { did, nowMs }) => requested.map((one, index) => prepare(one, { did, nowMs, blobs, index })),

    twins({ collection, now, rkey }, did) {
      const path = SUBJECTS[collection];
      const subject = path && textAt(now?.record, ...path);
      if (!path || subject === undefined) return [];
      return repositories
        .all(did, collection)
        .filter((row) => row.rkey !== rkey && textAt(row.record, ...path) === subject)
        .map((row) => ({ action: 'delete', collection, rkey: row.rkey, now: undefined, validationStatus: undefined }));
    },

    commit(changes, { did, nowMs, hiddenForMs, swapCommit }) {
      const head = repositories.headOf(did);
      if (swapCommit !== undefined && swapCommit !== head.cid) throw invalidRequest(`Commit was at ${head.cid}`, 'InvalidSwap');
      checkTree(changes, did);
      const before = changes.map(({ collection, rkey }) => current(did, collection, rkey));
      const writes = changes.map(({ collection, rkey, now }): Write =>
        now ? { collection, rkey, now: { ...now } } : { collection, rkey },
      );
      const commit = repositories.commit(did, writes, { atMs: nowMs, visibleAtMs: nowMs + hiddenForMs });
      for (const [index, { collection, rkey, now }] of changes.entries()) {
        for (const { cid } of blobsIn(now?.record)) blobs.keep({ did, cid });
        const old = before[index];
        const row = current(did, collection, rkey);
        if (now && row) effects.recordStands(row);
        else if (old) effects.recordGone(old, nowMs);
        else generated.takeBack(did, { collection, rkey }, nowMs);
      }
      return commit;
    },
  };
}

/** What the platform makes of a change that its tree of records cannot take. */
function brokenTree(): XrpcRefusal {
  const { error, message } = refusalBody(500);
  return new XrpcRefusal(500, error, message);
}
