import type { ListActionParts } from '#src/admin/actions/list-actions.ts';
import { conflicts, createListSource, type KnownLists } from '#src/admin/lists/list-source.ts';
import { createListQueries, type ListQueries } from '#src/admin/queries/lists.ts';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';
import { servedLists } from '#src/admin/lists/served-lists.ts';
import type { Config } from '#src/config/config.ts';
import { listsFolderOf, openConfig } from '#src/config/open-config.ts';
import { openListFolder, type ListFolder, type WatchedListFolder } from '#src/engine/lists/list-folder.ts';
import { withSources, type SourceStore } from '#src/engine/lists/list-sources.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { isOnIn } from '#src/config/is-on.ts';
import { shippedFiles } from '#src/engine/rule-sets/shipped-rules.ts';
import { silentLog, type Log } from '#src/log.ts';
import type { SourceNames } from '#src/rules/check/check-source.ts';
import { diagnosticLine, type Diagnostic } from '#src/rules/diagnostic.ts';
import { NO_LISTS } from '#src/rules/lists.ts';
import type { LoadOptions } from '#src/rules/load.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';
import { hasStoredState, withStoredState } from './stored-state.ts';

/** The lists of a running process. */
export interface OpenLists {
  readonly filesOnly: WatchedListFolder;
  /** The list files with the people of their sources. */
  readonly listFolder: ListFolder;
  /** What rules read. */
  readonly listSource: KnownLists;
  /** What people read. */
  readonly listQueries: ListQueries;
}

/** Opens the folder of lists and the living lists. Errors of files are logged when they change. */
export function openLists({
  config,
  store,
  log,
}: {
  readonly config: Config;
  readonly store: Pick<Store, 'lists' | 'servers' | 'clock'> & { readonly listSources: Pick<SourceStore, 'load' | 'people'> };
  readonly log: Log;
}): OpenLists {
  const filesOnly = openListFolder(listsFolderOf(config.rulesDirectory), sourceNames(config));
  const listFolder = withSources(filesOnly, store.listSources);
  const stored = createListSource({
    folder: listFolder,
    store: store.lists,
    onDiagnostics(diagnostics) {
      for (const diagnostic of diagnostics) log.warn({}, `! ${diagnosticLine(diagnostic)}`);
      if (diagnostics.length === 0) log.info({}, 'the list files have no errors now');
    },
  });
  const { servers, discord } = config;
  const isServed = (server: string): boolean =>
    discord.servers === 'any' || servers.length === 0 || servers.some(({ id }) => id === server);
  const listSource = servedLists({ lists: stored, servers: store.servers, isServed, clock: store.clock });
  return { filesOnly, listFolder, listSource, listQueries: createListQueries({ lists: store.lists, folder: listFolder }) };
}

/** Calls `use` with the lists of the installation that `environment` describes. Its process may run or not. */
export function withListQueries<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (queries: ListQueries) => Promise<T>,
): Promise<T> {
  const config = openConfig(environment);
  const folder = openListFolder(listsFolderOf(config.rulesDirectory), sourceNames(config));
  return withStoredState(config, ({ lists, listSources }) => use(createListQueries({ lists, folder: withSources(folder, listSources) })));
}

/** The errors and warnings of all list files of an installation. */
export async function listDiagnosticsOf(config: Config, { lists }: Pick<Store, 'lists'>): Promise<readonly Diagnostic[]> {
  const files = await openListFolder(listsFolderOf(config.rulesDirectory), sourceNames(config)).read();
  const { lists: living } = await lists.read();
  return [...files.diagnostics, ...conflicts(files, living)];
}

/** The operations and accounts of an installation that sources of lists can name. */
export function sourceNames(config: Config): SourceNames {
  return { catalogue, accounts: accountsOf(config) };
}

/** The lists in files. */
export function fileListsIn(folder: ListFolder): ListActionParts['fileLists'] {
  return async () => (await folder.read()).lists;
}

/** The rules of the program that run in an installation, for commands. Without its database, there are none. */
export async function shippedRules(config: Config): Promise<LoadOptions['shipped']> {
  if (!hasStoredState(config)) return undefined;
  const lists = await withStoredState(config, (store) => openLists({ config, store, log: silentLog }).listSource.current()).catch(
    () => NO_LISTS,
  );
  const options = { catalogue, accounts: accountsOf(config), isOn: isOnIn(config), names: lists.names() };
  return (found) => shippedFiles(found, options);
}

/** The Discord servers of the installation that `environment` describes. Its process may run or not. */
export function storedServers(environment: Readonly<Record<string, string | undefined>>): Promise<readonly ServerSettings[]> {
  return withStoredState(openConfig(environment), ({ servers }) => servers.list());
}
