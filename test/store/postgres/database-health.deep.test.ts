import { expect, test } from 'vitest';
import { createLog } from '#src/log.ts';
import { createDatabaseHealth } from '#src/queries/database-health.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startPostgres } from '../../support/postgres.ts';

test('a stopped PostgreSQL is not healthy until it answers again, with one log line for each', async () => {
  await using postgres = await startPostgres();
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    secrets: [],
    write: (line) => lines.push(line.slice(21).split(' code=')[0]?.trimEnd() ?? ''),
    color: false,
  });
  const health = createDatabaseHealth({ onChange: () => undefined, clock, log });
  await using store = await openPostgresStore({ url: postgres.url, schema: postgres.newSchema(), clock, health });
  const read = () =>
    store.deliveryLog.counts().then(
      () => 'read',
      (error: Error) => error.name,
    );
  await read();
  const before = health.state();

  await postgres.stop();
  const during = [await read(), await read()];
  const lost = health.state();
  await postgres.start();
  const after = await read();

  expect(before).toEqual({});
  expect(during).toEqual(['DatabaseUnavailable', 'DatabaseUnavailable']);
  expect(lost.lostAtMs).toBe(clock.nowMs());
  expect(after).toBe('read');
  expect(health.state()).toEqual({});
  expect(lines).toEqual([
    'error the database does not answer; Fanfare waits, and nothing is lost',
    'info  the database answers again afterMs=0',
  ]);
});

test('an error in a statement is an answer', async () => {
  await using postgres = await startPostgres();
  const clock = new ManualClock();
  const log = createLog({ level: 'silent', secrets: [], write: () => undefined, color: false });
  const health = createDatabaseHealth({ onChange: () => undefined, clock, log });
  await using store = await openPostgresStore({ url: postgres.url, schema: postgres.newSchema(), clock, health });
  health.lost(new Error('a lost connection'));

  await expect(
    store.db
      .selectFrom('delivery')
      .select('none' as 'id')
      .execute(),
  ).rejects.toThrow('none');

  expect(health.state()).toEqual({});
});
