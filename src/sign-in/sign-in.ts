import { UserError } from '#src/errors.ts';
import type { Account } from '#src/config/accounts.ts';
import type { AccountTokens } from '#src/secrets/account-tokens.ts';
import type { BrowserSignIn, Scope, SentBack } from '#src/secrets/sign-in.ts';
import { SIGN_IN_PLATFORMS, type SignInPlatform } from './needs.ts';

export type SignInAccount = Extract<Account, { readonly platform: SignInPlatform }>;

/**
 * How an account is opened: `credentials` are all in the configuration; `password`: somebody types one; `browser`: somebody says yes there.
 */
export type Way = 'credentials' | 'password' | 'browser';

/** A sign-in in the browser, under way. */
interface BrowserAttempt {
  readonly url: string;
  /** The state that the answer must contain. */
  readonly state: string;
  readonly scopes: readonly Scope[];
  /** Keeps the tokens; gives the rights that were asked for and not granted. */
  finish(answer: SentBack, signal?: AbortSignal): Promise<readonly Scope[]>;
}

/** Signs accounts in, and asks platforms whether they are. */
export interface SignIn extends AsyncDisposable {
  readonly accounts: readonly SignInAccount[];
  wayOf(account: SignInAccount): Way;
  /** As whom the platform knows the account, as `@fanfare`; rejects with what is wrong. A password is used to open a session that is kept. */
  check(
    account: SignInAccount,
    options: { readonly password?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<string>;
  begin(account: SignInAccount, redirectUri: string, signal?: AbortSignal): Promise<BrowserAttempt>;
}

export interface SigningInOptions {
  readonly accounts: readonly Account[];
  readonly tokensOf: (account: string) => AccountTokens;
  /** As whom the platform knows the account. */
  readonly whoIs: (account: SignInAccount, signal: AbortSignal | undefined) => Promise<string>;
  /** Told of an account that is signed in now. */
  readonly onSignedIn: (account: string) => Promise<void>;
  /** Of platforms whose accounts sign in in a browser. */
  readonly browser: (account: SignInAccount) => BrowserSignIn | undefined;
}

/** The signing in of the accounts of a configuration. */
export function createSignIn({ accounts, tokensOf, whoIs, onSignedIn, browser }: SigningInOptions): Omit<SignIn, keyof AsyncDisposable> {
  const known: readonly string[] = SIGN_IN_PLATFORMS;
  return {
    accounts: accounts.filter((one): one is SignInAccount => known.includes(one.platform)),
    wayOf,
    async check(account, { password, signal }) {
      const who = await whoIs(
        account.platform === 'bluesky' && password !== undefined ? { ...account, appPassword: password } : account,
        signal,
      );
      await onSignedIn(account.account);
      return who;
    },

    async begin(account, redirectUri, signal) {
      const way = browser(account);
      if (!way) throw new UserError(`${account.account} is not signed in in a browser.`);
      const turn = await way.begin(redirectUri, signal);
      return {
        url: turn.url,
        state: turn.state,
        scopes: way.scopes,
        async finish(answer, finishSignal) {
          const { tokens, scopes } = await turn.finish(answer, finishSignal);
          const kept = tokensOf(account.account);
          await kept.alone(() => kept.save(tokens), finishSignal);
          return ungranted(way.scopes, scopes);
        },
      };
    },
  };
}

/** The sign-ins of platforms where that is done in a browser. */
export interface BrowserSignIns {
  readonly x: (options: { readonly clientId: string; readonly clientSecret: string | undefined; readonly url: string }) => BrowserSignIn;
  readonly mastodon: (options: { readonly url: string }) => BrowserSignIn;
}

/** How an account signs in in a browser; undefined: it is opened in another way. */
export function browserSignInOf(account: Account, signIns: BrowserSignIns): BrowserSignIn | undefined {
  if (account.platform === 'mastodon') return account.token === undefined ? signIns.mastodon(account) : undefined;
  if (account.platform !== 'x' || account.clientId === undefined) return undefined;
  return signIns.x({ clientId: account.clientId, clientSecret: account.clientSecret, url: account.apiUrl });
}

/** The rights that were asked for and are not among those that were given. */
export function ungranted(wanted: readonly Scope[], given: readonly string[]): readonly Scope[] {
  return wanted.filter(({ name }) => !given.some((one) => covers(one, name)));
}

/** `write` is all of `write:statuses`. */
function covers(given: string, wanted: string): boolean {
  return given === wanted || wanted.startsWith(`${given}:`);
}

function wayOf(account: SignInAccount): Way {
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
