import type { KnownLists } from '#src/admin/lists/list-source.ts';
import type { Config } from '#src/config/config.ts';
import { isOnIn } from '#src/config/is-on.ts';
import { openRuleRegistry, type RuleRegistry, type RuleRegistryOptions } from '#src/engine/rule-sets/rule-registry.ts';
import { silentLog } from '#src/log.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';
import { openLists } from './open-lists.ts';

export interface OpenRegistryOptions extends Pick<RuleRegistryOptions, 'versions' | 'lists' | 'listNames' | 'stored' | 'nowMs'> {
  readonly config: Config;
  /** The store with the lists that people edit; absent: `lists` reads them. */
  readonly store?: Pick<Store, 'clock' | 'lists' | 'listSources' | 'servers'> | undefined;
  /** Defaults to the accounts of the configuration. */
  readonly accounts?: RuleRegistryOptions['accounts'] | undefined;
}

/** The rules of an installation. */
export function openRegistry({ config, accounts = accountsOf(config), store, ...options }: OpenRegistryOptions): Promise<RuleRegistry> {
  const listSource = store && openLists({ config, store, log: silentLog }).listSource;
  return openRuleRegistry({
    folder: config.rulesDirectory,
    accounts,
    isOn: isOnIn(config),
    ...(listSource && listsOf(listSource)),
    ...options,
  });
}

/** What a registry reads of the lists. */
export function listsOf(source: KnownLists): Required<Pick<RuleRegistryOptions, 'lists' | 'listNames'>> {
  return { lists: () => source.shapes(), listNames: async () => (await source.current()).names() };
}
