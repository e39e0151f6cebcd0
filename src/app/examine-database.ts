import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { writeProblem } from '#src/admin/queries/database-health.ts';
import { failedCheck, type CheckResult } from '#src/admin/doctor/check-result.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { openState } from './stored-state.ts';

/** The store of an installation, and the check of its PostgreSQL database. If the database cannot be opened, the store is empty. */
export async function examineDatabase(
  config: Config,
  clock: Clock,
): Promise<{ readonly store: Store; readonly database?: CheckResult | undefined }> {
  const { databaseUrl: url } = config;
  if (url === undefined) return { store: await openState(config, { clock }) };
  const about = 'database';
  try {
    const { openPostgresStore } = await import('#src/store/postgres/open.ts');
    const store = await openPostgresStore({ url, clock });
    const { server, version } = store;
    const code = await store.findWriteProblem();
    if (code !== undefined) {
      const what = `PostgreSQL ${server} answers and accepts no writes: ${writeProblem(code)}`;
      return {
        store,
        database: { about, state: 'bad', what, remedy: 'Fanfare sends nothing until PostgreSQL accepts writes: see its log' },
      };
    }
    const reason = { kind: 'databaseAnswers', server, version } as const;
    return { store, database: { about, state: 'good', what: `PostgreSQL ${server} answers; version ${version} of the schema`, reason } };
  } catch (error) {
    return { store: await openStore({ clock }), database: failedCheck(about, error) };
  }
}
