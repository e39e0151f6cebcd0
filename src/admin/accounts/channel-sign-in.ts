import type { ActionInput } from '#src/admin/actions/declarations.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import { audited } from '#src/admin/actions/audited.ts';
import type { Clock } from '#src/clock.ts';
import { definitionOf, type Account } from '#src/config/accounts.ts';
import { Refused } from '#src/errors.ts';
import type { OpenDeviceSignIn, Scope } from '#src/http/secrets/sign-in.ts';
import { ungranted, type AccountActionParts } from './account-actions.ts';

/** A page on which a person allows the access, with the code for it. */
export interface DevicePrompt extends Pick<OpenDeviceSignIn, 'url' | 'code' | 'expiresAt'> {
  readonly scopes: readonly Scope[];
}

interface SignedInChannel {
  readonly who: string;
  /** The requested scopes that were not granted. */
  readonly missing: readonly Scope[];
}

interface ChannelSignInInput extends Pick<ActionInput<'signInAccount'>, 'account'> {
  readonly show: (prompt: DevicePrompt) => void;
  /** Asked after the person entered the code: false if the account was signed out in the meantime. Absent: the sign-in is wanted. */
  readonly isWanted?: (() => Promise<boolean>) | undefined;
}

/** Signs in to the channel of an account, and waits for the person. */
export type SignInChannel = (input: ChannelSignInInput, by: Actor, signal?: AbortSignal) => Promise<SignedInChannel>;

export interface ChannelSignInParts extends Omit<AccountActionParts, 'whoIs' | 'clock'> {
  /** The operations that rules call through an account. They decide about the permissions. */
  readonly operationsOf: (account: string) => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
}

export function createChannelSignIn({ accounts, tokensOf, onSignedIn, operationsOf, auditLog, clock }: ChannelSignInParts): SignInChannel {
  async function openDevice(account: Account) {
    const definition = definitionOf(account);
    return definition.channelSignIn && definition.channelSignIn(account, { clock, operations: await operationsOf(account.account) });
  }

  return async ({ account: name, show, isWanted }, by, signal) => {
    const signIn = audited('signInAccount', auditLog, async (_input, _by, stopping) => {
      const account = accounts.find((one) => one.account === name);
      const device = account && (await openDevice(account));
      if (!device) throw new Refused('accountNotFound', `${name} has no channel to sign in to. Use an account of Twitch.`);
      const { url, code, expiresAt, finish } = await device.begin(stopping);
      show({ url, code, expiresAt, scopes: device.scopes });
      const { tokens, scopes, who } = await finish(stopping);
      const stored = tokensOf(name);
      await stored.alone(async () => {
        if ((await isWanted?.()) === false)
          throw new Refused('noSignIn', `${name} was signed out in the meantime. Begin to sign in again.`);
        await stored.save(tokens);
      }, stopping);
      await onSignedIn(name);
      return { result: { who, missing: ungranted(device.scopes, scopes) }, outcome: 'done' as const, after: { who } };
    });
    return signIn({ account: name, port: 0 }, by, signal);
  };
}
