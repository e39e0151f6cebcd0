import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { ConfigError } from '#src/errors.ts';
import { operationsOf } from '#src/rules/rule.ts';
import type { Store } from '#src/store/store.ts';
import { openRegistry } from './open-registry.ts';

interface RuleOperationsOptions {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
}

/** The operations that the running rules call through an account, without the name of their client. */
export async function ruleOperations(account: string, { config, store, clock }: RuleOperationsOptions): Promise<ReadonlySet<string>> {
  try {
    const { running } = await openRegistry({
      config,
      store,
      versions: store.ruleVersions,
      stored: new Map(),
      nowMs: () => clock.nowMs(),
    });
    const calls = running.flatMap(operationsOf).filter(({ as }) => as.includes(account));
    return new Set(calls.map(({ do: verb }) => verb.slice(verb.indexOf('.') + 1)));
  } catch (error) {
    // An account can sign in before a mistake in the files is corrected.
    if (error instanceof ConfigError) return new Set();
    throw error;
  }
}
