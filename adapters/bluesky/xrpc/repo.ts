import { z } from 'zod';
import type { CallOptions } from '#src/operation/call.ts';
import type { RecordPlace } from '../at-uri.ts';
import { failure, isFault } from '../platform.ts';
import { listOf, maybeText } from '../wire/parts.ts';
import type { Xrpc } from './xrpc.ts';

const MOST_WRITES = 200;
const PAGE = 100;
/** Nobody has so many: a server that goes on does not end. */
const MOST_PAGES = 1_000;

export type RecordValue = Readonly<Record<string, unknown>>;

const Stored = z.object({ uri: z.string(), cid: maybeText, value: z.record(z.string(), z.unknown()) }).transform((wire): Stored => wire);
const Records = z.object({ records: listOf(Stored), cursor: maybeText });

/** A record as its server has it. */
interface Stored {
  readonly uri: string;
  readonly cid: string | undefined;
  readonly value: RecordValue;
}

/** One part of a write that is done as a whole. */
export type Write =
  | { readonly collection: string; readonly rkey: string; readonly value: RecordValue }
  | { readonly collection: string; readonly rkey: string };

/** The records of the signed-in account, at once as they were written; those of others as far as its server has them. */
export interface Repo {
  did(signal: AbortSignal | undefined): Promise<string>;
  /** The record, if there is one. */
  find(place: RecordPlace, options: CallOptions): Promise<Stored | undefined>;
  /** Puts a record where `swap` stands: a CID, or null for nothing; anything else there is a `duplicate`. */
  put(place: Omit<RecordPlace, 'did'>, value: RecordValue, options: CallOptions & { readonly swap: string | null }): Promise<void>;
  /** Resolves also where it was gone already. */
  delete(place: Omit<RecordPlace, 'did'>, options: CallOptions): Promise<void>;
  /** All of it or nothing, as far as one request goes. */
  apply(writes: readonly Write[], options: CallOptions): Promise<void>;
  /** All records of a kind, newest first; rejects where they do not end. */
  all(collection: string, options: CallOptions): AsyncGenerator<Stored, void>;
}

export function repo(xrpc: Xrpc): Repo {
  const did = async (signal: AbortSignal | undefined): Promise<string> => (await xrpc.session(signal)).did;
  const write = async (name: string, input: object, idempotent: boolean, { signal }: CallOptions): Promise<void> => {
    const json = { repo: await did(signal), ...input };
    const response = await xrpc.procedure(`com.atproto.repo.${name}`, { json, idempotent }, { signal });
    // Every server tells where the record is; what does not is none.
    if (name === 'putRecord') response.json(z.object({ uri: z.string() }));
  };

  async function list(collection: string, from: string | undefined, { signal }: CallOptions): Promise<z.output<typeof Records>> {
    const query = { repo: await did(signal), collection, limit: PAGE, cursor: from };
    return xrpc.query('com.atproto.repo.listRecords', Records, query, { signal });
  }

  return {
    did,

    async find({ did: owner, collection, rkey }, { signal }) {
      try {
        return await xrpc.query('com.atproto.repo.getRecord', Stored, { repo: owner, collection, rkey }, { signal });
      } catch (error) {
        if (isFault(error, 'missing')) return undefined;
        throw error;
      }
    },

    put: (place, record, { swap, signal }) => write('putRecord', { ...place, record, swapRecord: swap }, false, { signal }),
    delete: ({ collection, rkey }, options) => write('deleteRecord', { collection, rkey }, true, options),

    async apply(writes, options) {
      for (let from = 0; from < writes.length; from += MOST_WRITES) {
        const parts = writes.slice(from, from + MOST_WRITES).map((part) => ({ $type: kindOf(part), ...part }));
        await write('applyWrites', { writes: parts }, false, options);
      }
    },

    async *all(collection, options) {
      const met = new Set<string>();
      let from: string | undefined;
      for (let pages = 0; pages < MOST_PAGES; pages++) {
        const page = await list(collection, from, options);
        yield* page.records;
        from = page.cursor;
        if (from === undefined || met.has(from)) return;
        met.add(from);
      }
      throw failure('rejected', `there are more than ${MOST_PAGES * PAGE} records of ${collection}: these are too many to look through.`);
    },
  };
}

function kindOf(part: Write): string {
  return `com.atproto.repo.applyWrites#${'value' in part ? 'create' : 'delete'}`;
}
