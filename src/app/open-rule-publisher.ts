import { hostname } from 'node:os';
import { systemClock, type Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { isOn } from '#src/config/is-on.ts';
import { openConfig } from '#src/config/open-config.ts';
import { ConfigError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { createFolderCheck } from '#src/registry/check-folder.ts';
import { createPublishedCheck } from '#src/registry/check-published.ts';
import { createFolderPublisher, type FolderPublisher } from '#src/registry/folder-publisher.ts';
import { planLines, problemLines } from '#src/registry/plan-lines.ts';
import { planReload } from '#src/registry/plan-reload.ts';
import { createRulePublisher, type RulePublisher } from '#src/registry/rule-publisher.ts';
import type { RuleVersions } from '#src/registry/rule-versions.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ruleSetOf } from '#src/rules/rule-set.ts';
import { accountsOf } from './accounts.ts';

/** Opens the publisher of the installation that `environment` describes. */
export async function openRulePublisher(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<RulePublisher & AsyncDisposable> {
  const config = openConfig(environment);
  if (config.databaseUrl === undefined)
    throw new ConfigError('it is not set, so there are no versions: a single process loads the rules folder itself', {
      file: 'DATABASE_URL',
      hint: 'to publish rules for several machines, set it to the address of their PostgreSQL database',
    });
  const { openPostgresStore } = await import('#src/store/postgres/open.ts');
  const store = await openPostgresStore({ url: config.databaseUrl, applicationName: 'fanfare rules', maxConnections: 2 });
  const accounts = accountsOf(config, await store.statedLimits.all());
  const isRuleOn = (rule: Pick<Rule, 'enabled'>): boolean => isOn(rule, config);
  const check = createFolderCheck({ folder: config.rulesDirectory, accounts, isOn: isRuleOn });
  const checkPublished = createPublishedCheck({ accounts, isOn: isRuleOn });
  const publisher = createRulePublisher({
    versions: store.ruleVersions,
    checkFolder: (approved) => check(Date.now(), approved),
    ruleSetOf: async (files) => ruleSetOf(await checkPublished(files, systemClock.nowMs()), { accounts }),
    describe: async (before, after) => [
      ...(await planLines(planReload({ before, after, isOn: isRuleOn }), store)),
      ...problemLines(after).values(),
    ],
  });
  return { ...publisher, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

export interface OpenFolderPublisherOptions {
  readonly config: Config;
  readonly versions: RuleVersions;
  readonly accounts: Accounts;
  /** The name of the folder as a publisher. */
  readonly by?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The publisher of the rules folder of this machine. */
export function openFolderPublisher({
  config,
  accounts,
  by = `folder of ${hostname()}`,
  ...options
}: OpenFolderPublisherOptions): FolderPublisher {
  const check = createFolderCheck({ folder: config.rulesDirectory, accounts, isOn: (rule) => isOn(rule, config) });
  return createFolderPublisher({ check, by, ...options });
}
