import { clientFor, definitionOf, type Platform } from '#src/config/accounts.ts';
import { isAboutAccount, type Outage } from '#src/engine/outages.ts';
import type { Fault } from '#src/errors.ts';
import type { AccountView, DiscordStatus } from './records.ts';

interface ConfiguredAccount {
  readonly account: string;
  readonly platform: Platform;
}

/** The failure of the last use of an account. */
export interface AccountProblem {
  readonly problem: string;
  readonly fault: Fault;
}

/** The results of the last uses of accounts. */
export interface AccountHealth {
  /** Calls `use` and records its result for the account. */
  readonly watch: <T>(account: string, use: () => Promise<T>) => Promise<T>;
  /** The failure of the last use; undefined if the last use succeeded. */
  problemOf(account: string): AccountProblem | undefined;
  /** Replaces what all processes know of the uses by rules and deliveries. Until the first call, only those of this process count. */
  share(outages: readonly Outage[]): void;
}

/** Health records without any use yet. `onChange` runs when an account fails or recovers. */
export function createAccountHealth(onChange: () => void): AccountHealth {
  const problems = new Map<string, AccountProblem>();
  let shared: ReadonlyMap<string, AccountProblem> = new Map();

  function record(account: string, problem: AccountProblem | undefined): void {
    if (problems.get(account)?.problem === problem?.problem) return;
    if (problem) problems.set(account, problem);
    else problems.delete(account);
    onChange();
  }

  return {
    async watch(account, use) {
      try {
        const result = await use();
        record(account, undefined);
        return result;
      } catch (error) {
        if (isAboutAccount(error)) record(account, { problem: withoutName(error.message, account), fault: error.fault });
        throw error;
      }
    },
    problemOf: (account) => problems.get(account) ?? shared.get(account),
    share(outages) {
      const before = JSON.stringify([...shared]);
      shared = new Map(outages.map(({ account, problem, fault }) => [account, { problem: withoutName(problem, account), fault }]));
      if (JSON.stringify([...shared]) !== before) onChange();
    },
  };
}

/** A message of a platform without the leading name of the account, for views that show the name themselves. */
export function withoutName(message: string, name: string): string {
  return message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
}

export interface AccountViewsOptions {
  readonly accounts: readonly ConfiguredAccount[];
  /** Whether the sandbox provides all accounts. */
  readonly isSandbox: boolean;
  readonly discord: DiscordStatus;
  readonly health: Pick<AccountHealth, 'problemOf'>;
}

/** The configured accounts with their state. */
export function accountViews({ accounts, isSandbox, discord, health }: AccountViewsOptions): readonly AccountView[] {
  return accounts.map(({ account: name, platform }): AccountView => {
    const failure = health.problemOf(name);
    const client = clientFor({ platform });
    const role: AccountView['role'] = client === 'discord' ? 'chat' : client;
    const view = {
      name,
      platform: definitionOf({ platform }).adapter ?? platform,
      role,
      sandbox: isSandbox || platform === 'sandbox',
    };
    if (platform !== 'discord' || discord.state === 'absent') return { ...view, state: failure ? 'failed' : 'connected', ...failure };
    const state = discord.state === 'restoring' ? 'connecting' : discord.state;
    // The problem of the connection can be about another server. All processes know a failure.
    return { ...view, state: failure ? 'failed' : state, ...(failure ?? (discord.problem !== undefined && { problem: discord.problem })) };
  });
}
