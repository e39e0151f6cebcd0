import { existsSync } from 'node:fs';
import { keyFileOf } from '#src/config/data-directory.ts';
import { openConfig } from '#src/config/open-config.ts';

/** A restored database. */
export interface RestoredDatabase {
  /** Its address, without user and password. */
  readonly database: string;
  /** The last instant that the copy contains. */
  readonly copiedAt: Date;
  /** The number of waiting deliveries that Fanfare searches for before it sends them. */
  readonly searched: number;
  /** Whether the copy has tokens of accounts, and this machine no key that could open them. */
  readonly lacksKey: boolean;
}

/**
 * Notes that the state in PostgreSQL was restored from a dump. Before it sends, Fanfare searches the platforms. Returns undefined if the
 * state is not in PostgreSQL.
 */
export async function noteRestoredDatabase(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<RestoredDatabase | undefined> {
  const config = openConfig(environment);
  const { databaseUrl: url, key } = config;
  if (url === undefined) return undefined;
  const [{ noteRestore }, { locationOf }] = await Promise.all([
    import('#src/store/postgres/note-restore.ts'),
    import('#src/store/postgres/cannot-open.ts'),
  ]);
  const { hasTokens, ...noted } = await noteRestore({ url });
  return { ...noted, database: locationOf(url), lacksKey: hasTokens && key === undefined && !existsSync(keyFileOf(config)) };
}
