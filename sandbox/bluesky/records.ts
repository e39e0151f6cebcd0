import { z } from 'zod';
import { type Json, type JsonObject, isJsonList, isJsonObject } from '#src/operation/json.ts';
import type { Journal } from '../journal.ts';
import { below, createDice } from '../world/dice.ts';
import { toAtUri } from './at-uri.ts';
import { CLOCKS, cidOf, encodeCbor, fromTid, toTid } from './encoding.ts';

/** A file that a record refers to. */
export interface BlobReference {
  readonly cid: string;
  readonly mimeType: string;
  readonly size: number;
}

/** The files that a record refers to, wherever in it. */
export function blobsIn(value: Json | undefined): readonly BlobReference[] {
  if (isJsonList(value)) return value.flatMap(blobsIn);
  if (!isJsonObject(value)) return [];
  const { $type, ref, mimeType, size } = value;
  const cid = textAt(isJsonObject(ref) ? ref : undefined, '$link');
  if ($type === 'blob' && cid !== undefined && typeof mimeType === 'string' && typeof size === 'number') return [{ cid, mimeType, size }];
  return Object.values(value).flatMap(blobsIn);
}

/** The text behind some keys, one in the other; undefined where there is none. */
export function textAt(value: Json | undefined, ...keys: readonly string[]): string | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' ? found : undefined;
}

/** What stands behind some keys, one in the other. */
export function valueAt(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
}

/** The objects in the list at a path of keys; empty without a list. */
export function objectsAt(value: Json | undefined, ...keys: readonly string[]): readonly JsonObject[] {
  const found = valueAt(value, ...keys);
  return isJsonList(found) ? found.filter(isJsonObject) : [];
}

/** A record as others refer to it. */
export interface NamedRecord {
  readonly uri: string;
  readonly cid: string;
  readonly record: JsonObject;
}

export interface Derived {
  readonly did: string;
  readonly collection: string;
  readonly rkey: string;
  readonly record: JsonObject;
}

/** The key of what was said by itself: the same for the same thing, and in the order of time. */
export function derivedKey(salt: string, atMs: number): string {
  const dice = createDice(0, salt);
  return toTid({ atUs: Math.floor(atMs) * 1000 + below(1000, dice(0)), clock: below(CLOCKS, dice(1)) });
}

/** A record that nobody wrote through the API. */
export function derived({ did, collection, rkey, record }: Derived): NamedRecord {
  const typed = { $type: collection, ...record };
  return { uri: toAtUri({ repo: did, collection, rkey }), cid: cidOf('record', encodeCbor(typed)), record: typed };
}

export function strongRef({ uri, cid }: Pick<NamedRecord, 'uri' | 'cid'>): JsonObject {
  return { uri, cid };
}

const COLLECTION = 'commits';

/** The content of a record. */
export const Document = z.custom<JsonObject>((value) => z.record(z.string(), z.json()).safeParse(value).success);

const Write = z.object({
  collection: z.string(),
  rkey: z.string(),
  /** What stands from then on; absent: nothing. */
  now: z.object({ cid: z.string(), record: Document }).optional(),
});

const Commit = z.object({
  did: z.string(),
  rev: z.string(),
  cid: z.string(),
  atMs: z.number(),
  /** From when on everybody else sees it. */
  visibleAtMs: z.number(),
  writes: z.array(Write),
});
export type Commit = z.output<typeof Commit>;

/** A change of one record. */
export type Write = z.output<typeof Write>;

/** A record as it stands in its repository. */
export interface StandingRecord {
  readonly did: string;
  readonly collection: string;
  readonly rkey: string;
  readonly uri: string;
  readonly cid: string;
  readonly record: JsonObject;
  /** The commit that put it there first: another record that had the same key before had another one. */
  readonly birth: string;
  readonly atMs: number;
  readonly visibleAtMs: number;
}

/** The repositories of all accounts, as what was written to them left them. */
export class Repositories {
  readonly #journal: Journal;
  readonly #heads = new Map<string, Pick<Commit, 'cid' | 'rev'>>();
  /** By DID and collection, then by key. */
  readonly #records = new Map<string, Map<string, StandingRecord>>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Commit.parse(document));
  }

  find(did: string, collection: string, rkey: string): StandingRecord | undefined {
    return this.#records.get(placeOf(did, collection))?.get(rkey);
  }

  /** The records of a collection, in the order of their keys. */
  all(did: string, collection: string): readonly StandingRecord[] {
    return [...(this.#records.get(placeOf(did, collection))?.values() ?? [])].toSorted((a, b) => (a.rkey < b.rkey ? -1 : 1));
  }

  /** The collections in which a repository has records. */
  collectionsOf(did: string): readonly string[] {
    return [...this.#records]
      .filter(([place, records]) => place.startsWith(`${did} `) && records.size > 0)
      .map(([, records]) => nameOf(records));
  }

  /** Every record that stands, of everybody. */
  everything(): readonly StandingRecord[] {
    return [...this.#records.values()].flatMap((records) => [...records.values()]);
  }

  /** The latest commit of a repository. Empty repositories have the same one. */
  headOf(did: string): Pick<Commit, 'cid' | 'rev'> {
    const rev = toTid({ atUs: 0, clock: 0 });
    return this.#heads.get(did) ?? { rev, cid: cidOf('record', encodeCbor({ did, version: 3, rev, prev: null })) };
  }

  /** All changes at once. */
  commit(did: string, writes: readonly Write[], { atMs, visibleAtMs }: Pick<Commit, 'atMs' | 'visibleAtMs'>): Commit {
    const head = this.headOf(did);
    const lastUs = fromTid(head.rev)?.atUs ?? 0;
    const rev = toTid({ atUs: Math.max(atMs * 1000, lastUs + 1), clock: 0 });
    const changes = writes.map(({ collection, rkey, now }) => ({ path: `${collection}/${rkey}`, cid: now?.cid ?? null }));
    const cid = cidOf('record', encodeCbor({ did, version: 3, rev, prev: { $link: head.cid }, changes }));
    const commit: Commit = { did, rev, cid, atMs, visibleAtMs, writes: [...writes] };
    // One document: after a kill all of it stands, or nothing.
    this.#journal.put(COLLECTION, `${did} ${rev}`, commit);
    this.#remember(commit);
    return commit;
  }

  #remember({ did, rev, cid, atMs, visibleAtMs, writes }: Commit): void {
    this.#heads.set(did, { rev, cid });
    for (const { collection, rkey, now } of writes) {
      const place = placeOf(did, collection);
      const records = this.#records.get(place) ?? new Map<string, StandingRecord>();
      this.#records.set(place, records);
      const before = records.get(rkey);
      records.delete(rkey);
      if (!now) continue;
      const uri = toAtUri({ repo: did, collection, rkey });
      const birth = before?.birth ?? rev;
      records.set(rkey, { did, collection, rkey, uri, ...now, birth, atMs: before?.atMs ?? atMs, visibleAtMs });
    }
  }
}

function placeOf(did: string, collection: string): string {
  return `${did} ${collection}`;
}

function nameOf(records: ReadonlyMap<string, StandingRecord>): string {
  const [first] = records.values();
  return first?.collection ?? '';
}
