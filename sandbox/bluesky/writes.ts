import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { Tid } from './addresses.ts';
import { applyDeleted, applyWritten } from './effects.ts';
import { toTid } from './encoding.ts';
import { recordSchemas } from './record-schemas.ts';
import { blobsIn, COLLECTIONS, type NamedRecord, namedRecord } from './records.ts';
import { invalidRequest, refusalFor } from './refusal.ts';
import type { SignedInRequest } from './request.ts';

/** A change of one record. Without a value, the record is deleted. */
export interface Write {
  readonly collection: string;
  readonly rkey: string;
  readonly value?: JsonObject;
  /** Whether the key must be free. */
  readonly isNew?: boolean;
}

/** The record that a client wants to write. Refuses a wrong key and a record that does not fit its schema. */
export function checkedRecord({ collection, rkey, value = {} }: Write, request: SignedInRequest): NamedRecord {
  const { $type = collection } = value;
  if ($type !== collection) throw invalidRequest(`Invalid $type: expected ${collection}, got ${JSON.stringify($type)}`);
  checkSchema(value, collection);
  const Key = collection === COLLECTIONS.profile ? z.literal('self', 'record key must be self') : Tid;
  const key = collection in recordSchemas ? Key.safeParse(rkey) : undefined;
  if (key?.error) throw invalidRequest(`Invalid ${collection} record: ${key.error.issues[0]?.message}`);
  checkBlobs(value, request);
  return namedRecord({ repo: request.session.did, collection, rkey }, value);
}

/** A new record key. */
export function newKey({ nowMs, state }: SignedInRequest): string {
  return toTid(nowMs * 1000, state.nextKeyNumber());
}

function checkSchema(record: JsonObject, collection: string): void {
  const [issue] = recordSchemas[collection]?.safeParse(record).error?.issues ?? [];
  if (!issue) return;
  throw invalidRequest(`Invalid ${collection} record: ${['Record', ...issue.path.map(String)].join('/')} ${issue.message}`);
}

function checkBlobs(record: JsonObject, { session, state, nowMs }: SignedInRequest): void {
  const missing = blobsIn(record).find(({ cid }) => !state.blobs.find(session.did, cid, nowMs));
  if (missing) throw invalidRequest(`Could not find blob: ${missing.cid}`, 'BlobNotFound');
}

/** Makes all writes of a request, or none. Returns the new records in the order of the writes. */
export function commit(writes: readonly Write[], request: SignedInRequest): readonly (NamedRecord | undefined)[] {
  const { session, state, nowMs } = request;
  const { did } = session;
  const named = writes.map((write) => (write.value ? checkedRecord(write, request) : undefined));
  const created = new Set<string>();
  for (const { collection, rkey, value, isNew = false } of writes) {
    const exists = created.has(`${collection}/${rkey}`) || state.records.find(did, collection, rkey) !== undefined;
    // A PDS fails with an internal error if its tree of records does not allow a change.
    if (isNew ? exists : !exists && !value) throw refusalFor(500);
    created.add(`${collection}/${rkey}`);
  }
  const visibleAtMs = nowMs + (request.fault('delayedVisibility')?.ms ?? 0);
  for (const [index, { collection, rkey }] of writes.entries()) {
    const before = state.records.find(did, collection, rkey);
    const { createdAtMs = nowMs, postId } = before ?? {};
    const record = named[index];
    if (record) state.records.put(applyWritten({ ...record, did, collection, rkey, createdAtMs, visibleAtMs, postId }, request));
    else if (before) {
      state.records.delete(before);
      applyDeleted(before, request);
    }
    const changed = record ?? before;
    const operation = !record ? 'delete' : before ? 'update' : 'create';
    if (changed) for (const listener of state.changes) listener({ operation, named: changed });
  }
  return named;
}
