import type { Explainer } from '#src/controls/offline.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openConfig } from '#src/config/open-config.ts';
import { accountsOf } from './accounts.ts';
import { isOn as isRuleOn } from '#src/config/is-on.ts';
import { createFolderCheck } from '#src/registry/check-folder.ts';
import { planReload } from '#src/registry/plan-reload.ts';
import { openRegistry } from './open-registry.ts';
import type { RuleRegistry } from '#src/registry/rule-registry.ts';
import { planLines } from '#src/registry/plan-lines.ts';
import type { Store } from '#src/store/store.ts';
import { systemClock } from '#src/clock.ts';
import { explainGoneRule, goneRules, goneRulesNamed } from '#src/queries/gone-rules.ts';
import { explainItem } from '#src/queries/explain-item.ts';
import { explainWith } from './explain.ts';
import { hasStoredState, makeStoredState, withStoredState } from './stored-state.ts';

/** The rules of the installation that `environment` describes, with their stored state. */
export function openExplainer(environment: Readonly<Record<string, string | undefined>>): Explainer {
  const config = openConfig(environment);

  function withRules<T>(use: (registry: RuleRegistry, store: Store) => Promise<T>): Promise<T> {
    return withStoredState(config, async (store) => {
      const registry = await openRegistry({
        config,
        versions: store.ruleVersions,
        stored: await store.ruleSources.load(),
        nowMs: Date.now,
      });
      return use(registry, store);
    });
  }

  /** The instances that `change` changed; undefined: there is no such rule. */
  function changeInstances(
    id: string,
    change: (states: Store['ruleStates'], rule: string) => Promise<boolean>,
  ): Promise<readonly string[] | undefined> {
    return withRules(async ({ now }, { ruleStates }) => {
      const rules = rulesNamed(id, now.rules);
      const changed: string[] = [];
      for (const rule of rules) if (await change(ruleStates, rule.id)) changed.push(rule.id);
      return rules.length > 0 ? changed : undefined;
    });
  }

  return {
    explain: (id) =>
      withRules((registry, store) =>
        Promise.all(rulesNamed(id, registry.now.rules).map(explainWith({ config, registry, store, clock: systemClock }))),
      ),

    explainGone: (id) =>
      withRules(async ({ now }, store) => {
        const gone = goneRulesNamed(id, await goneRules(now.rules, store));
        return Promise.all(gone.map((rule) => explainGoneRule(rule, store)));
      }),

    explainItem: (name) => withRules(({ now, isOn }, store) => explainItem(name, { rules: now.rules, isOn, store })),

    async pause(id, by) {
      // A pause before the first start applies to it.
      if (!hasStoredState(config) && (await withRules(({ now }) => Promise.resolve(rulesNamed(id, now.rules).length > 0))))
        await makeStoredState(config);
      return changeInstances(id, (states, rule) => states.pause(rule, by));
    },
    resume: (id) => changeInstances(id, (states, rule) => states.resume(rule)),

    async changes() {
      if (!hasStoredState(config)) return undefined;
      return withRules(async ({ stored, now, isOn, version }, store) => {
        if (!store.ruleVersions)
          return stored.inForce.size === 0
            ? undefined
            : { lines: await planLines(planReload({ before: stored, after: now, isOn }), store) };
        if (!version) return undefined;
        const check = createFolderCheck({
          folder: config.rulesDirectory,
          accounts: accountsOf(config),
          isOn: (rule) => isRuleOn(rule, config),
        });
        const { set } = await check(Date.now(), await store.ruleVersions.approved(version.number));
        return { lines: await planLines(planReload({ before: now, after: set, isOn }), store), version: version.number };
      });
    },

    known: () =>
      withRules(async ({ now }) => {
        const broken = now.diagnostics.filter(({ severity, file }) => severity === 'error' && !now.asBefore.has(file));
        return { names: [...new Set(now.rules.map(({ name }) => name))], broken: [...new Set(broken.map(({ file }) => file))] };
      }),
  };
}

function rulesNamed(id: string, rules: readonly Rule[]): readonly Rule[] {
  return rules.filter((rule) => rule.id === id || rule.name === id);
}
