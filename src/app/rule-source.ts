import { existsSync } from 'node:fs';
import type { KnownLists } from '#src/admin/lists/list-source.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { Log } from '#src/log.ts';
import { followVersions, publishChanges } from '#src/engine/rule-sets/follow-versions.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { Reloads } from '#src/engine/rule-sets/reloads.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { followLists } from '#src/engine/lists/follow-lists.ts';
import { watchFolder } from '#src/engine/rule-sets/watch-folder.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { Notifications } from '#src/store/postgres/notifications.ts';
import type { Store } from '#src/store/store.ts';
import { untilFilled } from './emptied-folder.ts';
import { openFolderPublisher } from './open-rule-publisher.ts';
import { listsOf, openRegistry } from './open-registry.ts';

export interface RuleSourceOptions {
  readonly config: Config;
  readonly store: Pick<Store, 'ruleVersions' | 'ruleSources'>;
  readonly accounts: Accounts;
  readonly listSource: KnownLists;
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  /** Absent if one process uses the store. */
  readonly notifications?: Pick<Notifications, 'subscribe'> | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The rules of a running process, from its folder or from the published version. */
export interface RuleSource {
  readonly registry: RuleRegistry;
  /** Reloads the rules when they change, until `signal` aborts. */
  run(reloads: Reloads, signal: AbortSignal): Promise<void>;
}

/** Opens the rules. The first process on an empty database publishes its folder. */
export async function openRuleSource({
  config,
  store,
  accounts,
  listSource,
  eventBus,
  notifications,
  clock,
  log,
}: RuleSourceOptions): Promise<RuleSource> {
  const { ruleVersions: versions } = store;
  const folder = config.rulesDirectory;
  const isPublished = versions && config.watchesRules && existsSync(folder);
  const publisher = isPublished ? openFolderPublisher({ config, versions, accounts, clock, log }) : undefined;
  await publisher?.publishFirst();
  const stored = await store.ruleSources.load();
  const open = (): Promise<RuleRegistry> =>
    openRegistry({ config, versions, accounts, ...listsOf(listSource), stored, nowMs: () => clock.nowMs() });
  let registry = await open();
  while (await untilFilled({ config, registry, clock, log })) registry = await open();
  if (versions && !registry.version) log.warn({}, 'no rules are published yet. To publish a rules folder: npx fanfare rules push');

  async function follow(reloads: Reloads, signal: AbortSignal): Promise<void> {
    const lists = followLists({ listSource, eventBus, reload: reloads.reload, clock, log, signal });
    await Promise.all([followRules(reloads, signal), lists]);
  }

  async function followRules({ reload }: Reloads, signal: AbortSignal): Promise<void> {
    if (!versions) return watchFolder({ path: folder, onChange: reload, clock, signal });
    const subscribe = (listener: () => void): (() => void) =>
      notifications?.subscribe(({ kind }) => (kind === 'rules' || kind === 'missed') && listener()) ?? (() => undefined);
    await Promise.all([
      followVersions({ registry, reload, subscribe, clock, log, signal }),
      publisher && publishChanges({ folder, publisher, versions, clock, log, signal }),
    ]);
  }

  return { registry, run: (reloads, signal) => follow(reloads, signal).then(reloads.settled) };
}
