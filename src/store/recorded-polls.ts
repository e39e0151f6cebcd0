import { hash } from 'node:crypto';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import { itemsText, laterBy } from '#src/engine/planner/items-text.ts';
import type { RecordedResult, RecordedPolls } from '#src/engine/planner/recorded-polls.ts';
import { chunks, fromText } from './columns.ts';
import {
  COMPLETE_EVERY_MS,
  CompletePolls,
  isComplete,
  MAX_REFERENCE_BYTES,
  referenceTo,
  toCompleteRow,
  type CompleteRow,
} from './complete-polls.ts';
import { groupCommit, type Write } from './group-commit.ts';
import { createPollRetention } from './recorded-polls-retention.ts';
import { preparedInsert } from './prepared.ts';
import type { Tables } from './tables.ts';

const MAX_BYTES = 64 * 1024 * 1024;
/** Results within this time are written together. */
const WRITE_EVERY_MS = 10_000;
/** The number of results that may wait. Further ones are not recorded. */
const MAX_WAITING = 1_000;
const PAGE = 200;

export interface RecordedPollsOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly write?: Write | undefined;
  readonly maxBytes?: number | undefined;
}

/** Recordings that buffer the latest results. */
export interface StoredPolls extends RecordedPolls {
  /** Writes the buffered results. */
  flush(): Promise<void>;
}

type Recorded = Omit<RecordedResult, 'slotMs'>;

interface Row {
  readonly query: string;
  readonly slot_ms: number;
  readonly body: Uint8Array;
}

const insertRows = preparedInsert((db, rows: readonly Row[]) => db.insertInto('recorded_poll').values(rows));

/** Recorded polls in the database, for eight days and within the limit of bytes. */
export function createRecordedPolls({
  db,
  clock,
  write: transact = groupCommit(db),
  maxBytes = MAX_BYTES,
}: RecordedPollsOptions): StoredPolls {
  const rowsOf = createRows();
  const retention = createPollRetention({ db, clock, maxBytes });
  /** Rows that wait to be written. They are compressed, because many may wait. */
  let waiting: Row[] = [];
  let writing: Promise<void> | undefined;
  let nextMs = 0;
  /** Ends the pause before the next write. */
  let pause: AbortController | undefined;
  /** The error of a write in the background. */
  let lost: unknown;
  /** Whether rows were written since the last call of `record`. */
  let isWritten = false;

  async function write(): Promise<void> {
    pause?.abort();
    pause = undefined;
    const rows = waiting;
    waiting = [];
    nextMs = clock.nowMs() + WRITE_EVERY_MS;
    // Readers go first.
    await nextLoop();
    try {
      for (const part of chunks(rows)) await transact((trx) => insertRows(trx, part), { mayBeLost: true });
      await retention.prune(rows);
      isWritten = true;
    } catch (error) {
      // The content of the database is unknown now, so no row may repeat the one before.
      rowsOf.forget();
      waiting = waiting.filter(({ body }) => isComplete(body));
      throw error;
    }
  }

  async function flush(): Promise<void> {
    while (writing) await writing.catch(() => undefined);
    if (waiting.length === 0) return;
    writing = write().finally(() => (writing = undefined));
    await writing;
  }

  /** Writes the buffered results at the end of the pause, even if no further result comes. */
  async function flushLater(): Promise<void> {
    pause = new AbortController();
    const { signal } = pause;
    try {
      await clock.sleep(Math.max(0, nextMs - clock.nowMs()), signal);
      pause = undefined;
      await flush();
    } catch (error) {
      // The next call of `record` reports this error.
      if (!signal.aborted) lost = error;
    }
  }

  return {
    flush,

    async record(query, recorded) {
      if (waiting.length >= MAX_WAITING) throw new Error(`${MAX_WAITING} polls already wait to be stored`);
      const row = rowsOf.toRow(query, recorded);
      if (row) waiting.push(row);
      const before = lost;
      lost = undefined;
      if (!writing && clock.nowMs() >= nextMs) await flush();
      else if (!pause) void flushLater();
      if (before !== undefined) throw before;
      const wasWritten = isWritten;
      isWritten = false;
      return wasWritten;
    },

    async *read(query, sinceMs) {
      await flush().catch(() => undefined);
      yield* readPolls(db, hashOf(query), sinceMs);
    },
  };
}

/** Creates the rows of results. A result that equals the one before has a short row. */
function createRows() {
  /** The last result per query, and its complete row. */
  const last = new Map<string, { readonly digest: string; readonly slotMs: number; readonly complete: CompleteRow }>();

  /** The row of a result; undefined if a later slot is recorded, because a short row must follow the row that it repeats. */
  function toRow(name: string, { slotMs, ...rest }: RecordedResult): Row | undefined {
    // Queries are long, and each row has one.
    const query = hashOf(name);
    const before = last.get(query);
    if (before && slotMs < before.slotMs) return undefined;
    const { items, head } = textOf(rest);
    const digest = hashOf(`${items.digest} ${head}`);
    if (before?.digest === digest && slotMs < before.complete.slotMs + COMPLETE_EVERY_MS) {
      last.set(query, { ...before, slotMs });
      return { query, slot_ms: slotMs, body: referenceTo(before.complete, slotMs) };
    }
    const body = withoutSpare(zstdCompressSync(`${head}${items.toText()}}}`));
    last.set(query, { digest, slotMs, complete: toCompleteRow(slotMs, body) });
    return { query, slot_ms: slotMs, body };
  }

  return { toRow, forget: () => last.clear() };
}

/** The JSON of a result in two parts. The text of the items is made once for the recording and the evaluation of a poll. */
function textOf({ params, answer: { items, ...answer } }: Recorded): {
  readonly head: string;
  readonly items: ReturnType<typeof itemsText>;
} {
  const head = JSON.stringify({ params, answer: { ...answer, items: [] } });
  return { head: head.slice(0, -'[]}}'.length), items: itemsText(items) };
}

/** The recorded results of a query from an instant on. */
async function* readPolls(db: Kysely<Tables>, name: string, sinceMs: number): ReturnType<StoredPolls['read']> {
  const complete = new CompletePolls();
  for (const { slot_ms, body } of await completeBefore(db, name, sinceMs)) complete.add(slot_ms, body);
  for (let after = { slotMs: sinceMs, seq: -1 }; ;) {
    const rows = await db
      .selectFrom('recorded_poll')
      .select(['seq', 'slot_ms', 'body'])
      .where('query', '=', name)
      .where((eb) => eb(eb.refTuple('slot_ms', 'seq'), '>', eb.tuple(after.slotMs, after.seq)))
      .orderBy('slot_ms')
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    for (const { slot_ms, body } of rows) {
      const whole = await complete.resultOf(slot_ms, body);
      if (whole) yield { slotMs: slot_ms, ...fromText<Recorded>(laterBy(slot_ms - whole.slotMs, whole.text)) };
    }
    const end = rows.at(-1);
    if (!end) return;
    after = { slotMs: end.slot_ms, seq: end.seq };
  }
}

/** Copies the bytes out of their larger buffer. */
function withoutSpare(made: Uint8Array): Uint8Array {
  return new Uint8Array(made);
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The complete rows before `beforeMs` to which later rows can refer. */
async function completeBefore(db: Kysely<Tables>, query: string, beforeMs: number): Promise<readonly Omit<Row, 'query'>[]> {
  return db
    .selectFrom('recorded_poll')
    .select(['slot_ms', 'body'])
    .where('query', '=', query)
    .where('slot_ms', '<', beforeMs)
    .where('slot_ms', '>=', beforeMs - COMPLETE_EVERY_MS)
    .where((eb) => eb(eb.fn<number>('length', ['body']), '>', MAX_REFERENCE_BYTES))
    .orderBy('slot_ms')
    .orderBy('seq')
    .execute();
}
