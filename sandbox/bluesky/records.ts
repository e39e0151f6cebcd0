import { z } from 'zod';
import { canonical, type Json, type JsonObject, isJsonList, isJsonObject } from '#src/clients/operation/json.ts';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';
import { type RecordAddress, toAtUri } from './addresses.ts';
import { cidOf } from './encoding.ts';

export const COLLECTIONS = {
  post: 'app.bsky.feed.post',
  like: 'app.bsky.feed.like',
  repost: 'app.bsky.feed.repost',
  threadgate: 'app.bsky.feed.threadgate',
  postgate: 'app.bsky.feed.postgate',
  follow: 'app.bsky.graph.follow',
  block: 'app.bsky.graph.block',
  list: 'app.bsky.graph.list',
  listItem: 'app.bsky.graph.listitem',
  profile: 'app.bsky.actor.profile',
  generator: 'app.bsky.feed.generator',
} as const;

/** The content of a record. */
export const RecordValue = z.custom<JsonObject>((value) => z.record(z.string(), z.json()).safeParse(value).success);

const StoredRecord = z.object({
  uri: z.string(),
  cid: z.string(),
  did: z.string(),
  collection: z.string(),
  rkey: z.string(),
  record: RecordValue,
  createdAtMs: z.number(),
  /** When the AppView starts to show the record. */
  visibleAtMs: z.number(),
  /** The id of the post that the record describes. */
  postId: z.string().optional(),
});
/** A record that a client wrote. */
export type StoredRecord = Readonly<z.output<typeof StoredRecord>>;

/** A record with its names. */
export type NamedRecord = Pick<StoredRecord, 'uri' | 'cid' | 'record'>;

export interface RecordChange {
  readonly operation: 'create' | 'update' | 'delete';
  /** The record, or the last version of a deleted one. */
  readonly named: NamedRecord;
}

/** A record with its address and its content id. */
export function namedRecord(address: RecordAddress, content: JsonObject): NamedRecord {
  const record = { $type: address.collection, ...content };
  return { uri: toAtUri(address), cid: cidOf('record', canonical(record)), record };
}

/** The records that clients wrote, by their addresses. */
export class Records {
  readonly #stored: StoredMap<StoredRecord>;
  readonly #byCollection: (folder: string) => readonly StoredRecord[];

  constructor(journal: Journal) {
    this.#stored = new StoredMap({ journal, collection: 'records', schema: StoredRecord, keyOf: ({ uri }) => uri });
    this.#byCollection = this.#stored.index(({ did, collection }) => `${did} ${collection}`);
  }

  find(did: string, collection: string, rkey: string): StoredRecord | undefined {
    return this.#stored.get(toAtUri({ repo: did, collection, rkey }));
  }

  findByUri(uri: string): StoredRecord | undefined {
    return this.#stored.get(uri);
  }

  /** The records of a collection, newest first. */
  in(did: string, collection: string): readonly StoredRecord[] {
    return this.#byCollection(`${did} ${collection}`).toSorted((a, b) => (a.rkey < b.rkey ? 1 : -1));
  }

  /** The like, repost, follow or block of a subject: the address of a post, or a DID. */
  about(subject: string, did: string, collection: string): StoredRecord | undefined {
    return this.in(did, collection).find(({ record }) => subjectOf(record) === subject);
  }

  /** Whether a record contains a file. */
  refersTo(cid: string): boolean {
    return this.#stored.all().some(({ record }) => blobsIn(record).some((blob) => blob.cid === cid));
  }

  put(row: StoredRecord): void {
    this.#stored.put(row);
  }

  delete({ uri }: StoredRecord): void {
    this.#stored.delete(uri);
  }
}

/** The subject of a like, repost, follow or block. */
export function subjectOf(record: JsonObject): string | undefined {
  return textAt(record, 'subject', 'uri') ?? textAt(record, 'subject');
}

/** A file in a record. */
export interface BlobReference {
  readonly cid: string;
  readonly mimeType: string;
  readonly size: number;
}

/** The files in a record, at any depth. */
export function blobsIn(value: Json | undefined): readonly BlobReference[] {
  if (isJsonList(value)) return value.flatMap(blobsIn);
  if (!isJsonObject(value)) return [];
  const { $type, ref, mimeType, size } = value;
  const cid = textAt(ref, '$link');
  if ($type === 'blob' && cid !== undefined && typeof mimeType === 'string' && typeof size === 'number') return [{ cid, mimeType, size }];
  return Object.values(value).flatMap(blobsIn);
}

/** A file as records and answers show it. */
export function blobJson({ cid, mimeType, size }: BlobReference): JsonObject {
  return { $type: 'blob', ref: { $link: cid }, mimeType, size };
}

/** The value at a path of keys. */
export function valueAt(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
}

/** The text at a path of keys; undefined for any other value. */
export function textAt(value: Json | undefined, ...keys: readonly string[]): string | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' ? found : undefined;
}

/** The objects in the list at a path of keys; empty without a list. */
export function objectsAt(value: Json | undefined, ...keys: readonly string[]): readonly JsonObject[] {
  const found = valueAt(value, ...keys);
  return isJsonList(found) ? found.filter(isJsonObject) : [];
}
