import type { Scope } from '#src/http/secrets/sign-in.ts';
import type { PlatformError } from '#src/errors.ts';
import type { Act } from './audited.ts';

/** How an account signs in: with `credentials` of the configuration, with a typed `password`, or in a `browser`. */
export type SignInMethod = 'credentials' | 'password' | 'browser';

/** An account that can sign in. */
export interface SignInAccount {
  readonly account: string;
  readonly platform: string;
  readonly method: SignInMethod;
  /** Whether it can also sign in to a channel. */
  readonly channel?: boolean | undefined;
}

/** A sign-in to a channel, whose code a person enters on a page of the platform. */
export interface CodeSignIn {
  readonly url: string;
  readonly code: string;
  readonly expiresAt: Date;
  readonly scopes: readonly Scope[];
}

/** A sign-in to a channel that a page began. */
export interface ChannelSignIn extends CodeSignIn {
  readonly state: 'waiting' | 'expired' | 'done' | 'failed';
  /** The channel that is signed in. */
  readonly who?: string | undefined;
  /** The requested scopes that were not granted. */
  readonly missing?: readonly Scope[] | undefined;
  readonly problem?: string | undefined;
}

/** Who is signed in, or the page on which a person confirms the sign-in. */
export type SignInResult =
  | { readonly who: string }
  | CodeSignIn
  | { readonly url: string; readonly redirectUri: string; readonly scopes: readonly Scope[] };

export interface ConfirmedSignIn {
  /** Who is signed in; absent if the tokens are stored, but could not be tried. */
  readonly who?: string | undefined;
  readonly failure?: PlatformError | undefined;
  /** The requested scopes that were not granted. */
  readonly missing: readonly Scope[];
}

/** The actions on the sign-in of accounts. They throw a `Refused` with the reason, or the error of the platform. */
export interface AccountActions {
  /** Checks credentials, signs in with a password, or begins a sign-in in a browser. */
  readonly signInAccount: Act<'signInAccount', SignInResult>;
  /** Finishes a sign-in in a browser. Any process can finish it. */
  readonly confirmAccount: Act<'confirmAccount', ConfirmedSignIn>;
  /** Deletes the stored tokens of an account. */
  readonly signOutAccount: Act<'signOutAccount', SignInAccount>;
}
