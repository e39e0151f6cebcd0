import { expect, test } from 'vitest';
import { openJournal } from '../journal-sqlite.ts';
import { movableClock } from '../movable-clock.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

const HOUR_MS = 3_600_000;

function open(): { readonly machine: ManualClock; readonly clock: ReturnType<typeof movableClock> } {
  const machine = new ManualClock();
  return { machine, clock: movableClock(machine, openJournal({})) };
}

/** Whether a promise has ended by now. */
async function hasEnded(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<false>((resolve) => setImmediate(() => resolve(false)))]);
}

test('without a movement, it is the clock of the machine', async () => {
  const { machine, clock } = open();
  const slept = clock.sleep(1000);
  await machine.advance(999);
  expect([clock.nowMs(), clock.speed, await hasEnded(slept)]).toEqual([machine.nowMs(), 1, false]);
  await machine.advance(1);
  expect(await hasEnded(slept)).toBe(true);
  expect(machine.sleeping).toBe(0);
});

test('a jump ends the sleeps until the new time, and shortens the others', async () => {
  const { machine, clock } = open();
  const startMs = clock.nowMs();
  const [short, long] = [clock.sleep(HOUR_MS), clock.sleep(3 * HOUR_MS)];

  clock.move({ forwardMs: 2 * HOUR_MS });

  expect(clock.nowMs() - startMs).toBe(2 * HOUR_MS);
  expect([await hasEnded(short), await hasEnded(long)]).toEqual([true, false]);
  await machine.advance(HOUR_MS);
  expect(await hasEnded(long)).toBe(true);
});

test('a speed applies to the time and to running sleeps', async () => {
  const { machine, clock } = open();
  const startMs = clock.nowMs();
  const slept = clock.sleep(60_000);

  clock.move({ speed: 10 });
  await machine.advance(5999);
  expect([clock.nowMs() - startMs, await hasEnded(slept)]).toEqual([59_990, false]);
  await machine.advance(1);
  expect(await hasEnded(slept)).toBe(true);

  clock.move({ speed: 1 });
  await machine.advance(1000);
  expect(clock.nowMs() - startMs).toBe(61_000);
});

test('an aborted sleep rejects with the reason of its signal, also after a movement', async () => {
  const { machine, clock } = open();
  const ending = new AbortController();
  const slept = clock.sleep(HOUR_MS, ending.signal);
  clock.move({ speed: 2 });
  await hasEnded(slept.catch(() => undefined));

  ending.abort(new Error('over'));

  await expect(slept).rejects.toThrow('over');
  await expect(clock.sleep(1, ending.signal)).rejects.toThrow('over');
  expect(machine.sleeping).toBe(0);
});

test.each([{ speed: 0 }, { speed: -1 }, { speed: Number.NaN }, { forwardMs: -1 }, { forwardMs: Number.NaN }])('refuses %j', (order) => {
  expect(() => open().clock.move(order)).toThrow(RangeError);
});

test('a restart continues with the same time and speed', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const machine = new ManualClock();
  const first = openJournal({ file });
  const clock = movableClock(machine, first);
  clock.move({ forwardMs: HOUR_MS, speed: 5 });
  first.close();
  await machine.advance(1000);

  const second = openJournal({ file });
  const again = movableClock(machine, second);

  expect([again.nowMs(), again.speed]).toEqual([clock.nowMs(), 5]);
  expect(again.nowMs() - machine.nowMs()).toBe(HOUR_MS + 4000);
  second.close();
});
