import type { Replayer, ReplayView } from '#src/queries/replay-view.ts';
import { loadRules } from '#src/rules/load.ts';
import { accountsOf } from '../accounts.ts';
import { catalogue } from '#src/catalogue.ts';
import { openConfig } from '#src/config/open-config.ts';
import { isOn } from '#src/config/is-on.ts';
import { withStoredState } from '../stored-state.ts';
import { replayRule } from './replay-rule.ts';

/** A replayer of the installation that `environment` describes. */
export function openReplayer(environment: Readonly<Record<string, string | undefined>>): Replayer {
  const config = openConfig(environment);
  const accounts = accountsOf(config);
  return {
    replay: (id, { sinceMs, nowMs }) =>
      withStoredState(config, async (store) => {
        const { rules, diagnostics } = await loadRules({
          paths: [config.rulesDirectory],
          catalogue,
          accounts,
          nowMs,
          isOn: (rule) => isOn(rule, config),
        });
        const meant = rules.filter((rule) => rule.id === id || rule.name === id);
        const views: ReplayView[] = [];
        const textLimitOf = (account: string) => accounts['social']?.textLimits?.[account];
        for (const rule of meant) views.push(await replayRule(rule, { store, sinceMs, nowMs, textLimitOf }));
        const errors = diagnostics.filter(({ severity }) => severity === 'error');
        return { views, diagnostics: meant.length === 0 ? errors : [], names: [...new Set(rules.map(({ name }) => name))] };
      }),
  };
}
