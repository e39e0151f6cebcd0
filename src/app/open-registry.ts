import type { Config } from '#src/config/config.ts';
import { isOn } from '#src/config/is-on.ts';
import { openRuleRegistry, type RuleRegistry, type RuleRegistryOptions } from '#src/registry/rule-registry.ts';
import { accountsOf } from './accounts.ts';

export interface OpenRegistryOptions extends Pick<RuleRegistryOptions, 'versions' | 'stored' | 'nowMs'> {
  readonly config: Config;
  /** Defaults to the accounts of the configuration. */
  readonly accounts?: RuleRegistryOptions['accounts'] | undefined;
}

/** The rules of an installation. */
export function openRegistry({ config, accounts = accountsOf(config), ...options }: OpenRegistryOptions): Promise<RuleRegistry> {
  return openRuleRegistry({ folder: config.rulesDirectory, accounts, isOn: (rule) => isOn(rule, config), ...options });
}
