import { afterAll, expect, test } from 'vitest';
import { databaseProblem } from '#src/admin/queries/database-health.ts';
import { startPostgres } from '../../support/postgres.ts';
import { administer, openWatched, repeatIfSlow } from './watched-cluster.ts';

const postgres = await startPostgres({ isDurable: true });
afterAll(() => postgres[Symbol.asyncDispose]());

const WITHIN = { timeout: 240_000 };

test('a database that waits for its synchronous standby is not healthy until it accepts writes again', () =>
  repeatIfSlow(postgres, async () => {
    await using process = await openWatched(postgres.url, postgres.newSchema());
    const { health, lines, cluster } = process;
    await process.probed();
    const beforeMs = cluster.clock.nowMs();

    await administer(postgres, "alter system set synchronous_standby_names = 'none'", 'select pg_reload_conf()');
    const afterMs = cluster.clock.nowMs();
    await expect.poll(() => health.state().code, WITHIN).toBe('SyncRep');
    const { blockedAtMs = 0 } = health.state();
    const problem = databaseProblem(health.state());
    await administer(postgres, 'alter system reset synchronous_standby_names', 'select pg_reload_conf()');
    await expect.poll(() => health.state(), WITHIN).toEqual({});

    expect(blockedAtMs).toBeGreaterThan(beforeMs - 4_000);
    expect(blockedAtMs).toBeLessThan(afterMs + 4_000);
    expect(problem).toContain('it waits for a synchronous standby');
    expect(lines).toEqual([
      'error the database accepts no writes; Fanfare waits, and nothing is lost',
      'info  the database accepts writes again',
    ]);
  }));
