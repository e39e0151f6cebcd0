import { storedValues } from '#src/admin/actions/stored-values.ts';
import type { AccessActions } from '#src/admin/actions/access-actions.ts';
import { createActions, type Actions } from '#src/admin/actions/actions.ts';
import type { DeliveryActionParts } from '#src/admin/actions/delivery-actions.ts';
import type { Replay } from '#src/admin/actions/rule-actions.ts';
import type { Clients } from '#src/clients/clients.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { lateModule } from '#src/errors.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { ListFolder } from '#src/engine/lists/list-folder.ts';
import type { EngineObservers } from '#src/engine/observers.ts';
import type { Posting } from '#src/engine/posting/posting.ts';
import { POST_RULE } from '#src/engine/posting/posts.ts';
import { findIn, type RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { readTestFile } from '#src/engine/testing/test-files.ts';
import { runTests, type RunTestsOptions } from '#src/engine/simulation/test-files.ts';
import type { Log } from '#src/log.ts';
import type { ListSource } from '#src/rules/lists.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';
import { fileListsIn } from './open-lists.ts';
import { publisherIn } from './open-rule-publisher.ts';
import type { PreviewedServer } from './preview-accounts.ts';

interface OpenActionsOptions {
  readonly config: Config;
  readonly clients: Clients;
  /** The Discord servers, whose permissions previews check. */
  readonly servers?: readonly PreviewedServer[] | undefined;
  readonly registry: RuleRegistry;
  readonly scheduler: Pick<Scheduler, 'run'>;
  readonly listSource?: ListSource | undefined;
  readonly deliveryEngine: DeliveryActionParts['deliveryEngine'];
  readonly posting: Posting;
  readonly store: Store;
  readonly listFolder: ListFolder;
  readonly openAccess: () => Promise<AccessActions>;
  readonly eventBus: EventBus;
  readonly observers: Pick<EngineObservers, 'questionClosed'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends what waits for people. */
  readonly signal: AbortSignal;
}

const loadPreview = lateModule('the preview', () =>
  Promise.all([import('#src/engine/simulation/preview/preview-rule.ts'), import('./preview-accounts.ts')]),
);

const loadFailureText = lateModule('the texts of posts', () => import('./failure-text-in.ts'));

const loadReplays = lateModule('the replay', () => import('./replay-rules.ts'));

/** The actions on the running process. */
export function openActions({
  config,
  clients,
  servers,
  registry,
  scheduler,
  listSource,
  store,
  observers,
  listFolder,
  clock,
  log,
  signal,
  ...parts
}: OpenActionsOptions): Actions {
  let replays: Replay | undefined;
  return createActions({
    ...parts,
    rules: () => registry.now.rules,
    isOn: (rule) => registry.isOn(rule),
    findRule: findIn(registry),
    onAnswered: observers.questionClosed,
    isPost: (rule) => rule === POST_RULE,
    openPublisher: publisherOf(config, store),
    openAccounts: async () => (await loadSignIn()).signInTo({ config, store, clock, log, closing: signal }),
    ruleStates: store.ruleStates,
    deliveries: store.deliveries,
    auditLog: store.auditLog,
    lists: store.lists,
    fileLists: fileListsIn(listFolder),
    storedServers: store.servers,
    failureText: async (...call) => (await loadFailureText()).failureTextIn(store)(...call),
    run: (rule, options) => scheduler.run(rule, options),
    async preview(rule, items) {
      const [{ previewRule }, { previewAccounts }] = await loadPreview();
      return previewRule(rule, {
        accounts: previewAccounts(clients, servers),
        items,
        lists: listSource,
        kept: await storedValues(rule, store.ruleStates),
        clock,
        log,
      });
    },
    async replay(...call) {
      const { createReplays } = await loadReplays();
      replays ??= createReplays({ config, store, listSource, clock });
      return replays(...call);
    },
    test: (rules) =>
      runTests(rules, {
        diagnostics: [],
        accounts: accountsOf(config),
        read: testsIn(registry, { versions: store.ruleVersions, folder: config.rulesDirectory }),
      }),
    clock,
  });
}

/** Few people sign in to accounts while Fanfare runs. */
const loadSignIn = lateModule('the sign-in to accounts', () => import('./open-sign-in.ts'));

/** Opens the publisher of the rules; undefined if the rules come from a folder. */
function publisherOf(config: Config, { ruleVersions, ...store }: Store): (() => ReturnType<typeof publisherIn>) | undefined {
  return ruleVersions && (() => publisherIn(config, { ...store, ruleVersions }));
}

/** Reads test files from the published version of the rules, or from the folder. */
function testsIn(
  registry: Pick<RuleRegistry, 'version'>,
  { versions, folder }: { readonly versions: Store['ruleVersions']; readonly folder: string },
): RunTestsOptions['read'] {
  const { version } = registry;
  if (!versions || !version) return (file) => readTestFile(file, [folder]);
  return async (file) => {
    const text = await versions.text(version.number, file);
    return text === undefined ? undefined : { text };
  };
}
