import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDatabaseHealth, databaseProblem } from '#src/admin/queries/database-health.ts';
import { createFileHealth } from '#src/store/sqlite/file-health.ts';
import { openRunningState } from '#src/app/running-state.ts';
import { openConfig } from '#src/config/open-config.ts';
import { createLog } from '#src/log.ts';
import { StateUnavailable } from '#src/store/sqlite/cannot-open.ts';
import { committing, creating, firing } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

const READ_ONLY = new StateUnavailable('the state cannot be used: it is read-only', {
  file: 'data/fanfare.sqlite',
  code: 'SQLITE_READONLY',
});
const BEGIN = 'error the database accepts no writes; Fanfare waits, and nothing is lost';
const END = 'info  the database accepts writes again';

function open() {
  const clock = new ManualClock();
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line.slice(21).split(/ (?:code|afterMs)=/u)[0] ?? '');
  const log = createLog({ level: 'info', secrets: [], write, color: false });
  const health = createDatabaseHealth({ onChange: () => undefined, clock, log });
  return { clock, lines, log, health };
}

test('an outage of the file begins with a refused statement, ends with the first write, and is one line each', async () => {
  const { clock, lines, health } = open();
  const file = createFileHealth({ health, clock });
  const stop = new AbortController();
  let writes = 0;
  let isReadOnly = false;
  const running = file.run(async () => {
    writes += 1;
    if (!isReadOnly) return;
    file.failed(READ_ONLY);
    throw READ_ONLY;
  }, stop.signal);
  await clock.advance(60_000);
  const idleWrites = writes;

  isReadOnly = true;
  const sinceMs = clock.nowMs();
  for (let n = 0; n < 3; n++) file.failed(READ_ONLY);
  await clock.advance(60_000);
  const during = health.state();
  isReadOnly = false;
  await clock.advance(5_000);
  stop.abort();
  await running;

  expect(idleWrites).toBe(0);
  expect(during).toEqual({ blockedAtMs: sinceMs, code: 'SQLITE_READONLY' });
  expect(health.state()).toEqual({});
  expect(lines).toEqual([BEGIN, END]);
});

test('a full disk of the state is reported with a remedy, and Fanfare continues when there is space', async ({ skip }) => {
  using disk = mountSmallDisk() ?? skip('this user cannot mount a disk');
  const { clock, lines, log, health } = open();
  const config = openConfig({ FANFARE_DATA: disk.path });
  await using state = await openRunningState({ config, localClock: clock, worker: 'one', role: 'all', database: health, log });
  const stop = new AbortController();
  const keeping = state.keepState(stop.signal);
  const commit = (text: string) =>
    state.store.ruleStates.commit(committing([firing([creating(['x'], { with: { text } })], { episode: text.slice(0, 9) })]));
  disk.fill(0);

  await expect(commit('x'.repeat(400_000))).rejects.toThrow('the state cannot be used: the disk is full');
  await clock.advance(20_000);
  const problem = databaseProblem(health.state());
  rmSync(join(disk.path, 'filler'));
  await clock.advance(10_000);
  stop.abort();
  await keeping;

  expect(problem).toContain('the disk of the data folder is full. The administrator of the machine must free some space');
  expect(health.state()).toEqual({});
  expect(await commit('again')).toBe(true);
  expect(lines).toEqual([BEGIN, END]);
});
