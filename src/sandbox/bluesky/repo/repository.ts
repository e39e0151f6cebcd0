import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { Journal } from '../../journal.ts';
import { toAtUri } from '../data/at-uri.ts';
import { encodeCbor } from '../data/cbor.ts';
import { cidOf } from '../data/cid.ts';
import { fromTid, toTid } from '../data/tid.ts';

const COLLECTION = 'commits';

/** What a record can hold. */
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

  /** The collections of which somebody has a record. */
  collectionsOf(did: string): readonly string[] {
    return [...this.#records]
      .filter(([place, records]) => place.startsWith(`${did} `) && records.size > 0)
      .map(([, records]) => nameOf(records));
  }

  /** Every record that stands, of everybody. */
  everything(): readonly StandingRecord[] {
    return [...this.#records.values()].flatMap((records) => [...records.values()]);
  }

  /** What a repository is at: its first state is the same for everybody who has written nothing. */
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
