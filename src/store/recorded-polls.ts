import { createHash } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { RecordedAnswer, RecordedPolls } from '#src/planner/recorded-polls.ts';
import { chunks } from './chunks.ts';
import { fromText } from './columns.ts';
import { createRecordedRoom } from './recorded-room.ts';
import type { Tables } from './tables.ts';

const decompress = promisify(zstdDecompress);

const MAX_BYTES = 64 * 1024 * 1024;
/** What is read in this time is written together. */
const WRITE_EVERY_MS = 10_000;
/** So often an answer is written even where it is the same as before, so that nothing depends on a row that is long gone. */
const WHOLE_EVERY_MS = 3_600_000;
/** How many answers may wait to be written; what comes then is not recorded. */
const MAX_WAITING = 1_000;
const PAGE = 200;
/** Says that the answer is that of the row before. */
const SAME = new Uint8Array(0);

export interface RecordedPollsOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly maxBytes?: number | undefined;
}

/** Recordings, of which the last answers may not be written yet. */
export interface StoredPolls extends RecordedPolls {
  /** Writes what waits. */
  flush(): Promise<void>;
}

/** An answer on its way: many may wait, so that it is made small at once. */
interface Waiting {
  readonly query: string;
  readonly slotMs: number;
  readonly digest: string;
  readonly body: Uint8Array;
}

type Recorded = Omit<RecordedAnswer, 'slotMs'>;

/** An answer that stands in full, and its slot. */
interface Whole {
  readonly slotMs: number;
  readonly text: string;
}

interface Row {
  readonly query: string;
  readonly slot_ms: number;
  readonly body: Uint8Array;
}

/** What was read, in the database: for eight days, and as far as there is room, of which each query gets its share. */
export function createRecordedPolls({ db, clock, maxBytes = MAX_BYTES }: RecordedPollsOptions): StoredPolls {
  /** The answer that was written last, by query, and since when it stands in full. */
  const last = new Map<string, { readonly digest: string; readonly slotMs: number; readonly wholeMs: number }>();
  const room = createRecordedRoom({ db, clock, maxBytes });
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let nextMs = 0;
  /** Ends the pause after which what waits is written. */
  let pause: AbortController | undefined;
  /** Why what waited was lost with nobody there to be told. */
  let lost: unknown;

  /** Nothing where a later slot was recorded already: an answer that stands in for the one before it must stay behind it. */
  function toRow({ query, slotMs, digest, body }: Waiting): readonly Row[] {
    const before = last.get(query);
    if (before && slotMs <= before.slotMs) return [];
    const isSame = before?.digest === digest && slotMs < before.wholeMs + WHOLE_EVERY_MS;
    last.set(query, { digest, slotMs, wholeMs: isSame ? before.wholeMs : slotMs });
    return [{ query, slot_ms: slotMs, body: isSame ? SAME : body }];
  }

  async function write(): Promise<void> {
    pause?.abort();
    pause = undefined;
    const batch = waiting;
    waiting = [];
    nextMs = clock.nowMs() + WRITE_EVERY_MS;
    // Whoever reads goes first.
    await breath();
    try {
      const rows = batch.flatMap(toRow);
      for (const part of chunks(rows)) await db.insertInto('recorded_poll').values(part).execute();
      await room.make(rows);
    } catch (error) {
      // What stands in the database is not known any more.
      last.clear();
      throw error;
    }
  }

  async function flush(): Promise<void> {
    while (writing) await writing.catch(() => undefined);
    if (waiting.length === 0) return;
    writing = write().finally(() => (writing = undefined));
    await writing;
  }

  /** Writes what waits when it is time, also where nothing more comes. */
  async function flushLater(): Promise<void> {
    pause = new AbortController();
    const { signal } = pause;
    try {
      await clock.sleep(Math.max(0, nextMs - clock.nowMs()), signal);
      pause = undefined;
      await flush();
    } catch (error) {
      // Nobody waits here: the next who records hears of it.
      if (!signal.aborted) lost = error;
    }
  }

  return {
    flush,

    async record(query, recorded) {
      if (waiting.length >= MAX_WAITING) throw new Error(`${MAX_WAITING} answers wait to be written already`);
      waiting.push(toWaiting(query, recorded));
      const before = lost;
      lost = undefined;
      if (!writing && clock.nowMs() >= nextMs) await flush();
      else if (!pause) void flushLater();
      if (before !== undefined) throw before;
    },

    async *read(query, sinceMs) {
      await flush().catch(() => undefined);
      const name = nameOf(query);
      let whole = await wholeBefore(db, name, sinceMs);
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
          if (body.length > 0) whole = { slotMs: slot_ms, text: await toText(body) };
          if (whole) yield { slotMs: slot_ms, ...fromText<Recorded>(laterBy(slot_ms - whole.slotMs, whole.text)) };
        }
        const end = rows.at(-1);
        if (!end) return;
        after = { slotMs: end.slot_ms, seq: end.seq };
      }
    },
  };
}

function toWaiting(query: string, { slotMs, ...rest }: RecordedAnswer): Waiting {
  const text = JSON.stringify(rest);
  return { query: nameOf(query), slotMs, digest: hashOf(withoutInstants(text)), body: ownBytes(zstdCompressSync(text)) };
}

/** The bytes without the buffer that they were made in, which is much larger. */
function ownBytes(made: Uint8Array): Uint8Array {
  return new Uint8Array(made);
}

/** Queries may be long, and stand in every row. */
function nameOf(query: string): string {
  return hashOf(query);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** When an item was read, and that instant inside the addresses of its pictures: they differ at each poll, though nothing differs. */
const FETCHED_AT = /"fetchedAt":"([^"]+)"/gu;

/** An answer without the instants at which it was read. */
function withoutInstants(text: string): string {
  return instantsIn(text).reduce((rest, at) => rest.replaceAll(at, '').replaceAll(String(Date.parse(at)), ''), text);
}

/** An answer as if it had been read so much later. */
function laterBy(ms: number, text: string): string {
  if (ms === 0) return text;
  return instantsIn(text).reduce((later, at) => {
    const atMs = Date.parse(at);
    return later.replaceAll(at, new Date(atMs + ms).toISOString()).replaceAll(String(atMs), String(atMs + ms));
  }, text);
}

/** The latest first: moved one by one, none meets another. */
function instantsIn(text: string): readonly string[] {
  const found = new Set([...text.matchAll(FETCHED_AT)].flatMap(([, at = '']) => (Number.isFinite(Date.parse(at)) ? [at] : [])));
  return [...found].toSorted((one, other) => Date.parse(other) - Date.parse(one));
}

async function toText(body: Uint8Array): Promise<string> {
  return (await decompress(body)).toString();
}

/** The answer that stood in full when `beforeMs` came. */
async function wholeBefore(db: Kysely<Tables>, query: string, beforeMs: number): Promise<Whole | undefined> {
  const row = await db
    .selectFrom('recorded_poll')
    .select(['slot_ms', 'body'])
    .where('query', '=', query)
    .where('slot_ms', '<', beforeMs)
    .where('slot_ms', '>=', beforeMs - WHOLE_EVERY_MS)
    .where((eb) => eb(eb.fn<number>('length', ['body']), '>', 0))
    .orderBy('slot_ms', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { slotMs: row.slot_ms, text: await toText(row.body) };
}
