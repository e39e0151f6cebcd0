import { catalogue } from '#src/clients/catalogue.ts';
import type { Config } from '#src/config/config.ts';
import { isOnIn } from '#src/config/is-on.ts';
import type { RuleViews } from '#src/engine/simulation/preview/preview-view.ts';
import { loadRules } from '#src/rules/load.ts';
import type { Rule } from '#src/rules/rule.ts';
import { shippedRules } from './open-lists.ts';
import { accountsOf } from './accounts.ts';

interface RuleViewsOptions<V> {
  /** The id of a rule, or the name of all its instances. */
  readonly id: string;
  readonly nowMs: number;
  readonly view: (rule: Rule) => Promise<V>;
}

/** Views of rules as their files are now, one after the other. */
export async function ruleViews<V>(config: Config, { id, nowMs, view }: RuleViewsOptions<V>): Promise<RuleViews<V>> {
  const { rules, diagnostics } = await loadRules({
    paths: [config.rulesDirectory],
    catalogue,
    accounts: accountsOf(config),
    nowMs,
    isOn: isOnIn(config),
    shipped: await shippedRules(config),
  });
  const views: V[] = [];
  for (const rule of rules) if (rule.id === id || rule.name === id) views.push(await view(rule));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return { views, diagnostics: views.length === 0 ? errors : [], names: [...new Set(rules.map(({ name }) => name))] };
}
