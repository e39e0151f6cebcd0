import { PlatformError, type Fault } from '#src/errors.ts';
import type { Prompter } from './prompter.ts';
import type { Terminal } from './terminal.ts';

/** Faults after which the credentials may still be valid. */
const NO_ANSWER: ReadonlySet<Fault> = new Set<Fault>(['unreachable', 'unanswered', 'unavailable', 'rateLimited', 'quotaExhausted']);

/** Whether an attempt failed without an answer about the credentials. */
export function isUnanswered(error: unknown): error is PlatformError {
  return error instanceof PlatformError && NO_ANSWER.has(error.fault);
}

interface UntilAnsweredOptions {
  readonly prompter: Prompter;
  readonly out: Terminal;
}

/** Tries typed credentials. While the platform does not answer, it offers to try them again, because some secrets are shown only once. */
export async function untilAnswered<T>(tryThem: () => Promise<T>, { prompter, out }: UntilAnsweredOptions): Promise<T> {
  for (;;) {
    try {
      return await tryThem();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      out.print(out.paint('yellow', `  ${error.message}`));
      const text = 'Nothing is stored yet. To try again with the same answers, press Enter. To give up, write stop';
      const answer = await prompter.ask({ text, read: (typed) => ({ value: typed }) }).catch(() => 'stop');
      if (answer !== '') throw error;
    }
  }
}
