import type { Account, ConfirmedSignIn, SignIn } from '../../client/records.ts';
import { safeUrl } from '../../page/inline/safe-url.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { ACCOUNTS_TEXTS } from '../texts/accounts.ts';
import { Confirmed } from './confirmed-sign-in.ts';
import { ChannelSignInBox } from './channel-sign-in.ts';
import { ActionForm } from './action-form.ts';
import { answered } from './answered.ts';

/** What the last sign-in answered: who is signed in, or the second half of a sign-in in a browser. */
export function SignInAnswer({ accounts }: { readonly accounts: readonly Pick<Account, 'account'>[] }): VNode | undefined {
  const { operation, input, answer } = answered.value ?? {};
  const account = accounts.find((one) => input && 'account' in input && one.account === input.account)?.account;
  if (account === undefined) return undefined;
  if (operation === 'confirmAccount') {
    const confirmed = answer as ConfirmedSignIn; // the answer to this operation
    return html`<${Confirmed} account=${account} answer=${confirmed} />`;
  }
  if (operation !== 'signInAccount') return undefined;
  const begun = answer as SignIn; // the answer to this operation
  const { url, code, expiresAt, scopes = [] } = begun;
  if (url !== undefined && code !== undefined && expiresAt !== undefined) {
    const first = { state: 'waiting', url, code, expiresAt, scopes } as const;
    return html`<${ChannelSignInBox} key=${code} account=${account} first=${first} />`;
  }
  const address = safeUrl(begun.url);
  if (address === undefined) return html`<${Confirmed} account=${account} answer=${{ who: begun.who, missing: [] }} />`;
  return html`<${InBrowser} account=${account} address=${address} scopes=${scopes} />`;
}

interface InBrowserProps extends Pick<SignIn, 'scopes'> {
  readonly account: string;
  /** The page of the platform. */
  readonly address: string;
}

function InBrowser({ account, address, scopes = [] }: InBrowserProps): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  return html`<section class="panel padded" aria-labelledby="sign-in" tabindex="-1" data-answer>
    <h2 id="sign-in">${t.step} <bdi>${account}</bdi></h2>
    <p><a href=${address} target="_blank" rel="noopener noreferrer">${t.open}</a></p>
    <ul class="plain">
      ${scopes.map(({ name, why }) => html`<li key=${name} class="muted"><code>${name}</code> <span lang="en">${why}</span></li>`)}
    </ul>
    <p>${t.paste}</p>
    <${FinishForm} account=${account} />
  </section>`;
}

function FinishForm({ account }: Pick<InBrowserProps, 'account'>): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  return html`<${ActionForm} operation="confirmAccount" input=${{ account }} done=${t.finished(account)} class="filters wide">
    <label>${t.address} <input name="address" required maxlength="4000" autocomplete="off" /></label>
    <p class="submit"><button>${t.finish}</button></p>
  <//>`;
}

/** The second half of a sign-in in a browser that began before the page was loaded again: a phone does this to pages in the background. */
export function BegunSignIn({ account }: Pick<InBrowserProps, 'account'>): VNode | undefined {
  const t = useTexts(ACCOUNTS_TEXTS);
  const { input } = answered.value ?? {};
  // It is above the accounts.
  if (input && 'account' in input && input.account === account) return undefined;
  return html`<details class="scripted">
    <summary>${t.finish}<span class="unseen"> ${t.of(account)}</span></summary>
    <p class="muted">${t.pasteLater}</p>
    <${FinishForm} account=${account} />
  </details>`;
}
