import type { Blobs } from './blobs.ts';
import { XrpcRefusal, invalidRequest, wordedRefusal } from '../xrpc/refusal.ts';
import type { Effects } from './effects.ts';
import { COLLECTIONS } from './graph-records.ts';
import { prepare, type Prepared, type Wanted } from './prepare.ts';
import { blobsIn, textAt } from './references.ts';
import type { Commit, Repositories, StandingRecord, Write } from './repository.ts';
import type { Unwritten } from './unwritten.ts';

export interface WritingOptions {
  readonly repositories: Repositories;
  readonly blobs: Blobs;
  readonly effects: Effects;
  readonly unwritten: Unwritten;
}

/** Whose repository is written to, when, and what it has to stand at. */
export interface Occasion {
  readonly did: string;
  readonly nowMs: number;
  /** How long everybody else does not see it. */
  readonly hiddenForMs: number;
  readonly swapCommit?: string | undefined;
}

/** Writes to repositories: all changes of a request, or none. */
export interface Writing {
  prepared(wanted: readonly Wanted[], occasion: Occasion): readonly Prepared[];
  /** The record that an address stands for in its own repository, as far as the API can change it. */
  current(did: string, collection: string, rkey: string): StandingRecord | undefined;
  commit(changes: readonly Prepared[], occasion: Occasion): Commit;
  /** What says the same as a new record, and goes when it comes. */
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

export function writingTo({ repositories, blobs, effects, unwritten }: WritingOptions): Writing {
  function current(did: string, collection: string, rkey: string): StandingRecord | undefined {
    return repositories.find(did, collection, rkey);
  }

  /** A tree of records takes no second record under a key, and changes none that is not there. */
  function checkTree(changes: readonly Prepared[], did: string): void {
    const standing = new Map<string, boolean>();
    for (const { action, collection, rkey } of changes) {
      const place = `${collection}/${rkey}`;
      const known = standing.get(place) ?? (current(did, collection, rkey) !== undefined || undefined);
      const there = known ?? unwritten.find(did, collection, rkey) !== undefined;
      if (there === (action === 'create')) throw brokenTree();
      if (known === undefined && action !== 'create') unwritten.checkChange(action, collection);
      standing.set(place, action !== 'delete');
    }
  }

  for (const { did, record } of repositories.everything()) for (const { cid } of blobsIn(record)) blobs.keep({ did, cid });

  return {
    settle: (nowMs) => effects.settle(nowMs),
    current,
    prepared: (wanted, { did, nowMs }) => wanted.map((one, index) => prepare(one, { did, nowMs, blobs, index })),

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
        if (now && row) effects.stands(row);
        else if (old) effects.goes(old, nowMs);
        else unwritten.takeBack(did, { collection, rkey }, nowMs);
      }
      return commit;
    },
  };
}

/** What the platform makes of a change that its tree of records cannot take. */
function brokenTree(): XrpcRefusal {
  const { error, message } = wordedRefusal(500);
  return new XrpcRefusal(500, error, message);
}
