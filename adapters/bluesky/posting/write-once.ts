import type { CallOptions } from '#src/operation/call.ts';
import type { RecordPlace } from '../at-uri.ts';
import { isFault } from '../platform.ts';
import type { Repo, RecordValue, Write } from '../xrpc/repo.ts';

export interface Once extends CallOptions {
  readonly place: RecordPlace;
  readonly value: RecordValue;
  /** What is written with it, or not at all. */
  readonly beside?: readonly Write[] | undefined;
}

/**
 * The record as it stands: written now, or by an earlier attempt.
 *
 * Its key is the same for every attempt, so that no server can have it twice; one that refuses a second attempt is asked what stands there.
 */
export async function writeOnce(repo: Repo, { place, value, beside = [], signal }: Once): Promise<RecordValue> {
  const { did: _did, ...key } = place;
  try {
    if (beside.length === 0) await repo.put(key, value, { swap: null, signal });
    else await repo.apply([{ ...key, value }, ...beside], { signal });
    return value;
  } catch (error) {
    // A batch that would write over something fails, and each server fails in its own way; one that says nothing of use may have written.
    if (!isFault(error, 'duplicate', 'rejected', 'unavailable', 'malformed')) throw error;
    const standing = await repo.find(place, { signal }).catch(() => undefined);
    if (!standing) throw error;
    return standing.value;
  }
}
