import type { Account, Check, Status, UsageDay } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { useNumbers } from '../numbers.ts';
import type { VNode } from '../preact.mjs';
import { useReasons } from '../reasons.ts';
import { ACCOUNTS_TEXTS } from '../texts/accounts.ts';
import { AccountNotifications, type Notifications } from './account-notifications.ts';
import { AccountUsage } from './account-usage.ts';
import { ActionForm } from './action-form.ts';
import { Badge } from './badge.ts';
import { Checked } from './checked.ts';
import { MessageText } from './message-text.ts';
import { BegunSignIn } from './sign-in-answer.ts';
import { Instant } from './time.ts';

type AccountStatus = Status['accounts'][number];

/** An account with what the status says about it. Absent values are unknown. */
export interface ListedAccount extends Account {
  readonly state?: AccountStatus['state'] | undefined;
  readonly isRefused?: boolean | undefined;
  readonly problem?: string | undefined;
  /** The kind of the problem. */
  readonly fault?: string | undefined;
  /** The begin of the outage. */
  readonly since?: string | undefined;
  /** Absent: no rule needed them yet. */
  readonly notifications?: Notifications | undefined;
  /** Whether the sandbox simulates it. */
  readonly isSimulated?: boolean | undefined;
  /** The sum of this month. */
  readonly spentUsd?: number | undefined;
  /** The budget of a month. */
  readonly monthUsd?: number | undefined;
  /** The rest of its rate limits. */
  readonly leftRatio?: number | undefined;
  /** The last days, oldest first. */
  readonly usage: readonly UsageDay[];
}

interface AccountRowProps {
  readonly account: ListedAccount;
  readonly checks: readonly Check[];
  readonly isAdmin: boolean;
}

const TONES = { connected: 'good', connecting: 'busy', failed: 'bad' } as const;

/** An account with its state, its problem, and its sign-in. */
export function AccountRow({ account: one, checks, isAdmin }: AccountRowProps): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  const reasons = useReasons();
  const { account, platform, method, state, isRefused, problem, fault, since, notifications, isSimulated, usage } = one;
  return html`<li>
    <div class="rule-head">
      <p><bdi>${account}</bdi></p>
      ${state !== undefined && html`<${Badge} tone=${TONES[state]} ...${isRefused ? t.refused : t.states[state]} />`}
    </div>
    <p class="meta">
      <span>${platform}</span><span>${t.methods[method]}</span>${isSimulated && html`<span>${t.sandbox}</span>`}
      ${since !== undefined && html`<span>${t.since} <${Instant} at=${since} /></span>`}
    </p>
    <${Numbers} account=${one} />
    <${MessageText} class="obstacle" message=${problem === undefined ? undefined : reasons.account({ problem, fault })} />
    <${AccountNotifications} notifications=${notifications} />
    ${checks.map((check, index) => html`<${Checked} key=${index} check=${check} />`)}
    <${AccountUsage} account=${account} days=${usage} />
    ${isAdmin && html`<${SignInForms} account=${one} />`}
  </li>`;
}

/** The budget and the rate limits of an account. */
function Numbers({ account: { spentUsd, monthUsd, leftRatio } }: Pick<AccountRowProps, 'account'>): VNode | undefined {
  const t = useTexts(ACCOUNTS_TEXTS);
  const { usd, percent } = useNumbers();
  if (spentUsd === undefined && leftRatio === undefined) return undefined;
  return html`<p class="meta">
    ${spentUsd !== undefined && html`<span>${monthUsd === undefined ? t.spent(usd(spentUsd)) : t.budget(usd(spentUsd), usd(monthUsd))}</span>`}
    ${leftRatio !== undefined && html`<span>${t.limits(percent(leftRatio))}</span>`}
  </p>`;
}

function SignInForms({
  account: { account, method, channel },
}: {
  readonly account: Pick<Account, 'account' | 'method' | 'channel'>;
}): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  const of = html`<span class="unseen"> ${t.of(account)}</span>`;
  if (method === 'credentials')
    return html`<div class="forms">
      <${ActionForm} operation="signInAccount" input=${{ account }} done=${t.tested(account)}><button>${t.test}${of}</button><//>
      ${
        channel &&
        html`<${ActionForm} operation="signInAccount" input=${{ account, channel: true }} done=${t.channelBegun(account)}>
            <button>${t.channel}${of}</button>
          <//>
          <${ActionForm}
            operation="signOutAccount"
            input=${{ account }}
            done=${t.channelIsOut(account)}
            question=${t.channelOutQuestion(account)}
          >
            <button>${t.channelOut}${of}</button>
          <//>`
      }
    </div>`;
  return html`<div class="forms">
    <${ActionForm} operation="signInAccount" input=${{ account }} done=${method === 'browser' ? t.begun(account) : t.tested(account)}>
      ${method === 'password' && html`<input type="password" name="password" required maxlength="1000" autocomplete="new-password" placeholder=${t.password} aria-label=${`${t.password} ${t.of(account)}`} />`}
      <button>${t.signIn}${of}</button>
    <//>
    <${ActionForm} operation="signOutAccount" input=${{ account }} done=${t.signedOut(account)} question=${t.signOutQuestion(account)}>
      <button>${t.signOut}${of}</button>
    <//>
    ${method === 'browser' && html`<${BegunSignIn} account=${account} />`}
  </div>`;
}
