import { expect, test } from 'vitest';
import { cardRule, MINUTE, type RuleOptions } from './fixture.ts';
import { firings, type PollLine } from './run-polls.ts';

/** A promise of the contract with an example. */
export interface Case {
  readonly promise: string;
  readonly rule?: RuleOptions;
  readonly polls: readonly PollLine[];
  /** The firings, in order. */
  readonly fires: readonly string[];
}

/** Tests each promise. */
export function testCases(cases: readonly Case[], build = cardRule): void {
  test.for(cases)('$promise', ({ rule, polls, fires }) => {
    const fired = firings(build(rule), polls);

    expect(fired).toEqual(fires);
  });
}

export const settle2m: RuleOptions = { watched: { settleMs: 2 * MINUTE } };
export const grace5m: RuleOptions = { watched: { graceMs: 5 * MINUTE } };
/** One poll without an item closes its episode. */
export const goneAtOnce: RuleOptions = { watched: { confirm: { new: 1, gone: 1 } } };
/** {@link goneAtOnce} without `while`. */
export const thenAndFinally: RuleOptions = { while: [], ...goneAtOnce };
