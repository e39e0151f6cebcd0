import { formatList } from '#src/rules/messages/format.ts';
import { accountsOn, definitionOf, DEFINITIONS, PLATFORMS, type Account } from './accounts.ts';
import { connectHint } from './defaults.ts';
import type { FanfareFile, FileMistake } from './fanfare-file.ts';

interface AccountBudget {
  /** The cost of a calendar month in USD. */
  readonly monthUsd?: number | undefined;
  /** The cost of one page of a composed read in USD. */
  readonly pageUsd?: number | undefined;
  /** The number of requests for one page of a composed read. */
  readonly requests?: number | undefined;
}

/** The budgets by account name. */
export type Budgets = Readonly<Record<string, AccountBudget>>;

/** The platforms that bill reads and posts. */
const BILLING = formatList(
  DEFINITIONS.filter(({ budget }) => budget === 'money').map(({ title }) => title),
  'and',
);

/** Whether the platform of an account bills its use. */
export function isBilled(account: Pick<Account, 'platform'>): boolean {
  return definitionOf(account).budget === 'money';
}

/** Reads the budgets of the file. `onMistake` receives budgets that cannot apply. */
export function readBudgets(
  { budgets = {} }: FanfareFile,
  { accounts, onMistake }: { readonly accounts: readonly Account[]; readonly onMistake: (mistake: FileMistake) => void },
): Budgets {
  const platforms = PLATFORMS.filter((platform) => definitionOf({ platform }).budget !== undefined);
  const limitable = platforms.flatMap((platform) => accountsOn(platform, accounts));
  const known = limitable.map(({ account }) => account);
  return Object.fromEntries(
    Object.entries(budgets).map(([name, { month, page, requests }]) => {
      const account = limitable.find((one) => one.account === name);
      const other = accounts.find((one) => one.account === name);
      if (!account) {
        const message = other ? `${other.platform} has no costs and no composed reads to limit` : `unknown account ${name}`;
        onMistake({
          path: ['budgets', name],
          isKey: true,
          message,
          ...(other ? { hint: 'remove it' } : { unknown: { name, known }, hint: connectHint(name, { platforms, known }) }),
        });
      } else if (!isBilled(account)) {
        for (const key of Object.entries({ month, page }).flatMap(([each, amount]) => (amount === undefined ? [] : [each]))) {
          const message = `${account.platform} has no costs to limit`;
          onMistake({ path: ['budgets', name, key], isKey: true, message, hint: `remove it; only ${BILLING} has costs` });
        }
      }
      return [name, { monthUsd: toUsd(month), pageUsd: toUsd(page), requests }];
    }),
  );
}

/** Parses an amount as `0.10 USD`. */
function toUsd(amount: string | undefined): number | undefined {
  return amount === undefined ? undefined : Number.parseFloat(amount);
}
