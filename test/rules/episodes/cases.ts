import { expect, test } from 'vitest';
import { cardRule, MINUTE, type RuleOptions } from './fixture.ts';
import { firings, type PollLine } from './play.ts';

/** A sentence of the contract, and what it comes to. */
export interface Case {
  readonly promise: string;
  readonly rule?: RuleOptions;
  readonly polls: readonly PollLine[];
  /** The firings, in order. */
  readonly says: readonly string[];
}

/** Tests each sentence by itself. */
export function sayAll(cases: readonly Case[], build = cardRule): void {
  test.for(cases)('$promise', ({ rule, polls, says }) => {
    const said = firings(build(rule), polls);

    expect(said).toEqual(says);
  });
}

export const settle2m: RuleOptions = { watched: { settleMs: 2 * MINUTE } };
export const grace5m: RuleOptions = { watched: { graceMs: 5 * MINUTE } };
/** One poll is enough to tell that something is gone. */
export const goneAtOnce: RuleOptions = { watched: { confirm: { new: 1, gone: 1 } } };
/** {@link goneAtOnce}, without a word in between. */
export const thenAndFinally: RuleOptions = { while: [], ...goneAtOnce };
