import type { AccountActions, SignInMethod } from '#src/admin/actions/account-actions.ts';
import { definitionOf, DEFINITIONS, type Account, type AccountSetup } from '#src/config/accounts.ts';
import { beginInPage } from './page-sign-in.ts';
import { createChannelSignIn, type ChannelSignInParts, type SignInChannel } from './channel-sign-in.ts';
import { createAccountActions, methodOf, type AccountActionParts } from './account-actions.ts';

export type { Account, AccountSetup, SignInMethod };

/** Signs in to accounts and checks their credentials. */
export interface SignIn extends AccountActions, AsyncDisposable {
  readonly accounts: readonly Account[];
  /** The platforms whose accounts can be set up. */
  readonly platforms: readonly string[];
  /** The setup of the accounts of a platform; undefined if there is none. */
  setupOf(platform: string): AccountSetup | undefined;
  methodOf(account: Account): SignInMethod;
  readonly signInChannel: SignInChannel;
}

export interface SignInParts extends Omit<AccountActionParts, 'clock'>, ChannelSignInParts {
  /** Ends the sign-ins of a page that wait for a person; absent: the process ends with its last one. */
  readonly closing?: AbortSignal | undefined;
}

/** The sign-in to the accounts of a configuration. */
export function createSignIn(parts: SignInParts): Omit<SignIn, keyof AsyncDisposable> {
  const actions = createAccountActions(parts);
  const signInChannel = createChannelSignIn(parts);
  return {
    ...actions,
    signInAccount: (input, by, signal) =>
      input.channel === true ? beginInPage(input, by, { signInChannel, ...parts }) : actions.signInAccount(input, by, signal),
    signInChannel,
    accounts: parts.accounts.filter((one) => definitionOf(one).setup),
    platforms: DEFINITIONS.filter(({ setup }) => setup).map(({ platform }) => platform),
    setupOf: (platform) => DEFINITIONS.find((one) => one.platform === platform)?.setup,
    methodOf,
  };
}
