import { randomUUID } from 'node:crypto';
import type { WriteOptions } from '#src/operation/call.ts';
import type { Account } from '../account.ts';
import { placeOf, type RecordPlace } from '../at-uri.ts';
import type { RecordValue } from '../xrpc/repo.ts';
import { tidOf } from './tid.ts';
import { writeOnce } from './write-once.ts';

/** A kind of records of which the account has at most one about a subject, as its like of a post. */
export interface RecordKind {
  readonly collection: string;
  /** Whether a record is the one about the subject. */
  readonly isAbout: (value: RecordValue) => boolean;
  /** The address of the subject, if records about it cannot be older than it. */
  readonly after?: string | undefined;
}

/** The records of the account about a subject, newest first. The server of the account has them at once, unlike what is shown of them. */
async function* recordsAbout(
  { repo }: Pick<Account, 'repo'>,
  { collection, isAbout, after }: RecordKind,
  { signal }: WriteOptions,
): AsyncGenerator<RecordPlace, void> {
  const oldest = placeOf(after ?? '')?.rkey;
  for await (const { uri, value } of repo.all(collection, { signal })) {
    const place = placeOf(uri);
    if (!place) continue;
    if (isAbout(value)) yield place;
    // Keys are instants: what follows is older than the subject.
    if (oldest !== undefined && isInstant(oldest) && isInstant(place.rkey) && place.rkey < oldest) return;
  }
}

/** Writes the record unless there is one; its key is the same for every attempt. */
export async function writeOneRecord(
  account: Pick<Account, 'repo' | 'now'>,
  kind: RecordKind,
  { value, key = randomUUID(), since = account.now(), signal }: WriteOptions & { readonly value: RecordValue },
): Promise<void> {
  const { done } = await recordsAbout(account, kind, { signal }).next();
  if (!done) return;
  const { collection } = kind;
  const place = { did: await account.repo.did(signal), collection, rkey: tidOf(key, since) };
  await writeOnce(account.repo, { place, value: { $type: collection, ...value, createdAt: since.toISOString() }, signal });
}

/** Deletes all of the records. */
export async function deleteRecords(account: Pick<Account, 'repo'>, kind: RecordKind, { signal }: WriteOptions): Promise<void> {
  const places = await Array.fromAsync(recordsAbout(account, kind, { signal }));
  for (const place of places) await account.repo.delete(place, { signal });
}

function isInstant(rkey: string): boolean {
  return /^[2-7a-j][2-7a-z]{12}$/u.test(rkey);
}
