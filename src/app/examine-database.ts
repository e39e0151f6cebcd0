import type { Config } from '#src/config/config.ts';
import { writeProblem } from '#src/admin/queries/database-health.ts';
import { failedCheck, type CheckResult } from '#src/admin/doctor/check-result.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { otherEnvironment } from './other-environment.ts';
import { openState, refuseUnmovedState } from './stored-state.ts';

/** A store, and the check of its database or its file; absent: it has nothing to report. */
interface ExaminedDatabase {
  readonly store: Store;
  readonly database?: CheckResult | undefined;
}

/** The store of an installation, and why a start with it would be refused. If a PostgreSQL database cannot be opened, the store is empty. */
export async function examineDatabase(config: Config): Promise<ExaminedDatabase> {
  const examined = await openExamined(config);
  const isRefused = config.sandbox !== 'none' && (await examined.store.environments.stored()) === 'real';
  return isRefused ? { ...examined, database: failedCheck('state', otherEnvironment(config)) } : examined;
}

async function openExamined(config: Config): Promise<ExaminedDatabase> {
  const { databaseUrl: url } = config;
  if (url === undefined) return { store: await openState(config) };
  const about = 'database';
  try {
    const { openPostgresStore } = await import('#src/store/postgres/open.ts');
    const store = await openPostgresStore({ url });
    await refuseUnmovedState(config, store);
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
    return { store: await openStore(), database: failedCheck(about, error) };
  }
}
