import { createActions, type Actions } from '#src/admin/actions/actions.ts';
import type { DeliveryActionParts } from '#src/admin/actions/delivery-actions.ts';
import type { ListActions } from '#src/admin/actions/list-actions.ts';
import type { PostActionParts } from '#src/admin/actions/post-actions.ts';
import { rulesNamed } from '#src/admin/actions/rule-actions.ts';
import type { Config } from '#src/config/config.ts';
import { listsFolderOf, openConfig } from '#src/config/open-config.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import { resolveUnknown } from '#src/engine/delivery/resolution.ts';
import { isQuestion } from '#src/engine/delivery/steps.ts';
import { POST_RULE } from '#src/engine/posting/posts.ts';
import { findIn, type RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { ConfigError, UserError } from '#src/errors.ts';
import type { Store } from '#src/store/store.ts';
import { fileListsIn } from './open-lists.ts';
import { openRegistry } from './open-registry.ts';
import { hasStoredState, makeStoredState, withStoredState } from './stored-state.ts';

/** The actions that need no running process. A running process applies what they store. */
export type OfflineActions = Pick<
  Actions,
  'pauseRule' | 'resumeRule' | 'setValue' | 'resendDelivery' | 'resolveDelivery' | keyof ListActions
>;

/** The actions on the installation that `environment` describes. Each call opens and closes its state. */
export function openOfflineActions(environment: Readonly<Record<string, string | undefined>>): OfflineActions {
  const config = openConfig(environment);

  async function onState<T>(use: (actions: Actions) => Promise<T>): Promise<T> {
    return withStoredState(config, async (store) => use(actionsOn(config, store, await rulesOf(config, store))));
  }

  /** Lists may be written before the first start. */
  async function onNewState<T>(use: (actions: Actions) => Promise<T>): Promise<T> {
    if (!hasStoredState(config)) await makeStoredState(config);
    return onState(use);
  }

  return {
    async pauseRule(...call) {
      const [{ rule }] = call;
      // A pause before the first start applies to it.
      if (!hasStoredState(config) && (await withStoredState(config, (store) => isKnown(rule, config, store))))
        await makeStoredState(config);
      return onState((actions) => actions.pauseRule(...call));
    },
    addListEntries: (...call) => onNewState((actions) => actions.addListEntries(...call)),
    changeListEntry: (...call) => onState((actions) => actions.changeListEntry(...call)),
    removeListEntries: (...call) => onState((actions) => actions.removeListEntries(...call)),
    importList: (...call) => onNewState((actions) => actions.importList(...call)),
    deleteList: (...call) => onState((actions) => actions.deleteList(...call)),
    undoListChange: (...call) => onState((actions) => actions.undoListChange(...call)),
    resumeRule: (...call) => onState((actions) => actions.resumeRule(...call)),
    async setValue(...call) {
      const [{ rule }] = call;
      // A value before the first start applies to it.
      if (!hasStoredState(config) && (await withStoredState(config, (store) => isKnown(rule, config, store))))
        await makeStoredState(config);
      return onState((actions) => actions.setValue(...call));
    },
    resendDelivery: (...call) => onState((actions) => actions.resendDelivery(...call)),
    resolveDelivery: (...call) => onState((actions) => actions.resolveDelivery(...call)),
  };
}

/** Reads the loaded rules. Throws if the rules could not be read. */
type ReadRules = () => RuleRegistry;

async function rulesOf(config: Config, store: Store): Promise<ReadRules> {
  try {
    const { ruleVersions: versions, ruleSources } = store;
    const registry = await openRegistry({ config, store, versions, stored: await ruleSources.load(), nowMs: () => store.clock.nowMs() });
    return () => registry;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Operators can resolve deliveries even if the rules cannot be read.
    return () => {
      throw error;
    };
  }
}

async function isKnown(rule: string, config: Config, store: Store): Promise<boolean> {
  const rules = await rulesOf(config, store);
  return rulesNamed(rule, rules().now.rules).length > 0;
}

function actionsOn(config: Config, store: Store, rules: ReadRules): Actions {
  return createActions({
    rules: () => rules().now.rules,
    isOn: (rule) => rules().isOn(rule),
    findRule: (id) => findIn(rules())(id),
    isPost: (rule) => rule === POST_RULE,
    ruleStates: store.ruleStates,
    deliveries: store.deliveries,
    deliveryEngine: changesIn(store),
    auditLog: store.auditLog,
    lists: store.lists,
    fileLists: fileListsIn(openListFolder(listsFolderOf(config.rulesDirectory))),
    storedServers: store.servers,
    clock: store.clock,
    run: needsProcess,
    test: needsProcess,
    preview: needsProcess,
    replay: needsProcess,
    posting: needsPosting,
    failureText: needsProcess,
    openAccess: needsProcess,
    openAccounts: needsProcess,
  });
}

/** Changes stored deliveries, which a running process sends. */
function changesIn({ deliveries, clock }: Pick<Store, 'deliveries' | 'clock'>): DeliveryActionParts['deliveryEngine'] {
  return {
    answer: needsProcess,
    reopen: (...change) => deliveries.reopen(...change),
    async resolve(id, resolution) {
      const delivery = await deliveries.find(id);
      if (delivery?.state !== 'unknown') return undefined;
      const change = resolveUnknown(delivery, resolution, { isQuestion, clock });
      return change.state === 'pending' ? deliveries.reopen(delivery, change, {}) : deliveries.change(delivery, change);
    },
  };
}

/** A running process checks a post against its accounts. */
const needsPosting: PostActionParts['posting'] = {
  find: needsProcess,
  contentOf: needsProcess,
  accounts: needsProcess,
  preview: needsProcess,
  edit: needsProcess,
  move: needsProcess,
  cancel: needsProcess,
};

function needsProcess(): never {
  throw new UserError('This needs a running Fanfare.');
}
