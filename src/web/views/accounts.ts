import { ApiProblem, type ApiClient } from '../client/client.ts';
import type { Account, ChannelSignIn, Check, Status, UsageDay } from '../client/records.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { AccountRow, type ListedAccount } from './parts/account-row.ts';
import { Again } from './parts/again.ts';
import { answered } from './parts/answered.ts';
import { ChannelSignInBox } from './parts/channel-sign-in.ts';
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
  /** The sign-ins to channels that wait for a person. */
  readonly waiting: readonly (readonly [account: string, signIn: ChannelSignIn])[];
}

/** The accounts with their state, their sign-in, and the checks of the installation. */
export const accounts: View<AccountsData> = {
  path: VIEW_PATHS.accounts,
  title: (_, language) => ACCOUNTS_TEXTS[language].title,
  refreshOn: ['accounts'],
  async load(client, address, _language, before) {
    const [{ items }, status, checks] = await Promise.all([
      client.call('listAccounts', {}),
      client.call('getStatus', {}),
      before?.isActedOn === false ? before.data.checks : isChecking(address) ? checksOf(client) : undefined,
    ]);
    const [signIns, listed] = await Promise.all([
      Promise.all(items.filter(({ signingIn }) => signingIn).map((one) => signInTo(one.account, client))),
      Promise.all(items.map(async (one) => withStatus(one, status, await usageOf(one.account, status, client)))),
    ]);
    return { accounts: listed, checks, waiting: signIns.flat() };
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

/** The sign-in to a channel, if it waits for a person and the reader may see it. */
async function signInTo(account: string, client: ApiClient): Promise<AccountsData['waiting']> {
  try {
    const signIn = await client.call('getChannelSignIn', { account });
    return signIn.state === 'waiting' ? [[account, signIn]] : [];
  } catch (error) {
    if (error instanceof ApiProblem && [403, 404].includes(error.problem.status)) return [];
    throw error;
  }
}

/** Nothing while the database does not answer, because the rest of the view needs no database. */
async function usageOf(account: string, { budgets }: Status, client: ApiClient): Promise<readonly UsageDay[]> {
  if (budgets === undefined) return [];
  return (await client.call('listAccountUsage', { account })).items;
}

function withStatus(
  { account, platform, method, channel }: Account,
  { accounts: states, budgets, rateLimits }: Status,
  usage: readonly UsageDay[],
): ListedAccount {
  const isIt = (one: { readonly account: string }): boolean => one.account === account;
  const state = states.find(isIt);
  const budget = budgets?.find(isIt);
  return {
    account,
    platform,
    method,
    channel,
    state: state?.state,
    isRefused: state?.isRefused,
    problem: state?.problem,
    fault: state?.fault,
    since: state?.since,
    notifications: state?.notifications,
    isSimulated: state?.sandbox,
    spentUsd: budget?.spentUsd,
    monthUsd: budget?.monthUsd,
    leftRatio: rateLimits.find(isIt)?.leftRatio,
    usage,
  };
}

function Body({ data: { accounts: all, checks, waiting }, address, reader: { isAdmin } }: BodyProps<AccountsData>): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  const names = new Set(all.map(({ account }) => account));
  const others = checks?.filter(({ about }) => !names.has(about)) ?? [];
  return html`<div class="view">
    <h1>${t.title}</h1>
    <p class="muted">${t.about}${!isAdmin && ` ${t.readOnly}`}</p>
    ${isAdmin && html`<${SignInAnswer} accounts=${all} />`}
    ${!answered.value && waiting.map(([account, first]) => html`<${ChannelSignInBox} key=${first.code} account=${account} first=${first} />`)}
    <section class="panel" aria-label=${t.title}>
      ${all.length === 0 && html`<p class="empty muted">${t.none} <code>npx fanfare auth</code></p>`}
      <ul class="rows">
        ${all.map((one) => html`<${AccountRow} key=${one.account} account=${one} checks=${checks?.filter(({ about }) => about === one.account) ?? []} isAdmin=${isAdmin} />`)}
      </ul>
    </section>
    ${isAdmin && html`<${Checks} checks=${others} isAgain=${checks !== undefined} address=${address} />`}
  </div>`;
}

/** The checks that are about no account, and the button that checks everything. */
function Checks({
  checks,
  isAgain,
  address,
}: {
  readonly checks: readonly Check[];
  readonly isAgain: boolean;
  readonly address: Address;
}): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  return html`<section class="panel" aria-labelledby="checks">
    <div class="padded">
      <h2 id="checks">${t.checks}</h2>
      <p class="muted">${t.checkHint}</p>
      <form class="filters" action=${`${VIEW_PATHS.accounts}#checks`}>
        <input type="hidden" name="check" value="yes" />
        ${isAgain && html`<${Again} address=${address} />`}
        <p class="submit"><button>${isAgain ? t.checkAgain : t.check}</button></p>
      </form>
    </div>
    <ul class="rows">
      ${checks.map((check, index) => html`<li key=${index}><${Checked} check=${check} isNamed /></li>`)}
    </ul>
  </section>`;
}
