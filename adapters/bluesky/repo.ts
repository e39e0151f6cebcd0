import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { CallOptions, WriteOptions } from '#src/clients/operation/call.ts';
import { isFault } from '#src/http/errors.ts';
import { readPages } from '#src/clients/paging/read-pages.ts';
import { parseRecordUri, type RecordAddress } from './addresses.ts';
import type { Xrpc } from './client.ts';
import { failure } from './errors.ts';
import { listOf, maybeText } from './wire/parts.ts';

const MOST_WRITES = 200;
const PAGE = 100;
/** A repository with more pages has an endless cursor. */
const MOST_PAGES = 1_000;

export type RecordValue = Readonly<Record<string, unknown>>;

const Stored = z.object({ uri: z.string(), cid: maybeText, value: z.record(z.string(), z.unknown()) }).transform((wire): Stored => wire);
const Records = z.object({ records: listOf(Stored, { isRequired: true }), cursor: maybeText });

/** A record as its server stores it. */
interface Stored {
  readonly uri: string;
  readonly cid: string | undefined;
  readonly value: RecordValue;
}

/** A change of one record. */
export type Write =
  | { readonly collection: string; readonly rkey: string; readonly value: RecordValue }
  | { readonly collection: string; readonly rkey: string };

/** The options that are equal for all attempts at a write. */
type Identity = CallOptions & Pick<WriteOptions, 'decidedAt'> & { readonly key: string; readonly since: Date };

/** The records of the signed-in account, which are current, and the records of others that its server knows. */
export interface Repo {
  did(signal: AbortSignal | undefined): Promise<string>;
  /** The address of a new record, the same for all attempts. */
  addressFor(collection: string, options: Identity): Promise<RecordAddress>;
  /** The record of an earlier attempt. */
  findWritten(collection: string, options: Identity): Promise<{ readonly address: RecordAddress; readonly value: RecordValue } | undefined>;
  /** The record, if there is one. */
  find(address: RecordAddress, options: CallOptions): Promise<Stored | undefined>;
  /** Replaces the record `swap`: a CID, or null for a free key. Any other record under the key is a `duplicate`. */
  put(address: Omit<RecordAddress, 'did'>, value: RecordValue, options: CallOptions & { readonly swap: string | null }): Promise<void>;
  /** Resolves even if the record is missing. */
  delete(address: Omit<RecordAddress, 'did'>, options: CallOptions): Promise<void>;
  /** Each request makes all of its writes or none. */
  apply(writes: readonly Write[], options: CallOptions): Promise<void>;
  /** The newest records of a collection. */
  latest(collection: string, options: CallOptions): Promise<readonly Stored[]>;
  /** All records of a collection, newest first. Rejects an endless list. */
  all(collection: string, options: CallOptions): AsyncGenerator<Stored, void>;
}

export function repo(xrpc: Xrpc): Repo {
  const did = async (signal: AbortSignal | undefined): Promise<string> => (await xrpc.session(signal)).did;
  const write = async (name: string, input: object, idempotent: boolean, { signal }: CallOptions): Promise<void> => {
    const json = { repo: await did(signal), ...input };
    const response = await xrpc.procedure(`com.atproto.repo.${name}`, { json, idempotent }, { signal });
    // Every server answers with the address of the record. Another answer is not from a PDS.
    if (name === 'putRecord') response.json(z.object({ uri: z.string() }));
  };

  async function list(collection: string, cursor: string | undefined, { signal }: CallOptions): Promise<z.output<typeof Records>> {
    const query = { repo: await did(signal), collection, limit: PAGE, cursor };
    return xrpc.query('com.atproto.repo.listRecords', Records, query, { signal });
  }

  const addressFor: Repo['addressFor'] = async (collection, { key, since, decidedAt = since, signal }) => ({
    did: await did(signal),
    collection,
    rkey: tidOf(key, decidedAt),
  });
  const find: Repo['find'] = async ({ did: owner, collection, rkey }, { signal }) => {
    try {
      return await xrpc.query('com.atproto.repo.getRecord', Stored, { repo: owner, collection, rkey }, { signal });
    } catch (error) {
      if (isFault(error, 'missing')) return undefined;
      throw error;
    }
  };

  return {
    did,
    addressFor,

    async findWritten(collection, { decidedAt, ...options }) {
      const address = await addressFor(collection, { decidedAt, ...options });
      const stored = await find(address, options);
      if (stored || !decidedAt) return stored && { address, value: stored.value };
      // Earlier versions of Fanfare used the time of the first attempt.
      const earlier = await addressFor(collection, options);
      const storedEarlier = await find(earlier, options);
      return storedEarlier && { address: earlier, value: storedEarlier.value };
    },

    find,

    put: (address, record, { swap, signal }) => write('putRecord', { ...address, record, swapRecord: swap }, false, { signal }),
    delete: ({ collection, rkey }, options) => write('deleteRecord', { collection, rkey }, true, options),

    async apply(writes, options) {
      for (let from = 0; from < writes.length; from += MOST_WRITES) {
        const parts = writes.slice(from, from + MOST_WRITES).map((part) => ({ $type: kindOf(part), ...part }));
        await write('applyWrites', { writes: parts }, false, options);
      }
    },

    latest: async (collection, options) => (await list(collection, undefined, options)).records,

    async *all(collection, options) {
      for await (const { page, isEnd } of readPages((cursor) => list(collection, cursor, options), MOST_PAGES)) {
        yield* page.records;
        if (isEnd) return;
      }
      throw failure('rejected', `there are more than ${MOST_PAGES * PAGE} records of ${collection}: these are too many to search.`);
    },
  };
}

function kindOf(part: Write): string {
  return `com.atproto.repo.applyWrites#${'value' in part ? 'create' : 'delete'}`;
}

interface Once extends CallOptions {
  readonly address: RecordAddress;
  readonly value: RecordValue;
  /** Writes of the same request. */
  readonly beside?: readonly Write[] | undefined;
}

/**
 * Writes a record once. Returns the stored record, which may be from an earlier attempt.
 *
 * All attempts use the same key. If a server refuses a later attempt, the adapter reads the stored record.
 */
export async function writeOnce(repo: Repo, { address, value, beside = [], signal }: Once): Promise<RecordValue> {
  const { did: _did, ...key } = address;
  try {
    if (beside.length === 0) await repo.put(key, value, { swap: null, signal });
    else await repo.apply([{ ...key, value }, ...beside], { signal });
    return value;
  } catch (error) {
    // Servers refuse a batch with an existing record in different ways, and a malformed answer may follow a write.
    if (!isFault(error, 'duplicate', 'rejected', 'unavailable', 'malformed')) throw error;
    const standing = await repo.find(address, { signal }).catch((unfound: unknown) => {
      // A refusal is final only if there is no record.
      if (isFault(error, 'rejected') && mayPass(unfound)) throw unfound;
      return undefined;
    });
    if (!standing) throw error;
    return standing.value;
  }
}

function mayPass(error: unknown): boolean {
  return isFault(error, 'unreachable', 'unanswered', 'unavailable', 'rateLimited', 'unauthorized');
}

const SIGNS = '234567abcdefghijklmnopqrstuvwxyz';
const LENGTH = 13;
const SECOND_US = 1_000_000;

/** A record key (TID) for an instant plus less than a second, which is a hash of `key`. */
export function tidOf(key: string, at: Date): string {
  const hash = createHash('sha256').update(key).digest();
  const micros = BigInt(at.getTime()) * 1000n + BigInt(hash.readUInt32BE(0) % SECOND_US);
  let rest = (micros << 10n) | BigInt(hash.readUInt16BE(4) & 0x3ff);
  let tid = '';
  for (let digit = 0; digit < LENGTH; digit++) {
    tid = SIGNS[Number(rest & 31n)] + tid;
    rest >>= 5n;
  }
  return tid;
}

/** A collection with at most one record about a subject, such as the account's like of a post. */
export interface RecordKind {
  readonly collection: string;
  /** Whether a record is about the subject. */
  readonly isAbout: (value: RecordValue) => boolean;
  /** The address of the subject, if records about it cannot be older than it. */
  readonly after?: string | undefined;
}

/** The records of the account about a subject, newest first. The AppView shows them later than the server of the account. */
async function* recordsAbout(
  { repo }: { readonly repo: Repo },
  { collection, isAbout, after }: RecordKind,
  { signal }: WriteOptions,
): AsyncGenerator<RecordAddress, void> {
  const oldest = parseRecordUri(after ?? '')?.rkey;
  for await (const { uri, value } of repo.all(collection, { signal })) {
    const address = parseRecordUri(uri);
    if (!address) continue;
    if (isAbout(value)) yield address;
    // Keys are instants: all following records are older than the subject.
    if (oldest !== undefined && isInstant(oldest) && isInstant(address.rkey) && address.rkey < oldest) return;
  }
}

/** Writes a record about a subject unless there is one. */
export async function writeOneRecord(
  account: { readonly repo: Repo; readonly now: () => Date },
  kind: RecordKind,
  { value, key = randomUUID(), since = account.now(), signal }: WriteOptions & { readonly value: RecordValue },
): Promise<void> {
  const { done } = await recordsAbout(account, kind, { signal }).next();
  if (!done) return;
  const { collection } = kind;
  const address = await account.repo.addressFor(collection, { key, since, signal });
  await writeOnce(account.repo, { address, value: { $type: collection, ...value, createdAt: since.toISOString() }, signal });
}

/** Deletes all of the records. */
export async function deleteRecords(account: { readonly repo: Repo }, kind: RecordKind, { signal }: WriteOptions): Promise<void> {
  const addresses = await Array.fromAsync(recordsAbout(account, kind, { signal }));
  for (const address of addresses) await account.repo.delete(address, { signal });
}

function isInstant(rkey: string): boolean {
  return /^[2-7a-j][2-7a-z]{12}$/u.test(rkey);
}
