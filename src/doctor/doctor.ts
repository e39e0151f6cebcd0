import { addressOf, type Account } from '#src/config/accounts.ts';
import type { Clock } from '#src/clock.ts';
import type { Scope } from '#src/secrets/sign-in.ts';
import { bad, type CheckResult } from './check-result.ts';
import { examineMachine, type MachineOptions } from './machine.ts';
import { examineClock, examineStoredClock, type StoredClockOptions } from './wall-clock.ts';

/** Looks at everything that has to be right before rules can run, one thing after the other. */
export interface Doctor extends AsyncDisposable {
  examine(signal: AbortSignal): AsyncIterable<CheckResult>;
}

export interface DoctorOptions {
  readonly machine: MachineOptions;
  readonly accounts: readonly Account[];
  /** Whether the sandbox plays: then there are no accounts to look at. */
  readonly isPlayed: boolean;
  /** As whom a platform knows the account, or what it gave; rejects with what is wrong. */
  readonly whoIs: (account: Account, signal: AbortSignal) => Promise<string>;
  /** What an account was asked for and did not grant. */
  readonly missingScopes: (account: Account) => Promise<readonly Scope[]>;
  /** What is spent of the budgets of an account, and what is left. */
  readonly budgetsOf?: ((account: Account) => Promise<readonly CheckResult[]>) | undefined;
  /** How many rules can run, how many mistakes keep others from it, and what the bot may not do in channels that they name. */
  readonly rules: (
    signal: AbortSignal,
  ) => Promise<{ readonly count: number; readonly mistakes: number; readonly channels: readonly string[] }>;
  readonly storedClock: StoredClockOptions['storedClock'];
  readonly clock: Clock;
}

/** The doctor of an installation. */
export function createDoctor(options: DoctorOptions): Omit<Doctor, keyof AsyncDisposable> {
  const { machine, accounts, isPlayed, storedClock, clock } = options;
  return {
    async *examine(signal) {
      let isDiscordKnown = true;
      yield* await examineMachine(machine);
      yield* await examineStoredClock({ storedClock, clock });
      if (isPlayed) {
        const remedy = 'connect one: npx fanfare auth twitch';
        yield { about: 'accounts', state: 'warning', what: 'there are none: the sandbox plays all platforms', remedy };
      } else {
        yield* await examineClock(accounts.map(addressOf), { clock, signal });
        for (const account of accounts) {
          const isKnown = yield* examineAccount(account, options, signal);
          if (account.platform === 'discord') isDiscordKnown &&= isKnown;
        }
      }
      yield* await examineRules(options, { isDiscordKnown, signal });
    },
  };
}

/** Ends with whether the platform knows the account. */
async function* examineAccount(
  account: Account,
  { whoIs, missingScopes, budgetsOf }: DoctorOptions,
  signal: AbortSignal,
): AsyncGenerator<CheckResult, boolean> {
  const about = account.account;
  try {
    yield { about, state: 'good', what: await whoIs(account, signal) };
    for (const { name, why } of await missingScopes(account)) {
      const remedy = `sign in again, and allow it: npx fanfare auth ${about}`;
      yield { about, state: 'warning', what: `${name} was not granted: ${why}`, remedy };
    }
    if (budgetsOf) yield* await budgetsOf(account);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    yield bad(about, error);
    return false;
  }
}

async function examineRules(
  { rules }: DoctorOptions,
  { isDiscordKnown, signal }: { readonly isDiscordKnown: boolean; readonly signal: AbortSignal },
): Promise<readonly CheckResult[]> {
  try {
    const { channels, ...rest } = await rules(signal);
    // Where the account itself is wrong, what is said of its channels would send somebody the wrong way.
    return toFindings({ ...rest, channels: isDiscordKnown ? channels : [] });
  } catch (error) {
    signal.throwIfAborted();
    return [bad('rules', error)];
  }
}

function toFindings({ count, mistakes, channels }: Awaited<ReturnType<DoctorOptions['rules']>>): readonly CheckResult[] {
  const summary: CheckResult =
    mistakes > 0
      ? { about: 'rules', state: 'bad', what: `${mistakes} mistakes keep rules from running`, remedy: 'npx fanfare check shows them' }
      : { about: 'rules', state: 'good', what: count === 1 ? 'one can run' : `${count} can run` };
  const remedy = 'give the bot that permission in the channel, in Discord';
  return [summary, ...new Set(channels)].map((one) =>
    typeof one === 'string' ? { about: 'channels', state: 'warning', what: one, remedy } : one,
  );
}
