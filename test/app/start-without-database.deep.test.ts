import { expect, test } from 'vitest';
import { openRunningState } from '#src/app/running-state.ts';
import { systemClock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { createDatabaseHealth } from '#src/admin/queries/database-health.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the start waits for a database that is down, logs it once, and ends at once if only the operator can fix the error', async () => {
  await using postgres = await startPostgres();
  using folder = temporaryFolder({ inMemory: true });
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    secrets: [],
    write: (line) => lines.push(line.slice(21).split(' why=')[0]?.trimEnd() ?? ''),
    color: false,
  });
  const open = (url: string) =>
    openRunningState({
      config: configOfEnvironment({ DATABASE_URL: url, FANFARE_DATA: folder.path, FANFARE_KEY: 'not a secret, as in all tests' }),
      worker: 'one',
      role: 'all',
      database: createDatabaseHealth({ onChange: () => undefined, clock: systemClock, log }),
      log,
    });
  await postgres.stop();

  const opening = open(postgres.url);
  await expect.poll(() => lines.length).toBe(1);
  await systemClock.sleep(2_500);
  await postgres.start();
  await (await opening)[Symbol.asyncDispose]();
  const refused = await open(postgres.url.replace('secret-of', 'wrong-of')).catch((error: unknown) => error);

  expect(lines).toEqual([
    'error the database cannot be opened; Fanfare waits, and starts when it can',
    'info  the database answers; Fanfare starts',
  ]);
  expect(refused).toMatchObject({ name: 'ConfigError', message: expect.stringContaining('it refuses the user or the password') });
});
