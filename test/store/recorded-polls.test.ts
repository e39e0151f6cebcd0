import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { RecordedResult } from '#src/engine/planner/recorded-polls.ts';
import { createRecordedPolls, type StoredPolls } from '#src/store/recorded-polls.ts';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { MEMORY, openDatabase } from '#src/store/sqlite/open.ts';
import type { Tables } from '#src/store/tables.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { ManualClock } from '../support/manual-clock.ts';

const DAY_MS = 24 * 3_600_000;
const START = '2026-11-20T18:00:00Z';

interface Stage extends AsyncDisposable {
  readonly polls: StoredPolls;
  readonly clock: ManualClock;
  readonly database: DatabaseSync;
  /** The same database after a restart. */
  readonly again: () => StoredPolls;
}

function stage({ maxBytes }: { readonly maxBytes?: number } = {}): Stage {
  const clock = new ManualClock(START);
  const database = openDatabase(MEMORY);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  const again = (): StoredPolls => createRecordedPolls({ db, clock, maxBytes });
  return { polls: again(), clock, database, again, [Symbol.asyncDispose]: () => db.destroy() };
}

const answered = (clock: ManualClock, ...ids: readonly string[]): RecordedResult => ({
  slotMs: clock.nowMs(),
  params: { users: ['ada'] },
  answer: { items: ids.map((id) => ({ id })), approximate: false, partialErrors: [], more: false },
});

async function read(polls: StoredPolls, query: string, sinceMs = 0): Promise<string[]> {
  const all = await Array.fromAsync(polls.read(query, sinceMs));
  return all.map(
    ({ slotMs, answer }) =>
      `${new Date(slotMs).toISOString().slice(11, 19)} ${answer.items.flatMap(({ id }) => (typeof id === 'string' ? id : [])).join('+')}`,
  );
}

/** Random text, which cannot be compressed. */
const noise = (bytes: number): string => Array.from({ length: bytes }, () => Math.floor(Math.random() * 36).toString(36)).join('');

describe('recordings', () => {
  test('return the polls of each query in the order of the slots', async () => {
    await using recording = stage();
    const { polls, clock } = recording;

    void polls.record('a', answered(clock, 'ada'));
    void polls.record('b', answered(clock, 'grace'));
    await clock.advance(10_000);
    await polls.record('a', answered(clock, 'ada', 'linus'));

    expect(await Array.fromAsync(polls.read('b', 0))).toEqual([{ ...answered(new ManualClock(START), 'grace') }]);
    expect(await read(polls, 'a')).toEqual(['18:00:00 ada', '18:00:10 ada+linus']);
    expect(await read(polls, 'a', Date.parse(START) + 1)).toEqual(['18:00:10 ada+linus']);
    expect(await read(polls, 'c')).toEqual([]);
  });

  test('a read of the last poll does not decompress the complete answers before it', async () => {
    await using recording = stage();
    const { polls, clock, database } = recording;
    await polls.record('a', answered(clock, 'ada'));
    await clock.advance(10_000);
    await polls.record('a', answered(clock, 'grace'));
    await clock.advance(10_000);
    await polls.record('a', answered(clock, 'grace'));
    await polls.flush();
    database.prepare('update recorded_poll set body = zeroblob(20) where slot_ms = ?').run(Date.parse(START));

    expect(await read(polls, 'a', clock.nowMs() - 1)).toEqual(['18:00:20 grace']);
  });

  test('an unchanged answer takes almost no space, and is returned for each of its slots', async () => {
    await using recording = stage();
    const { polls, clock, database } = recording;

    for (let poll = 0; poll < 400; poll++) {
      await polls.record('a', answered(clock, 'ada'));
      await clock.advance(10_000);
    }

    expect(await read(polls, 'a')).toHaveLength(400);
    expect(await read(polls, 'a', Date.parse(START) + 3_700_000)).toHaveLength(30);
    // One in full, and one more after an hour.
    expect(database.prepare('select count(*) as rows from recorded_poll where length(body) > 8').get()).toEqual({ rows: 2 });
  });

  test('an answer that differs only in the time of reading is unchanged', async () => {
    await using recording = stage();
    const { polls, clock, database } = recording;
    const readNow = (): RecordedResult => {
      const fetchedAt = new Date(clock.nowMs()).toISOString();
      const items = ['ada', 'grace'].map((id) => ({ id, thumbnailUrl: `https://a.test/${id}.jpg?t=${clock.nowMs()}`, fetchedAt }));
      return { slotMs: clock.nowMs(), params: {}, answer: { items, approximate: false, partialErrors: [], more: false } };
    };
    const recorded: RecordedResult[] = [];
    for (let poll = 0; poll < 3; poll++) {
      recorded.push(readNow());
      await polls.record('a', readNow());
      await clock.advance(10_000);
    }

    expect(await Array.fromAsync(polls.read('a', 0))).toEqual(recorded);
    expect(await Array.fromAsync(polls.read('a', recorded[1]?.slotMs ?? 0))).toEqual(recorded.slice(1));
    expect(database.prepare('select count(*) as rows from recorded_poll where length(body) > 8').get()).toEqual({ rows: 1 });
  });

  test('continue after a restart', async () => {
    await using recording = stage();
    const { polls, clock, again } = recording;
    await polls.record('a', answered(clock, 'ada'));
    await clock.advance(10_000);
    await polls.record('a', answered(clock, 'ada'));
    await polls.flush();
    await clock.advance(10_000);

    const next = again();
    await next.record('a', answered(clock, 'ada'));

    expect(await read(next, 'a')).toEqual(['18:00:00 ada', '18:00:10 ada', '18:00:20 ada']);
  });

  test('that wait are written after ten seconds, with or without further polls', async () => {
    await using recording = stage();
    const { polls, clock, again } = recording;
    await polls.record('a', answered(clock, 'ada'));
    await clock.advance(1_000);
    await polls.record('a', answered(clock, 'grace'));

    await clock.advance(8_999);
    expect(await read(again(), 'a')).toEqual(['18:00:00 ada']);
    await clock.advance(1);
    expect(await read(again(), 'a')).toEqual(['18:00:00 ada', '18:00:01 grace']);
    expect(clock.sleeping).toBe(0);
  });

  test('leave no timer after they are written', async () => {
    await using recording = stage();
    const { polls, clock } = recording;
    await polls.record('a', answered(clock, 'ada'));
    await clock.advance(1_000);
    await polls.record('a', answered(clock, 'grace'));

    await polls.flush();

    expect(clock.sleeping).toBe(0);
  });

  test('that could not be written in the background are reported at the next recording', async () => {
    await using recording = stage();
    const { polls, clock, database } = recording;
    await polls.record('a', answered(clock, 'ada'));
    await clock.advance(1_000);
    await polls.record('a', answered(clock, 'lost'));
    database.exec('pragma query_only = on');
    await clock.advance(9_000);
    database.exec('pragma query_only = off');
    await clock.advance(1_000);

    await expect(polls.record('a', answered(clock, 'linus'))).rejects.toThrow(/read-only/);
    await polls.record('a', { ...answered(clock, 'grace'), slotMs: clock.nowMs() + 1 });

    expect(await read(polls, 'a')).toEqual(['18:00:00 ada', '18:00:11 linus', '18:00:11 grace']);
  });

  test('an answer of an earlier slot is ignored', async () => {
    await using recording = stage();
    const { polls, clock } = recording;
    await polls.record('a', answered(clock, 'ada'));
    await polls.record('a', { ...answered(clock, 'late'), slotMs: clock.nowMs() - 1 });

    expect(await read(polls, 'a')).toEqual(['18:00:00 ada']);
  });

  test('a repeated poll of a slot is returned after the first one', async () => {
    await using recording = stage();
    const { polls, clock } = recording;
    for (const id of ['ada', 'grace', 'grace']) await polls.record('a', answered(clock, id));
    await clock.advance(10_000);
    await polls.record('a', answered(clock, 'grace'));

    expect(await read(polls, 'a')).toEqual(['18:00:00 ada', '18:00:00 grace', '18:00:00 grace', '18:00:10 grace']);
  });

  test('are kept for eight days', async () => {
    await using recording = stage();
    const { polls, clock, database } = recording;
    for (let day = 0; day < 12; day++) {
      await polls.record('a', answered(clock, `day ${day}`));
      await clock.advance(DAY_MS);
    }
    await polls.flush();

    expect((await read(polls, 'a')).map((one) => one.slice(9))).toEqual([
      'day 3',
      'day 4',
      'day 5',
      'day 6',
      'day 7',
      'day 8',
      'day 9',
      'day 10',
      'day 11',
    ]);
    expect(database.prepare('select count(*) as rows from recorded_poll').get()).toEqual({ rows: 9 });
  });

  test('share their space: a large query does not displace a small one', async () => {
    await using recording = stage({ maxBytes: 60_000 });
    const { polls, clock, database } = recording;
    await polls.record('quiet', answered(clock, 'first'));
    for (let poll = 0; poll < 200; poll++) {
      await clock.advance(10_000);
      await polls.record(poll % 2 === 0 ? 'loud' : 'as loud', answered(clock, noise(1_000)));
    }
    await polls.flush();

    expect(await read(polls, 'quiet')).toEqual(['18:00:00 first']);
    const [loud, asLoud] = [await read(polls, 'loud'), await read(polls, 'as loud')];
    expect(Math.abs(loud.length - asLoud.length)).toBeLessThanOrEqual(2);
    expect(loud.length).toBeGreaterThan(20);
    const { bytes } = database.prepare('select sum(length(body) + 100) as bytes from recorded_poll').get() as { bytes: number }; // as selected
    expect(bytes).toBeLessThanOrEqual(60_000);
    expect(bytes).toBeGreaterThan(55_000);
  });

  test('that cannot be written are rejected, take no memory, and continue later', async () => {
    await using recording = stage();
    const { polls, clock, database } = recording;
    database.exec('pragma query_only = on');
    await expect(polls.record('a', answered(clock, 'lost'))).rejects.toThrow(/read-only/);
    await clock.advance(10_000);
    await expect(polls.record('a', answered(clock, 'lost, too'))).rejects.toThrow(/read-only/);

    // Nothing is written yet.
    await clock.advance(1_000);
    expect(await polls.record('a', answered(clock, 'lost as well'))).toBe(false);
    await clock.advance(9_000);
    await expect(polls.record('a', answered(clock, 'after the lost ones'))).rejects.toThrow(/read-only/);

    database.exec('pragma query_only = off');
    await clock.advance(10_000);
    expect(await polls.record('a', answered(clock, 'ada'))).toBe(true);
    expect(await polls.record('a', answered(clock, 'ada'))).toBe(false);

    expect(await read(polls, 'a')).toEqual(['18:00:20 after the lost ones', '18:00:30 ada', '18:00:30 ada']);
  });

  test('waiting recordings are compressed', async () => {
    await using recording = stage();
    const { polls, clock } = recording;
    const large = (index: number) => ({
      ...answered(clock),
      params: { users: Array.from({ length: 5_000 }, (_, n) => `person${n}of${index}`) },
    });
    await polls.record('first', answered(clock));
    collectGarbage();
    const before = process.memoryUsage();

    for (let index = 0; index < 500; index++) void polls.record(`query ${index}`, large(index));

    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    // Uncompressed, it would be 100 MB.
    expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(15 * 1024 * 1024);
  });

  test('at most a thousand recordings wait', async () => {
    await using recording = stage();
    const { polls, clock } = recording;
    await polls.record('a', answered(clock, 'ada'));
    const taken = Array.from({ length: 1_000 }, (_, n) => polls.record(`query ${n}`, answered(clock, 'ada')));

    await expect(polls.record('one more', answered(clock, 'ada'))).rejects.toThrow('wait to be stored');
    await Promise.all(taken);
  });
});
