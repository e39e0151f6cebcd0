import type { Accounts } from './accounts.ts';
import { parametersOf } from './people/people.ts';
import { requestCount, requestPrice, sharedRequests } from './request-estimates.ts';
import type { Rule } from './rule.ts';

/** The requests an hour of a rule through one of its accounts at each slot of `every`, if rules that share a request divide it by their names or pages. */
export function requestShare(
  rule: Rule,
  account: string,
  { rules, accounts }: { readonly rules: readonly Rule[]; readonly accounts: Accounts },
): number {
  const polled = polledThrough(rule, account);
  if (!polled || !rule.watched) return 0;
  const { everyMs, key } = polled;
  const others = rules.flatMap((one) => (one.id === rule.id || one.enabled === false ? [] : (polledThrough(one, account) ?? [])));
  const sharing = [polled, ...others.filter((one) => one.everyMs === everyMs && one.key === key)];
  const names = new Set(sharing.flatMap((one) => one.names));
  const pages = Math.max(...sharing.map((one) => one.pages));
  const requests = requestCount({ names: { length: names.size }, pages }, requestPrice(rule.watched.verb, account, accounts));
  const weights = sharing.map((one) => Math.max(one.names.length, one.pages));
  return (
    ((requests * 3_600_000) / everyMs) * (Math.max(polled.names.length, polled.pages) / weights.reduce((sum, weight) => sum + weight, 0))
  );
}

/** The requests of one poll of a rule through one of its accounts, without other rules. */
export function requestsAlone({ watched }: Rule, account: string, accounts: Accounts): number {
  if (!watched?.accounts.includes(account)) return 0;
  return requestCount(sharedRequests(watched.verb, parametersOf(watched, account)), requestPrice(watched.verb, account, accounts));
}

function polledThrough({ watched, schedule }: Rule, account: string) {
  if (!watched?.accounts.includes(account) || !('everyMs' in schedule)) return undefined;
  return { everyMs: schedule.everyMs, ...sharedRequests(watched.verb, parametersOf(watched, account)) };
}
