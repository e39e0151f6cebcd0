import type { Accounts } from './accounts.ts';
import { clientOf } from './check/choose-accounts.ts';
import { parametersOf } from './people/people.ts';
import { requestCount, requestPrice, sharedRequests, type RequestPrice } from './request-estimates.ts';
import type { Rule } from './rule.ts';

/** The requests of all rules to one account. */
export interface AccountLoad {
  readonly client: string;
  readonly account: string;
  readonly perMinute: number;
  /** The rule with the most requests. */
  readonly worst: RuleLoad;
}

interface RuleLoad {
  readonly rule: Rule;
  readonly everyMs: number;
  readonly perMinute: number;
}

/** Polls that share requests. */
interface PollGroup {
  readonly everyMs: number;
  readonly price: RequestPrice;
  pages: number;
  readonly names: Set<string>;
}

/** The requests a minute of all rules, by account. Cron rules are too rare to count. */
export function requestLoad(rules: readonly Rule[], accounts: Accounts): readonly AccountLoad[] {
  const loads = new Map<
    string,
    { readonly client: string; readonly account: string; readonly groups: Map<string, PollGroup>; worst: RuleLoad }
  >();
  for (const rule of rules) {
    const { watched, schedule } = rule;
    if (!watched || !('everyMs' in schedule) || rule.enabled === false) continue;
    const { everyMs } = schedule;
    const client = clientOf(watched.verb);
    for (const account of watched.accounts) {
      const { key, names, pages } = sharedRequests(watched.verb, parametersOf(watched, account));
      const price = requestPrice(watched.verb, account, accounts);
      const alone: RuleLoad = { rule, everyMs, perMinute: costOf({ everyMs, pages, names: new Set(names), price }) };
      const load = loads.get(`${client}/${account}`) ?? { client, account, groups: new Map<string, PollGroup>(), worst: alone };
      loads.set(`${client}/${account}`, load);
      if (alone.perMinute > load.worst.perMinute) load.worst = alone;
      const group = `${everyMs} ${key}`;
      const shared = load.groups.get(group) ?? { everyMs, pages, names: new Set<string>(), price };
      shared.pages = Math.max(shared.pages, pages);
      for (const name of names) shared.names.add(name);
      load.groups.set(group, shared);
    }
  }
  return [...loads.values()].map(({ client, account, groups, worst }) => ({
    client,
    account,
    worst,
    perMinute: [...groups.values()].reduce((sum, group) => sum + costOf(group), 0),
  }));
}

function costOf({ everyMs, pages, names, price }: PollGroup): number {
  return (requestCount({ pages, names: { length: names.size } }, price) * 60_000) / everyMs;
}
