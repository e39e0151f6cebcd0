import type { Replays, ReplayView } from '#src/cli/replay-view.ts';
import { loadRules } from '#src/rules/load.ts';
import { accountsOf } from '../accounts.ts';
import { catalogue } from '../catalogue.ts';
import { openConfig } from '../configuration/open-config.ts';
import { isOn } from '../is-on.ts';
import { withKeptState } from '../explain/kept-state.ts';
import { replayRule } from './replay-rule.ts';

/** Goes through what was seen with the rules as their files are now. */
export interface Replayer {
  /** All instances of a rule, or one of them. */
  replay(id: string, options: { readonly sinceMs: number; readonly nowMs: number }): Promise<Replays>;
}

/** A replayer of the installation that `environment` describes. */
export function openReplayer(environment: Readonly<Record<string, string | undefined>>): Replayer {
  const config = openConfig(environment);
  const accounts = accountsOf(config);
  return {
    replay: (id, { sinceMs, nowMs }) =>
      withKeptState(config, async (store) => {
        const { rules, problems } = await loadRules({
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
        const errors = problems.filter(({ severity }) => severity === 'error');
        return { views, problems: meant.length === 0 ? errors : [], names: [...new Set(rules.map(({ name }) => name))] };
      }),
  };
}
