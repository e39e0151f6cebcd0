import { PlatformError, type Fault } from '#src/errors.ts';
import { withoutName } from './without-name.ts';

/** What is wrong with an account. */
interface AccountTrouble {
  readonly problem: string;
  readonly fault: Fault;
}

/** How it went when an account was used last. */
export interface AccountHealth {
  /** Does something through an account, and keeps how it went. */
  watch<T>(account: string, use: () => Promise<T>): Promise<T>;
  /** What was wrong the last time; undefined: nothing. */
  troubleOf(account: string): AccountTrouble | undefined;
}

/** The health of accounts that were not used yet; `onChange` is told when one falls ill or recovers. */
export function createAccountHealth(onChange: () => void): AccountHealth {
  const troubles = new Map<string, AccountTrouble>();

  function note(account: string, trouble: AccountTrouble | undefined): void {
    if (troubles.get(account)?.problem === trouble?.problem) return;
    if (trouble) troubles.set(account, trouble);
    else troubles.delete(account);
    onChange();
  }

  return {
    async watch(account, use) {
      try {
        const answer = await use();
        note(account, undefined);
        return answer;
      } catch (error) {
        if (isAboutAccount(error)) note(account, { problem: withoutName(error.message, account), fault: error.fault });
        throw error;
      }
    },
    troubleOf: (account) => troubles.get(account),
  };
}

/** Whether a failure says something of the account or its platform, and not only of what was asked. */
function isAboutAccount(error: unknown): error is PlatformError {
  return error instanceof PlatformError && !['missing', 'rejected', 'duplicate'].includes(error.fault);
}
