import { openConfig } from '#src/config/open-config.ts';
import type { Replayer } from '#src/engine/simulation/replay/replay-view.ts';
import { accountFacts } from '#src/engine/simulation/account-facts.ts';
import { replayRule } from '#src/engine/simulation/replay/replay-rule.ts';
import { silentLog } from '#src/log.ts';
import { openLists } from './open-lists.ts';
import { accountsOf } from './accounts.ts';
import { boundForReplay } from './replay-rules.ts';
import { ruleViews } from './rule-views.ts';
import { withStoredState } from './stored-state.ts';

/** A replayer of the installation that `environment` describes. */
export function openReplayer(environment: Readonly<Record<string, string | undefined>>): Replayer {
  const config = openConfig(environment);
  return {
    replay: (id, { sinceMs, nowMs }) =>
      withStoredState(config, async (store) => {
        const lists = await openLists({ config, store, log: silentLog }).listSource.current();
        const facts = accountFacts(accountsOf(config, await store.statedLimits.all()));
        return ruleViews(config, {
          id,
          nowMs,
          view: (rule) => replayRule(boundForReplay(rule, lists), { ...facts, store, sinceMs, nowMs }),
        });
      }),
  };
}
