import type { JsonObject } from '#src/operation/json.ts';
import { encodeCbor } from '../data/cbor.ts';
import { cidOf } from '../data/cid.ts';
import { CLOCKS, toTid } from '../data/tid.ts';
import { toAtUri } from '../data/at-uri.ts';
import { below, createDice } from '../../world/dice.ts';

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
