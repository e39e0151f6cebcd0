import type { Decision } from '../decision.ts';
import type { Undone } from './delivering/outcome.ts';

/** All words with which it is said how a case went. */
export interface CaseWords {
  readonly missing: string;
  readonly unexpected: string;
  readonly different: string;
  /** Before both sides of a difference. */
  readonly expected: string;
  readonly sent: string;
  /** A value that is not there. */
  readonly nothing: string;
  /** What the rule decided at each instant follows. */
  readonly says: string;
  readonly line: (line: number) => string;
  readonly more: (count: number) => string;
  readonly as: (accounts: string) => string;
  readonly doneAt: (times: string) => string;
  readonly decided: (decision: Pick<Decision, 'outcome' | 'reason' | 'why'>) => string;
  readonly undone: (undone: Pick<Undone, 'planned' | 'reason' | 'why'>) => string;
}

/** English. */
export const ENGLISH: CaseWords = {
  missing: 'missing',
  unexpected: 'unexpected',
  different: 'different',
  expected: 'expected',
  sent: 'sent',
  nothing: 'nothing',
  says: 'what the rule says:',
  line: (line) => `line ${line}`,
  more: (count) => `and ${count} more`,
  as: (accounts) => `as ${accounts}`,
  doneAt: (times) => `it was done at ${times}`,
  decided: ({ outcome, reason }) => `${outcome}: ${reason}`,
  undone: ({ planned: { step, account }, reason }) => `${step.do} as ${account} not done: ${reason}`,
};
