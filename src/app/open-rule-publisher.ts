import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createVersionActions, type VersionActions } from '#src/admin/actions/version-actions.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { isOnIn } from '#src/config/is-on.ts';
import { makeFolder } from '#src/config/make-folder.ts';
import { openConfig } from '#src/config/open-config.ts';
import { ConfigError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { createFolderCheck } from '#src/engine/rule-sets/check-folder.ts';
import { createPublishedCheck } from '#src/engine/rule-sets/check-published.ts';
import { createFolderPublisher, type FolderPublisher } from '#src/engine/rule-sets/folder-publisher.ts';
import { planLines, problemLines } from '#src/engine/rule-sets/plan-lines.ts';
import { planReload } from '#src/engine/rule-sets/plan-reload.ts';
import type { PlatformState } from '#src/engine/rule-sets/open-cards.ts';
import { createRulePublisher, type FolderRulePublisher, type RulePublisher } from '#src/engine/rule-sets/rule-publisher.ts';
import type { PublishedFile, RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { isDraftedName } from '#src/rules/file-names.ts';
import { ruleSetOf } from '#src/rules/rule-set.ts';
import { writeNew } from '#src/admin/scaffold/write-new.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';

/** Opens the publisher of the installation that `environment` describes. */
export async function openRulePublisher(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FolderRulePublisher & VersionActions & AsyncDisposable> {
  const config = openConfig(environment);
  if (config.databaseUrl === undefined)
    throw new ConfigError('it is not set, so there are no versions: a single process loads the rules folder itself', {
      file: 'DATABASE_URL',
      hint: 'to publish rules for several machines, set it to the address of their PostgreSQL database',
    });
  const { openPostgresStore } = await import('#src/store/postgres/open.ts');
  const store = await openPostgresStore({ url: config.databaseUrl, applicationName: 'fanfare rules', maxConnections: 2 });
  const publisher = await publisherIn(config, store);
  return {
    ...publisher,
    ...createVersionActions({ openPublisher: () => Promise.resolve(publisher), auditLog: store.auditLog }),
    pull: async () => writeLacking(await publisher.approved(), config.rulesDirectory),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** The publisher of the rules in a store. */
export async function publisherIn(
  config: Config,
  store: Pick<Store, 'statedLimits' | 'clock' | keyof PlatformState> & { readonly ruleVersions: RuleVersions },
): Promise<RulePublisher> {
  const accounts = accountsOf(config, await store.statedLimits.all());
  const isRuleOn = isOnIn(config);
  const check = createFolderCheck({ folder: config.rulesDirectory, accounts, isOn: isRuleOn });
  const checkPublished = createPublishedCheck({ accounts, isOn: isRuleOn });
  return createRulePublisher({
    versions: store.ruleVersions,
    checkFolder: (approved) => check(store.clock.nowMs(), approved),
    ruleSetOf: async (files) => ruleSetOf(await checkPublished(files, store.clock.nowMs()), { accounts }),
    describe: async (before, after) => [
      ...(await planLines(planReload({ before, after, isOn: isRuleOn }), store)),
      ...problemLines(after).values(),
    ],
  });
}

/** Writes files that a folder lacks. Existing files stay unchanged. If a name is not that of a drafted rule, it writes nothing. */
async function writeLacking(files: readonly PublishedFile[], folder: string): Promise<readonly string[]> {
  const foreign = files.find(({ file }) => !isDraftedName(file));
  if (foreign)
    throw new ConfigError(`the database has an approved rule with the file name ${JSON.stringify(foreign.file)}, and nothing is written`, {
      file: 'fanfare rules pull',
      hint: 'find out who can write to the database, then publish the rules folder: npx fanfare rules push',
    });
  const paths = files.map(({ file, source }) => ({ path: join(folder, file).replaceAll('\\', '/'), source }));
  const lacking = paths.filter(({ path }) => !existsSync(path));
  if (lacking.length > 0) makeFolder(folder, 0o777);
  for (const { path, source } of lacking) await writeNew(path, source);
  return lacking.map(({ path }) => path);
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
  const check = createFolderCheck({ folder: config.rulesDirectory, accounts, isOn: isOnIn(config) });
  return createFolderPublisher({ check, by, ...options });
}
