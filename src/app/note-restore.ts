import { ConfigError } from '#src/errors.ts';
import type { Config } from '#src/config/config.ts';
import { hasDataFile } from '#src/config/data-directory.ts';
import { openConfig } from '#src/config/open-config.ts';
import type { SealedToken } from '#src/store/restores.ts';
import { lacksKeyOf } from './lacks-key.ts';
import { claimNow } from './state-file.ts';
import { refuseCutState, stateFileOf } from './stored-state.ts';

/** A state that another program put back. */
export interface NotedState {
  /** The address of the database without user and password, or the file of the state. */
  readonly database: string;
  /** The last instant that the copy contains; undefined if no rule had run. */
  readonly copiedAt: Date | undefined;
  /** The number of waiting deliveries that Fanfare searches for before it sends them. */
  readonly searched: number;
  /** Whether the copy has tokens of accounts, and this machine no key that could open them. */
  readonly lacksKey: boolean;
  /** Whether the copy has people or tokens of the page, also those that were removed or revoked since. */
  readonly hasOldAccess: boolean;
}

/** Notes that the state was put back from a copy. Before it sends, Fanfare searches the platforms. */
export async function noteRestoredState(environment: Readonly<Record<string, string | undefined>>): Promise<NotedState> {
  const config = openConfig(environment);
  const { sealedTokens, copiedAt, ...noted } = await (config.databaseUrl === undefined
    ? noteFile(config)
    : noteDatabase(config.databaseUrl));
  return {
    ...noted,
    copiedAt: copiedAt.getTime() > 0 ? copiedAt : undefined,
    lacksKey: await lacksKeyOf(sealedTokens, config),
  };
}

interface Noted {
  readonly database: string;
  readonly copiedAt: Date;
  readonly searched: number;
  readonly sealedTokens: readonly SealedToken[];
  readonly hasOldAccess: boolean;
}

async function noteFile(config: Config): Promise<Noted> {
  const state = stateFileOf(config);
  if (!hasDataFile(state))
    throw new ConfigError('there is no state', { file: state, hint: 'put the copy there first, or name a file that fanfare backup wrote' });
  refuseCutState(config);
  using _sender = await claimNow(state);
  const { openStore, forgetGeneration } = await import('#src/store/store.ts');
  await using store = await openStore({ file: state });
  const copiedAt = await store.restores.note();
  forgetGeneration(state);
  const { restores } = store;
  return {
    database: state,
    copiedAt,
    searched: await restores.countSearched(),
    sealedTokens: await restores.sealedTokens(),
    hasOldAccess: await restores.hasAccess(),
  };
}

async function noteDatabase(url: string): Promise<Noted> {
  const [{ noteRestore }, { locationOf }] = await Promise.all([
    import('#src/store/postgres/note-restore.ts'),
    import('#src/store/postgres/cannot-open.ts'),
  ]);
  return { ...(await noteRestore({ url })), database: locationOf(url) };
}
