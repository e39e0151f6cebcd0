import { readPauses } from '#src/admin/actions/pauses.ts';
import type { Explainer } from '#src/admin/queries/offline.ts';
import { rulesNamed } from '#src/admin/actions/rule-actions.ts';
import { openConfig } from '#src/config/open-config.ts';
import { accountsOf } from './accounts.ts';
import { isOnIn } from '#src/config/is-on.ts';
import { withShipped } from '#src/engine/rule-sets/shipped-rules.ts';
import { createFolderCheck } from '#src/engine/rule-sets/check-folder.ts';
import { slotsOf } from '#src/engine/scheduler/slots.ts';
import { brokenViews, ruleViews } from '#src/admin/queries/rule-view.ts';
import { planReload } from '#src/engine/rule-sets/plan-reload.ts';
import { openLists } from './open-lists.ts';
import { listsOf, openRegistry } from './open-registry.ts';
import { silentLog } from '#src/log.ts';
import { listsOrNone, type ListSource } from '#src/rules/lists.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { planLines } from '#src/engine/rule-sets/plan-lines.ts';
import type { Store } from '#src/store/store.ts';
import { explainGoneRule, goneRules, goneRulesNamed } from '#src/admin/queries/gone-rules.ts';
import { explainItem } from '#src/admin/queries/explain-item.ts';
import { explainWith } from './explain.ts';
import { runningPolling } from './running-polling.ts';
import { isStateReadable, withStoredState } from './stored-state.ts';

/** The rules of the installation that `environment` describes, with their stored state. */
export function openExplainer(environment: Readonly<Record<string, string | undefined>>): Explainer {
  const config = openConfig(environment);

  function withRules<T>(use: (registry: RuleRegistry, store: Store, listSource: ListSource) => Promise<T>): Promise<T> {
    return withStoredState(config, async (store) => {
      const { listSource } = openLists({ config, store, log: silentLog });
      const registry = await openRegistry({
        config,
        ...listsOf(listSource),
        versions: store.ruleVersions,
        stored: await store.ruleSources.load(),
        nowMs: () => store.clock.nowMs(),
      });
      return use(registry, store, listSource);
    });
  }

  return {
    explain: (id) =>
      withRules((registry, store, listSource) =>
        Promise.all(
          rulesNamed(id, registry.now.rules).map(async (rule) => {
            const explanation = await explainWith({ config, registry, store, listSource, clock: store.clock })(rule);
            const source = registry.now.inForce.get(rule.name)?.source;
            const running =
              source === undefined || !explanation.polling ? undefined : await runningPolling(config, { id: rule.id, source });
            return { ...explanation, polling: running ?? explanation.polling };
          }),
        ),
      ),

    explainGone: (id) =>
      withRules(async ({ now }, store) => {
        const gone = goneRulesNamed(id, await goneRules(now.rules, store));
        return Promise.all(gone.map((rule) => explainGoneRule(rule, store)));
      }),

    explainItem: (name) =>
      withRules(async ({ now, isOn }, store, listSource) =>
        explainItem(name, { rules: now.rules, isOn, store, lists: await listsOrNone(listSource) }),
      ),

    async changes() {
      if (!(await isStateReadable(config))) return undefined;
      return withRules(async ({ stored, now, isOn, version }, store) => {
        if (!store.ruleVersions)
          return stored.inForce.size === 0
            ? undefined
            : { lines: await planLines(planReload({ before: stored, after: now, isOn }), store) };
        if (!version) return undefined;
        const check = createFolderCheck({
          folder: config.rulesDirectory,
          accounts: accountsOf(config),
          isOn: isOnIn(config),
        });
        const { set } = await check(store.clock.nowMs(), await store.ruleVersions.approved(version.number));
        return { lines: await planLines(planReload({ before: now, after: withShipped(set, now), isOn }), store), version: version.number };
      });
    },

    list: () =>
      withRules(async (registry, store) => {
        const nowMs = store.clock.nowMs();
        const { rules } = registry.now;
        // No process is asked: the schedule of a rule decides when it runs next.
        const plansOf = async () => new Map(rules.map(({ id, schedule }) => [id, { nextMs: slotsOf(schedule).next(nowMs) }]));
        const pauses = await readPauses(store.ruleStates);
        return [...(await ruleViews(rules, { ...store, registry, scheduler: { plansOf }, pauses, nowMs })), ...brokenViews(registry)];
      }),

    known: () =>
      withRules(async ({ now }) => {
        const broken = now.diagnostics.filter(({ severity, file }) => severity === 'error' && !now.asBefore.has(file));
        return { names: [...new Set(now.rules.map(({ name }) => name))], broken: [...new Set(broken.map(({ file }) => file))] };
      }),
  };
}
