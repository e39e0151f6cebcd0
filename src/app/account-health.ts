import { PlatformError } from '#src/errors.ts';

/** How it went when an account was used last. */
export interface AccountHealth {
  /** Does something through an account, and keeps how it went. */
  watch<T>(account: string, use: () => Promise<T>): Promise<T>;
  /** What was wrong the last time; undefined: nothing. */
  problemOf(account: string): string | undefined;
}

/** The health of accounts that were not used yet; `onChange` is told when one falls ill or recovers. */
export function createAccountHealth(onChange: () => void): AccountHealth {
  const problems = new Map<string, string>();

  function note(account: string, problem: string | undefined): void {
    if (problems.get(account) === problem) return;
    if (problem === undefined) problems.delete(account);
    else problems.set(account, problem);
    onChange();
  }

  return {
    async watch(account, use) {
      try {
        const answer = await use();
        note(account, undefined);
        return answer;
      } catch (error) {
        if (isAboutAccount(error)) note(account, error.message);
        throw error;
      }
    },
    problemOf: (account) => problems.get(account),
  };
}

/** Whether a failure says something of the account or its platform, and not only of what was asked. */
function isAboutAccount(error: unknown): error is PlatformError {
  return error instanceof PlatformError && !['missing', 'rejected', 'duplicate'].includes(error.fault);
}
