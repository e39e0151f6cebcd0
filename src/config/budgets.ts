import { accountsOn, type Account, type Platform } from './accounts.ts';
import type { FanfareFile } from './file-form.ts';
import type { FileMistake } from './file-mistake.ts';

/** What an account may use. */
export interface AccountBudget {
  /** What a calendar month may cost, in USD. */
  readonly monthUsd?: number | undefined;
  /** What a page of a read may cost that is put together from several requests, in USD. */
  readonly pageUsd?: number | undefined;
  /** How many requests such a page may take. */
  readonly requests?: number | undefined;
}

/** By the names of accounts. */
export type Budgets = Readonly<Record<string, AccountBudget>>;

/** Those that bill what is read and posted. */
const BILLING: readonly Platform[] = ['x'];
/** Those with reads that are put together from several requests. */
const COMPOSING: readonly Platform[] = ['twitch', 'kick', 'x', 'bluesky'];

/** Whether the platform of an account bills what is done through it. */
export function isBilled({ platform }: Pick<Account, 'platform'>): boolean {
  return BILLING.includes(platform);
}

/** The budgets in the file; of those that nothing can be held to, `onMistake` is told. */
export function readBudgets(
  { budgets = {} }: FanfareFile,
  { accounts, onMistake }: { readonly accounts: readonly Account[]; readonly onMistake: (mistake: FileMistake) => void },
): Budgets {
  const limitable = COMPOSING.flatMap((platform) => accountsOn(platform, accounts));
  const known = limitable.map(({ account }) => account);
  return Object.fromEntries(
    Object.entries(budgets).map(([name, { month, page, requests }]) => {
      const account = limitable.find((one) => one.account === name);
      const other = accounts.find((one) => one.account === name);
      if (!account) {
        const message = other ? `${other.platform} bills nothing, and has nothing to limit` : `there is no account ${name}`;
        onMistake({ path: ['budgets', name], isKey: true, message, ...(other ? {} : { unknown: { name, known } }) });
      } else if (!isBilled(account)) {
        for (const key of Object.entries({ month, page }).flatMap(([each, amount]) => (amount === undefined ? [] : [each]))) {
          const message = `${account.platform} bills nothing: there are no costs to limit`;
          onMistake({ path: ['budgets', name, key], isKey: true, message, hint: 'leave it out; only X bills' });
        }
      }
      return [name, { monthUsd: toUsd(month), pageUsd: toUsd(page), requests }];
    }),
  );
}

/** An amount as the form lets it pass, as `0.10 USD`. */
function toUsd(amount: string | undefined): number | undefined {
  return amount === undefined ? undefined : Number.parseFloat(amount);
}
