import { z } from 'zod';
import type { AccountActions, ConfirmedSignIn, SignInAccount, SignInMethod, SignInResult } from '#src/admin/actions/account-actions.ts';
import type { AuditLog } from '#src/admin/actions/audit-log.ts';
import { audited, type Performed } from '#src/admin/actions/audited.ts';
import type { Clock } from '#src/clock.ts';
import { definitionOf, type Account } from '#src/config/accounts.ts';
import { PlatformError, Refused } from '#src/errors.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import type { BrowserSignIn, Scope } from '#src/http/secrets/sign-in.ts';
import { redirectUriOf } from './callback.ts';
import { readSentBack } from './redirect-parameters.ts';

/** How long a person may take in the browser. */
const OPEN_MS = 10 * 60_000;

/** The stored form of a sign-in that a person confirms in a browser. */
const Pending = z.object({ state: z.string(), kept: z.unknown(), expiresMs: z.number() });

export interface AccountActionParts {
  readonly accounts: readonly Account[];
  /** The sealed tokens of an account, and those of a sign-in that waits, under another name. */
  readonly tokensOf: (name: string) => AccountTokens;
  /** Returns the name of the signed-in user. */
  readonly whoIs: (account: Account, signal: AbortSignal | undefined) => Promise<string>;
  /** Called after a successful check. */
  readonly onSignedIn: (account: string) => Promise<void>;
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The actions on the accounts of a configuration. */
export function createAccountActions({ accounts, tokensOf, whoIs, onSignedIn, auditLog, clock }: AccountActionParts): AccountActions {
  function find(name: string): Account {
    const found = accounts.find(({ account }) => account === name);
    if (found) return found;
    throw new Refused('accountNotFound', `There is no account ${name}. Add its variables, or write it into fanfare.yaml.`);
  }

  const pendingOf = (account: string): AccountTokens => tokensOf(`${account}/sign-in`);

  async function check(account: Account, signal: AbortSignal | undefined): Promise<string> {
    const who = await whoIs(account, signal);
    await onSignedIn(account.account);
    return who;
  }

  return {
    signInAccount: audited(
      'signInAccount',
      auditLog,
      async ({ account: name, password, port }, _, signal): Promise<Performed<SignInResult>> => {
        const account = find(name);
        const method = definitionOf(account).signIn?.(account);
        if (method?.kind !== 'browser') {
          const isTyped = method?.kind === 'password' && password !== undefined;
          const who = await check(isTyped ? { ...account, ...method.keysFor(password) } : account, signal);
          return { result: { who }, outcome: 'done', after: { who } };
        }
        const browserSignIn = await method.open();
        const redirectUri = redirectUriOf(port);
        const { url, state, kept } = await browserSignIn.begin(redirectUri, signal);
        await pendingOf(name).save({ state, kept, expiresMs: clock.nowMs() + OPEN_MS });
        return { result: { url, redirectUri, scopes: browserSignIn.scopes }, outcome: 'done', after: { waitsFor: 'browser' } };
      },
    ),

    confirmAccount: audited(
      'confirmAccount',
      auditLog,
      async ({ account: name, address }, _, signal): Promise<Performed<ConfirmedSignIn>> => {
        const account = find(name);
        const browserSignIn = await browserSignInOf(account);
        const pending = pendingOf(name);
        const { answer, kept } = await pending.alone(async () => {
          const { data } = Pending.safeParse(await pending.load());
          if (!browserSignIn || !data || data.expiresMs <= clock.nowMs())
            throw new Refused('noSignIn', `${name} waits for no browser. Begin to sign in again.`);
          const sentBack = readSentBack(address, data.state);
          // A code is valid once, so of two answers one is used.
          await pending.drop();
          return { answer: { ...sentBack, browserSignIn }, kept: data.kept };
        }, signal);
        const { tokens, scopes } = await answer.browserSignIn.finish(answer, kept, signal);
        const stored = tokensOf(name);
        await stored.alone(() => stored.save(tokens), signal);
        const missing = ungranted(answer.browserSignIn.scopes, scopes);
        try {
          const who = await check(account, signal);
          return { result: { who, missing }, outcome: 'done', after: { who } };
        } catch (failure) {
          if (!(failure instanceof PlatformError)) throw failure;
          return { result: { failure, missing }, outcome: 'done', after: { error: failure.message } };
        }
      },
    ),

    signOutAccount: audited('signOutAccount', auditLog, async ({ account: name }, _, signal): Promise<Performed<SignInAccount>> => {
      const account = find(name);
      const result = describe(account);
      if (result.method === 'credentials' && !definitionOf(account).channelSignIn)
        throw new Refused('hasCredentials', `${name} signs in with credentials of the configuration. Remove them there.`);
      const stored = tokensOf(name);
      await pendingOf(name).drop();
      return stored.alone(async () => {
        const isSignedIn = (await stored.drop()) > 0;
        return {
          result,
          outcome: isSignedIn ? 'done' : 'unchanged',
          ...(isSignedIn && { before: { signedIn: true }, after: { signedIn: false } }),
        };
      }, signal);
    }),
  };
}

/** An account, as front ends show it. */
export function describe(account: Account): SignInAccount {
  const hasChannel = definitionOf(account).channelSignIn !== undefined;
  return { account: account.account, platform: account.platform, method: methodOf(account), ...(hasChannel && { channel: true }) };
}

/** How an account signs in. */
export function methodOf(account: Account): SignInMethod {
  return definitionOf(account).signIn?.(account)?.kind ?? 'credentials';
}

/** The browser sign-in of an account; undefined for other methods. */
export async function browserSignInOf(account: Account): Promise<BrowserSignIn | undefined> {
  const method = definitionOf(account).signIn?.(account);
  return method?.kind === 'browser' ? method.open() : undefined;
}

/** The requested scopes that were not granted. */
export function ungranted(requested: readonly Scope[], granted: readonly string[]): readonly Scope[] {
  return requested.filter(({ name }) => !granted.some((one) => covers(one, name)));
}

/** `write` includes `write:statuses`. */
function covers(granted: string, requested: string): boolean {
  return granted === requested || requested.startsWith(`${granted}:`);
}
