import { capabilities } from '#adapters/x/capabilities.ts';
import { priceOfOperation } from '#adapters/x/spending.ts';
import type { BillExplanation, Explanation } from '#src/admin/queries/explanation.ts';
import type { Account } from '#src/config/accounts.ts';
import { isBilled } from '#src/config/budgets.ts';
import type { Config } from '#src/config/config.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { allSteps, type Rule } from '#src/rules/rule.ts';
import { listsOrNone, type Lists, type ListSource } from '#src/rules/lists.ts';
import { exactUsd } from '#src/clients/operation/spending.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import type { Clock } from '#src/clock.ts';
import { explainRule, runsPerMinute, withLists, type ExplainRuleOptions } from '#src/admin/queries/explain-rule.ts';
import { pollDemandOf, pollingOf, type LivePolls, type PollDemand, type Polling } from '#src/admin/queries/polling.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';
import { spendingsIn, type SpendingOf } from './spending.ts';

const DAYS_A_MONTH = 30;
const MINUTES_A_DAY = 24 * 60;

export interface ExplainOptions extends Pick<ExplainRuleOptions, 'registry'> {
  readonly config: Parameters<typeof accountsOf>[0] & Pick<Config, 'budgets'>;
  readonly store: ExplainRuleOptions['store'] & Pick<Store, 'spentSums' | 'notifiers'>;
  /** What is known of the polls of a rule. Absent: no process runs. */
  readonly live?: ((rule: string) => Promise<LivePolls>) | undefined;
  readonly listSource: ListSource;
  readonly clock: Clock;
}

/** Returns a function that explains rules. */
export function explainWith(options: ExplainOptions): (rule: Rule) => Promise<Explanation> {
  const { registry, store } = options;
  const read = pollsWith(options);
  return async (rule) => explainRule(rule, { registry, store, ...(await read(rule)) });
}

/** Returns a function that tells how rules learn of changes, and what their polls cost. */
export function pollingWith(options: ExplainOptions): (rule: Rule) => Promise<Polling | undefined> {
  const read = pollsWith(options);
  return async (rule) => (await read(rule)).polling;
}

function pollsWith({ config, registry, store, listSource, live, clock }: ExplainOptions) {
  const spendingOf = spendingsIn(store, config, clock);
  return async (rule: Rule) => {
    const lists = await listsOrNone(listSource);
    const nowMs = clock.nowMs();
    const perMinute = runsPerMinute(rule, nowMs);
    const bills = await billsOf(rule, { config, spendingOf, runsPerMinute: perMinute });
    const accounts = accountsOf(config);
    const demand = demandOf(registry.running, { lists, accounts });
    const polling = pollingOf(withLists(rule, lists), {
      demand,
      accounts,
      live: await live?.(rule.id),
      reports: await store.notifiers.reports(),
      runsPerMinute: perMinute,
      prices: new Map(bills.flatMap(({ account, reads }) => (reads ? [[account, reads.monthUsd] as const] : []))),
      nowMs,
    });
    return { lists, nowMs, accounts, demand, bills, polling };
  };
}

/** The last demand of running rules. A reload replaces them. */
const demands = new WeakMap<readonly Rule[], { readonly revision: string; readonly demand: PollDemand }>();

function demandOf(running: readonly Rule[], { lists, accounts }: { readonly lists: Lists; readonly accounts: Accounts }): PollDemand {
  const last = demands.get(running);
  if (last?.revision === lists.revision) return last.demand;
  const rules = running.map((one) => withLists(one, lists));
  const demand = pollDemandOf(rules, accounts);
  demands.set(running, { revision: lists.revision, demand });
  return demand;
}

interface BillsOptions {
  readonly config: Pick<Config, 'accounts' | 'budgets'>;
  readonly spendingOf: SpendingOf;
  readonly runsPerMinute: number;
}

/** What a rule costs through each of its accounts whose platform bills it. */
async function billsOf(rule: Rule, { config, spendingOf, runsPerMinute: perMinute }: BillsOptions): Promise<readonly BillExplanation[]> {
  const steps = allSteps(rule);
  const used = new Set([...(rule.watched?.accounts ?? []), ...steps.flatMap((step) => step.as)]);
  const billed = config.accounts.filter((account) => isBilled(account) && used.has(account.account));
  const bills = await Promise.all(
    billed.map(async (account) => {
      const spent = await spendingOf(account)?.spent();
      const verbs = new Set(steps.filter((step) => step.as.includes(account.account)).map((step) => step.do));
      return (
        spent && {
          account: account.account,
          spent,
          reads: readsOf(rule, account, { config, runsPerMinute: perMinute }),
          writes: [...verbs].flatMap(writeOf),
        }
      );
    }),
  );
  return bills.filter((bill) => bill !== undefined);
}

function readsOf(
  { watched }: Rule,
  { account }: Account,
  { config, runsPerMinute: perMinute }: Pick<BillsOptions, 'config' | 'runsPerMinute'>,
): BillExplanation['reads'] {
  if (!watched?.accounts.includes(account)) return undefined;
  const { verb, with: params } = watched;
  const price = priceOf(verb, params);
  if (!price?.row) return undefined;
  const { usd, row } = price;
  const rows = price.rows * pagesOf(params);
  const pageUsd = price.isComposed ? (config.budgets[account]?.pageUsd ?? 0) * pagesOf(params) : Infinity;
  // The same row is billed once a day, however often it is read.
  const readsAMonth = Math.min(1, perMinute * MINUTES_A_DAY) * DAYS_A_MONTH;
  return { verb, rows, row, rowUsd: usd, monthUsd: exactUsd(Math.min(rows * usd, pageUsd) * readsAMonth) };
}

function writeOf(verb: string): BillExplanation['writes'] {
  const price = priceOf(verb, {});
  return price && !price.row ? [{ verb, usd: price.usd, usdWithLink: price.usdWithLink }] : [];
}

function priceOf(verb: string, params: JsonObject) {
  const declared = catalogue.get(verb);
  const capability = declared && Object.entries(capabilities).find(([name]) => name === declared.name)?.[1];
  if (!declared || !capability) return undefined;
  const { endpoints = [], support } = capability;
  const price = priceOfOperation(endpoints, { isList: declared.kind === 'list', wantsUsers: params['filter'] === 'People' });
  return price && { ...price, isComposed: support === 'composed' };
}

function pagesOf({ pages }: JsonObject): number {
  return typeof pages === 'number' ? pages : 1;
}
