import type { Explanation } from '#src/cli/explanation.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { PlanLine } from '../reload/tell-plan.ts';
import { accountsOf } from '../accounts.ts';
import { openConfig } from '../configuration/open-config.ts';
import { planReload } from '../reload/plan-reload.ts';
import { openRuleBook, type RuleBook } from '../reload/rule-book.ts';
import { tellPlan } from '../reload/tell-plan.ts';
import type { Store } from '#src/store/store.ts';
import { systemClock } from '#src/clock.ts';
import { spendingsIn } from '../spendings.ts';
import { explainRule } from './explain-rule.ts';
import { hasKeptState, makeKeptState, withKeptState } from './kept-state.ts';

/** The rules as they run, for whoever asks about them while they do or while they do not. */
export interface Explainer {
  /** All instances of a rule, or one of them; none: there is no such rule that can run. */
  explain(id: string): Promise<readonly Explanation[]>;
  /** Lets a rule say nothing more, in the name of `by`: which of its instances nobody had paused. Undefined: there is no such rule. */
  pause(id: string, by: string): Promise<readonly string[] | undefined>;
  /** Lets a rule speak again that is paused: which of its instances do. Undefined: there is no such rule. */
  resume(id: string): Promise<readonly string[] | undefined>;
  /** What would change if the files took the place of what runs; undefined where nothing ran yet. */
  changes(): Promise<readonly PlanLine[] | undefined>;
  /** The names of all rules that can run, and the files that cannot be used. */
  known(): Promise<{ readonly names: readonly string[]; readonly broken: readonly string[] }>;
}

/** The rules of the installation that `environment` describes, with what is kept of them. */
export function openExplainer(environment: Readonly<Record<string, string | undefined>>): Explainer {
  const config = openConfig(environment);

  function look<T>(use: (book: RuleBook, store: Store) => Promise<T>): Promise<T> {
    return withKeptState(config, async (store) => {
      const book = await openRuleBook({ config, stored: await store.ruleSources.load(), nowMs: Date.now });
      return use(book, store);
    });
  }

  /** What `change` changes of the instances that are meant; undefined: there are none. */
  function turn(
    id: string,
    change: (states: Store['ruleStates'], rule: string) => Promise<boolean>,
  ): Promise<readonly string[] | undefined> {
    return look(async ({ now }, { ruleStates }) => {
      const rules = meantBy(id, now.rules);
      const changed: string[] = [];
      for (const rule of rules) if (await change(ruleStates, rule.id)) changed.push(rule.id);
      return rules.length > 0 ? changed : undefined;
    });
  }

  return {
    explain: (id) =>
      look((book, store) => {
        const nowMs = Date.now();
        const spendingOf = spendingsIn(store, config, systemClock);
        return Promise.all(
          meantBy(id, book.now.rules).map((rule) =>
            explainRule(rule, { book, accounts: accountsOf(config), config, spendingOf, store, nowMs }),
          ),
        );
      }),

    async pause(id, by) {
      // What is said before the first start holds for it.
      if (!hasKeptState(config) && (await look(({ now }) => Promise.resolve(meantBy(id, now.rules).length > 0))))
        await makeKeptState(config);
      return turn(id, (states, rule) => states.pause(rule, by));
    },
    resume: (id) => turn(id, (states, rule) => states.resume(rule)),

    async changes() {
      if (!hasKeptState(config)) return undefined;
      return look(async ({ stored, now, isOn }, store) =>
        stored.inForce.size === 0 ? undefined : tellPlan(planReload({ before: stored, after: now, isOn }), store),
      );
    },

    known: () =>
      look(async ({ now }) => {
        const broken = now.problems.filter(({ severity, file }) => severity === 'error' && !now.asBefore.has(file));
        return { names: [...new Set(now.rules.map(({ name }) => name))], broken: [...new Set(broken.map(({ file }) => file))] };
      }),
  };
}

function meantBy(id: string, rules: readonly Rule[]): readonly Rule[] {
  return rules.filter((rule) => rule.id === id || rule.name === id);
}
