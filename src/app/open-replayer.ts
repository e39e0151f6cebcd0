import { openConfig } from '#src/config/open-config.ts';
import type { Replayer } from '#src/queries/replay-view.ts';
import { replayRule } from '#src/simulation/replay/replay-rule.ts';
import { accountsOf } from './accounts.ts';
import { ruleViews } from './rule-views.ts';
import { withStoredState } from './stored-state.ts';

/** A replayer of the installation that `environment` describes. */
export function openReplayer(environment: Readonly<Record<string, string | undefined>>): Replayer {
  const config = openConfig(environment);
  const { social } = accountsOf(config);
  const textLimitOf = (account: string) => social?.textLimits?.[account];
  return {
    replay: (id, { sinceMs, nowMs }) =>
      withStoredState(config, (store) =>
        ruleViews(config, { id, nowMs, view: (rule) => replayRule(rule, { store, sinceMs, nowMs, textLimitOf }) }),
      ),
  };
}
