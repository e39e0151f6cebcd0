import type { JsonObject } from '#src/operation/json.ts';
import { encodeCbor, UnencodableError } from '../data/cbor.ts';
import { cidOf } from '../data/cid.ts';
import { fromTid, toTid } from '../data/tid.ts';
import { invalidRequest } from '../xrpc/refusal.ts';
import type { Blobs } from './blobs.ts';
import { keyOf, RECORD_FORMS } from './forms.ts';
import { blobsIn } from './references.ts';

export type Action = 'create' | 'update' | 'delete';

/** A change that could be made: what is wrong with it by itself was said. */
export interface Prepared {
  readonly action: Action;
  readonly collection: string;
  readonly rkey: string;
  readonly now: { readonly cid: string; readonly record: JsonObject } | undefined;
  readonly validationStatus: 'valid' | 'unknown' | undefined;
}

export interface Wanted {
  readonly action: Action;
  readonly collection: string;
  readonly rkey?: string | undefined;
  readonly record?: JsonObject | undefined;
  /** Absent: where the collection is known. */
  readonly validate?: boolean | undefined;
}

export interface PrepareOptions {
  readonly did: string;
  readonly nowMs: number;
  readonly blobs: Blobs;
  /** Which of several records of one request it is: each has a key of its own. */
  readonly index: number;
}

/** Checks a change as the platform does before it looks at what stands. */
export function prepare({ action, collection, rkey, record, validate }: Wanted, options: PrepareOptions): Prepared {
  if (action === 'delete') return { action, collection, rkey: rkey ?? '', now: undefined, validationStatus: undefined };
  const given = typed(record ?? {}, collection);
  const form = RECORD_FORMS[collection];
  if (!form && validate === true) throw invalidRequest(`Unknown lexicon type: ${collection}`);
  const isChecked = form !== undefined && validate !== false;
  if (isChecked) check(given, collection);
  const key = rkey ?? freshKey(collection, options);
  checkKey(collection, key);
  checkBlobs(given, options);
  return {
    action,
    collection,
    rkey: key,
    now: { cid: cidOfRecord(given, collection), record: given },
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
  // Of a file the platform says what is wrong by a word of its own.
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
