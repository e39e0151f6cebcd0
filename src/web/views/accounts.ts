import { ApiProblem, type ApiClient } from '../client/client.ts';
import type { Account, Check, Status } from '../client/records.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { AccountRow, type ListedAccount } from './parts/account-row.ts';
import { Checked } from './parts/checked.ts';
import { SignInAnswer } from './parts/sign-in-answer.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import { ACCOUNTS_TEXTS } from './texts/accounts.ts';
import type { Address, BodyProps, View } from './view.ts';

interface AccountsData {
  readonly accounts: readonly ListedAccount[];
  /** The checks of the installation; absent without a request for them. */
  readonly checks?: readonly Check[] | undefined;
}

/** The accounts with their state, their sign-in, and the checks of the installation. */
export const accounts: View<AccountsData> = {
  path: VIEW_PATHS.accounts,
  title: (_, language) => ACCOUNTS_TEXTS[language].title,
  // Events would repeat the checks, which send requests to all platforms.
  refreshOn: [],
  async load(client, address) {
    const [{ items }, status, checks] = await Promise.all([
      client.call('listAccounts', {}),
      client.call('getStatus', {}),
      isChecking(address) ? checksOf(client) : undefined,
    ]);
    return { accounts: items.map((one) => withStatus(one, status)), checks };
  },
  Body,
};

function isChecking({ query }: Address): boolean {
  return query['check'] === 'yes';
}

/** Undefined for a reader who may not see them. */
async function checksOf(client: ApiClient): Promise<readonly Check[] | undefined> {
  try {
    return (await client.call('listChecks', {})).items;
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.status === 403) return undefined;
    throw error;
  }
}

function withStatus({ account, platform, method }: Account, { accounts: states, budgets, rateLimits }: Status): ListedAccount {
  const isIt = (one: { readonly account: string }): boolean => one.account === account;
  const state = states.find(isIt);
  const budget = budgets?.find(isIt);
  return {
    account,
    platform,
    method,
    state: state?.state,
    isRefused: state?.isRefused,
    problem: state?.problem,
    fault: state?.fault,
    since: state?.since,
    isSimulated: state?.sandbox,
    spentUsd: budget?.spentUsd,
    monthUsd: budget?.monthUsd,
    leftRatio: rateLimits.find(isIt)?.leftRatio,
  };
}

function Body({ data: { accounts: all, checks }, reader: { isAdmin } }: BodyProps<AccountsData>): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  const names = new Set(all.map(({ account }) => account));
  const others = checks?.filter(({ about }) => !names.has(about)) ?? [];
  return html`<div class="view">
    <h1>${t.title}</h1>
    <p class="muted">${t.about}${!isAdmin && ` ${t.readOnly}`}</p>
    ${isAdmin && html`<${SignInAnswer} accounts=${all} />`}
    <section class="panel" aria-label=${t.title}>
      ${all.length === 0 && html`<p class="empty muted">${t.none} <code>fanfare auth</code></p>`}
      <ul class="rows">
        ${all.map((one) => html`<${AccountRow} key=${one.account} account=${one} checks=${checks?.filter(({ about }) => about === one.account) ?? []} isAdmin=${isAdmin} />`)}
      </ul>
    </section>
    ${isAdmin && html`<${Checks} checks=${others} isAgain=${checks !== undefined} />`}
  </div>`;
}

/** The checks that are about no account, and the button that checks everything. */
function Checks({ checks, isAgain }: { readonly checks: readonly Check[]; readonly isAgain: boolean }): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  return html`<section class="panel" aria-labelledby="checks">
    <div class="padded">
      <h2 id="checks">${t.checks}</h2>
      <p class="muted">${t.checkHint}</p>
      <form class="filters" action=${VIEW_PATHS.accounts}>
        <input type="hidden" name="check" value="yes" />
        <p class="submit"><button>${isAgain ? t.checkAgain : t.check}</button></p>
      </form>
    </div>
    <ul class="rows">
      ${checks.map((check, index) => html`<li key=${index}><${Checked} check=${check} isNamed /></li>`)}
    </ul>
  </section>`;
}
