import { expect, test, vi } from 'vitest';
import { openRunningState, untilReleased } from '#src/app/running-state.ts';
import { stateFileOf } from '#src/app/stored-state.ts';
import { isBeforeRelease, RELEASE, systemClock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createDatabaseHealth } from '#src/admin/queries/database-health.ts';
import { createLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import project from '../../package.json' with { type: 'json' };
import { committing } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function collect() {
  const lines: string[] = [];
  return { lines, log: createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false }) };
}

test('the instant before the release belongs to this version, and is in the past', () => {
  expect(RELEASE.version, 'set RELEASE in src/clock.ts to the new version and the month of its release').toBe(project.version);
  expect(isBeforeRelease(Date.now())).toBe(false);
});

test('a start waits for a clock that is before the release, with one line at the beginning and one at the end', async () => {
  const { lines, log } = collect();
  const clock = new ManualClock(0);
  let isOver = false;
  const waiting = untilReleased(clock, log).then(() => (isOver = true));

  await clock.advance(60_000);
  expect([isOver, lines.length]).toEqual([false, 1]);
  clock.set(RELEASE.afterMs);
  await clock.advance(1_000);
  await waiting;

  expect(lines[0]).toContain('the clock is wrong: it is before the release of this Fanfare');
  expect(lines[0]).toContain('1970-01-01T00:00:00.000Z');
  expect(lines[1]).toContain('the clock is right; Fanfare starts');
  expect(lines).toHaveLength(2);
});

test('a clock before the release moves no stored time', async () => {
  using folder = temporaryFolder({ inMemory: true });
  const config = configOfEnvironment({ FANFARE_DATA: folder.path });
  const slotMs = Date.now();
  {
    await using store = await openStore({ file: stateFileOf(config), clock: systemClock });
    await store.ruleStates.commit(committing([], { slotMs }));
  }
  const { lines, log } = collect();
  const database = createDatabaseHealth({ onChange: () => undefined, clock: systemClock, log });
  const wrong = vi.spyOn(Date, 'now').mockReturnValue(60_000);

  const opening = openRunningState({ config, worker: 'one', role: 'all', database, log });
  await vi.waitUntil(() => lines.length > 0, { timeout: 50_000 });
  wrong.mockRestore();
  await using state = await opening;

  expect((await state.store.ruleStates.lastSlots()).get('live')?.slotMs).toBe(slotMs);
});
