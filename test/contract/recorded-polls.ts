import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import type { RecordedResult } from '#src/engine/planner/recorded-polls.ts';
import { createRecordedPolls, type StoredPolls } from '#src/store/recorded-polls.ts';
import type { Tables } from '#src/store/tables.ts';
import { ManualClock } from '../support/manual-clock.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const SLOT_MS = 10_000;
const HOUR_MS = 3_600_000;

/** A database without recordings. */
export interface PollDatabase extends AsyncDisposable {
  readonly db: Kysely<Tables>;
}

/** The result of the poll of a slot, counted from the start. */
function resultOf(slot: number, ...ids: readonly string[]): RecordedResult {
  const answer = { items: ids.map((id) => ({ id })), approximate: false, partialErrors: [], more: false };
  return { slotMs: START_MS + slot * SLOT_MS, params: { users: ids }, answer };
}

/** For example `3 ada+grace`, sorted by slot and name. */
async function read(polls: StoredPolls, sinceSlot = 0): Promise<readonly string[]> {
  const all = await Array.fromAsync(polls.read('q', START_MS + sinceSlot * SLOT_MS));
  return all
    .map(
      ({ slotMs, answer }) =>
        `${(slotMs - START_MS) / SLOT_MS} ${answer.items.flatMap(({ id }) => (typeof id === 'string' ? id : [])).join('+')}`,
    )
    .toSorted();
}

/** The contract of recordings that several processes write. */
export function recordedPollsContract(open: () => Promise<PollDatabase>): void {
  function process({ db }: PollDatabase): {
    readonly polls: StoredPolls;
    readonly record: (...results: readonly RecordedResult[]) => Promise<void>;
  } {
    const polls = createRecordedPolls({ db, clock: new ManualClock(START_MS) });
    return {
      polls,
      async record(...results) {
        for (const result of results) await polls.record('q', result);
        await polls.flush();
      },
    };
  }

  test('a process repeats the result that it recorded itself, even if another one recorded the same slots', async () => {
    await using database = await open();
    const [one, other] = [process(database), process(database)];

    await one.record(resultOf(0, 'ada'));
    await other.record(resultOf(0, 'grace'));
    for (const slot of [1, 2]) {
      await other.record(resultOf(slot, 'grace'));
      await one.record(resultOf(slot, 'ada'));
    }

    expect(await read(one.polls)).toEqual(['0 ada', '0 grace', '1 ada', '1 grace', '2 ada', '2 grace']);
    expect(await read(other.polls, 2)).toEqual(['2 ada', '2 grace']);
  });

  test('a process repeats the result that it recorded itself, even if another one changed its result in between', async () => {
    await using database = await open();
    const [one, other] = [process(database), process(database)];

    await one.record(resultOf(0, 'ada'));
    await other.record(resultOf(1, 'grace'));
    await one.record(resultOf(2, 'ada'));
    await other.record(resultOf(2, 'linus'));
    await one.record(resultOf(3, 'ada'));
    await other.record(resultOf(3, 'linus'));

    expect(await read(one.polls)).toEqual(['0 ada', '1 grace', '2 ada', '2 linus', '3 ada', '3 linus']);
  });

  test('a process whose clock was set back before a restart leaves the results before it unchanged', async () => {
    await using database = await open();
    await process(database).record(resultOf(0, 'ada'), resultOf(3, 'ada'));

    const next = process(database);
    await next.record(resultOf(1, 'grace'), resultOf(2, 'grace'));

    expect(await read(next.polls)).toEqual(['0 ada', '1 grace', '2 grace', '3 ada']);
  });

  test('a result that repeats a deleted one is not returned with the result of another process', async () => {
    await using database = await open();
    const [one, other] = [process(database), process(database)];
    await one.record(resultOf(0, 'ada'));
    await other.record(resultOf(0, 'grace'));
    await one.record(resultOf(1, 'ada'));
    const { db } = database;
    const { seq } = await db.selectFrom('recorded_poll').select('seq').orderBy('seq').limit(1).executeTakeFirstOrThrow();
    await db.deleteFrom('recorded_poll').where('seq', '=', seq).execute();

    expect(await read(one.polls)).toEqual(['0 grace']);
  });

  test('a result that does not change is stored once in an hour', async () => {
    await using database = await open();
    const { polls, record } = process(database);
    const slots = Array.from({ length: 2 * (HOUR_MS / SLOT_MS) }, (_, slot) => slot);

    await record(...slots.map((slot) => resultOf(slot, 'ada')));

    expect(await read(polls)).toHaveLength(slots.length);
    const rows = await database.db.selectFrom('recorded_poll').select('body').execute();
    expect(rows.filter(({ body }) => body.length > 8)).toHaveLength(2);
  });

  test('results that earlier versions repeated are returned', async () => {
    await using database = await open();
    const { polls, record } = process(database);
    await record(resultOf(0, 'ada'), resultOf(1, 'grace'));
    const { query } = await database.db.selectFrom('recorded_poll').select('query').limit(1).executeTakeFirstOrThrow();
    const toFirst = new DataView(new ArrayBuffer(8));
    toFirst.setFloat64(0, START_MS);
    const bodies = [new Uint8Array(toFirst.buffer), new Uint8Array(0)];
    const old = bodies.map((body, index) => ({ query, slot_ms: START_MS + (2 + index) * SLOT_MS, body }));
    await database.db.insertInto('recorded_poll').values(old).execute();

    expect(await read(polls)).toEqual(['0 ada', '1 grace', '2 ada', '3 grace']);
    expect(await read(polls, 2)).toEqual(['2 ada', '3 grace']);
  });
}
