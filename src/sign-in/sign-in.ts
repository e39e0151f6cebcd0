import { UserError } from '#src/errors.ts';
import type { Account } from '#src/config/accounts.ts';
import type { AccountTokens } from '#src/secrets/account-tokens.ts';
import type { BrowserSignIn, Scope, SentBack } from '#src/secrets/sign-in.ts';
import { SIGN_IN_PLATFORMS, type SignInPlatform } from './platform-setups.ts';

export type SignInAccount = Extract<Account, { readonly platform: SignInPlatform }>;

/** How an account signs in: with `credentials` of the configuration, with a typed `password`, or in a `browser`. */
export type SignInMethod = 'credentials' | 'password' | 'browser';

/** A sign-in in the browser that waits for its answer. */
interface BrowserAttempt {
  readonly url: string;
  /** The state that the answer must contain. */
  readonly state: string;
  readonly scopes: readonly Scope[];
  /** Stores the tokens. Returns the scopes that were not granted. */
  finish(answer: SentBack, signal?: AbortSignal): Promise<readonly Scope[]>;
}

/** Signs in to accounts and checks their credentials. */
export interface SignIn extends AsyncDisposable {
  readonly accounts: readonly SignInAccount[];
  methodOf(account: SignInAccount): SignInMethod;
  /** Returns the name of the signed-in user, for example `@fanfare`. With a password, opens and stores a session. */
  check(
    account: SignInAccount,
    options: { readonly password?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<string>;
  begin(account: SignInAccount, redirectUri: string, signal?: AbortSignal): Promise<BrowserAttempt>;
}

export interface SigningInOptions {
  readonly accounts: readonly Account[];
  readonly tokensOf: (account: string) => AccountTokens;
  /** Returns the name of the signed-in user. */
  readonly whoIs: (account: SignInAccount, signal: AbortSignal | undefined) => Promise<string>;
  /** Called after a successful check. */
  readonly onSignedIn: (account: string) => Promise<void>;
  /** The browser sign-in of an account; undefined for other methods. */
  readonly browser: (account: SignInAccount) => BrowserSignIn | undefined;
}

/** The sign-in to the accounts of a configuration. */
export function createSignIn({ accounts, tokensOf, whoIs, onSignedIn, browser }: SigningInOptions): Omit<SignIn, keyof AsyncDisposable> {
  const known: readonly string[] = SIGN_IN_PLATFORMS;
  return {
    accounts: accounts.filter((one): one is SignInAccount => known.includes(one.platform)),
    methodOf,
    async check(account, { password, signal }) {
      const who = await whoIs(
        account.platform === 'bluesky' && password !== undefined ? { ...account, appPassword: password } : account,
        signal,
      );
      await onSignedIn(account.account);
      return who;
    },

    async begin(account, redirectUri, signal) {
      const browserSignIn = browser(account);
      if (!browserSignIn) throw new UserError(`${account.account} does not sign in with a browser.`);
      const attempt = await browserSignIn.begin(redirectUri, signal);
      return {
        url: attempt.url,
        state: attempt.state,
        scopes: browserSignIn.scopes,
        async finish(answer, finishSignal) {
          const { tokens, scopes } = await attempt.finish(answer, finishSignal);
          const stored = tokensOf(account.account);
          await stored.alone(() => stored.save(tokens), finishSignal);
          return ungranted(browserSignIn.scopes, scopes);
        },
      };
    },
  };
}

/** The browser sign-ins by platform. */
export interface BrowserSignIns {
  readonly x: (options: { readonly clientId: string; readonly clientSecret: string | undefined; readonly url: string }) => BrowserSignIn;
  readonly mastodon: (options: { readonly url: string }) => BrowserSignIn;
}

/** The browser sign-in of an account; undefined for other methods. */
export function browserSignInOf(account: Account, signIns: BrowserSignIns): BrowserSignIn | undefined {
  if (account.platform === 'mastodon') return account.token === undefined ? signIns.mastodon(account) : undefined;
  if (account.platform !== 'x' || account.clientId === undefined) return undefined;
  return signIns.x({ clientId: account.clientId, clientSecret: account.clientSecret, url: account.apiUrl });
}

/** The requested scopes that were not granted. */
export function ungranted(requested: readonly Scope[], granted: readonly string[]): readonly Scope[] {
  return requested.filter(({ name }) => !granted.some((one) => covers(one, name)));
}

/** `write` includes `write:statuses`. */
function covers(granted: string, requested: string): boolean {
  return granted === requested || requested.startsWith(`${granted}:`);
}

function methodOf(account: SignInAccount): SignInMethod {
  switch (account.platform) {
    case 'twitch':
    case 'kick':
      return 'credentials';
    case 'x':
      return account.clientId === undefined ? 'credentials' : 'browser';
    case 'bluesky':
      return account.appPassword === undefined ? 'password' : 'credentials';
    case 'mastodon':
      return account.token === undefined ? 'browser' : 'credentials';
  }
}
