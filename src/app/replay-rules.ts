import { catalogue } from '#src/clients/catalogue.ts';
import { rulesNamed, type Replay } from '#src/admin/actions/rule-actions.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { isOnIn } from '#src/config/is-on.ts';
import { accountFacts } from '#src/engine/simulation/account-facts.ts';
import { createReplayLimit } from '#src/engine/simulation/replay/replay-limit.ts';
import { replayRule } from '#src/engine/simulation/replay/replay-rule.ts';
import type { ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import { Refused } from '#src/errors.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Lists, ListSource } from '#src/rules/lists.ts';
import { attemptBind, readsLists } from '#src/rules/people/bind-lists.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';

/** A replay ends after this many polls, or after this time. */
const LIMIT = { mostSlots: 10_000, withinMs: 15_000 };

interface ReplayRulesOptions {
  readonly config: Config;
  readonly store: Store;
  readonly listSource?: ListSource | undefined;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly limit?: Parameters<typeof createReplayLimit>[0] | undefined;
}

/** Replays beside a running process: one at a time, with a limit, and with pauses for other work. */
export function createReplays({ config, store, listSource, clock, limit = LIMIT }: ReplayRulesOptions): Replay {
  let last: Promise<unknown> = Promise.resolve();

  async function replay(...[loaded, { name, backMs, source }]: Parameters<Replay>): ReturnType<Replay> {
    const accounts = accountsOf(config, await store.statedLimits.all());
    const nowMs = clock.nowMs();
    const { rules, diagnostics } =
      source === undefined ? { rules: loaded, diagnostics: [] } : edited(source, { loaded, name, accounts, nowMs });
    const options = { ...accountFacts(accounts), store, sinceMs: nowMs - backMs, nowMs, limit: createReplayLimit(limit) };
    const views: ReplayView[] = [];
    for (const rule of rules) views.push(await replayRule(await bound(rule), options));
    return { views, diagnostics };
  }

  /** The instances of the edited rule; none if the text has errors. */
  function edited(
    source: string,
    {
      loaded,
      name,
      ...options
    }: { readonly loaded: readonly Rule[]; readonly name: string } & Pick<Parameters<typeof checkRule>[0], 'accounts' | 'nowMs'>,
  ): { readonly rules: readonly Rule[]; readonly diagnostics: readonly Diagnostic[] } {
    const file = loaded[0]?.file ?? '';
    const { rules, diagnostics } = checkRule({ file, source, catalogue, isOn: isOnIn(config), ...options });
    const named = rulesNamed(name, rules);
    if (named.length === 0 && rules.length > 0)
      throw new Refused('otherRuleId', `The text has no rule with the id ${name}. Keep the id of the rule.`);
    return { rules: named, diagnostics };
  }

  async function bound(rule: Rule): Promise<Rule> {
    return listSource && readsLists(rule) ? boundForReplay(rule, await listSource.current()) : rule;
  }

  return async (...call) => {
    // Several replays at once would need the memory of all of them.
    const mine = last.then(() => replay(...call));
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** The rule with the present lists. A list that is missing is an error, because its episodes would end in the replay. */
export function boundForReplay(rule: Rule, lists: Lists): Rule {
  const bound = attemptBind(rule, lists);
  if ('failure' in bound) throw new Refused('notReplayable', `The rule ${rule.id} cannot be replayed: ${bound.failure}`);
  return bound;
}
