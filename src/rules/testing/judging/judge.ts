import type { JsonObject } from '#src/operation/json.ts';
import { differences, type Difference } from './differences.ts';
import { pairUp } from './pair-up.ts';
import type { Expectation } from '../rule-tests.ts';

/** One step that was sent through one account. */
export interface Sent {
  /** After the start. */
  readonly atMs: number;
  readonly do: string;
  readonly account: string;
  readonly params: JsonObject;
  /** The same for all accounts of one step. */
  readonly step: string;
  /** Whether it only asked something: it may be expected, and need not. */
  readonly reads: boolean;
}

/** Where a case and the rule do not agree. */
export type Mismatch =
  | { readonly kind: 'missing'; readonly expected: Expectation }
  | { readonly kind: 'unexpected'; readonly sent: Sent }
  | { readonly kind: 'different'; readonly expected: Expectation; readonly sent: Sent; readonly differences: readonly Difference[] };

/** Everything that was expected and not sent, or sent and not expected, or sent with other parameters. */
export function judge(expectations: readonly Expectation[], sent: readonly Sent[]): readonly Mismatch[] {
  const byAccount = expectations.flatMap(({ as, ...one }) => as.map((account): Expectation => ({ ...one, as: [account] })));
  const named = pairUp(byAccount, sent, (expected, one) => isAbout(expected, one) && differences(expected.with, one.params).length === 0);

  // An expectation that names no account stands for the whole step.
  const steps = [...Map.groupBy(named.restRight, ({ step }) => step).values()];
  const whole = pairUp(
    expectations.filter(({ as }) => as.length === 0),
    steps,
    (expected, step) => step.every((one) => isAbout(expected, one) && differences(expected.with, one.params).length === 0),
  );
  return explain([...named.restLeft, ...whole.restLeft], whole.restRight.flat());
}

function isAbout(expected: Expectation, { atMs, do: verb, account }: Sent): boolean {
  return expected.atMs === atMs && expected.do === verb && (expected.as.length === 0 || expected.as.includes(account));
}

/** What is left over on both sides and is about the same differs; the rest is missing or unexpected. */
function explain(expectations: readonly Expectation[], sent: readonly Sent[]): readonly Mismatch[] {
  const rest = new Set(sent);
  const mismatches = expectations.flatMap((expected): readonly Mismatch[] => {
    const about = [...rest].filter((one) => isAbout(expected, one)).map((one): Different => differing(expected, one));
    const [nearest] = [...Map.groupBy(about, (one) => one.sent.step).values()].toSorted((a, b) => countOf(a) - countOf(b));
    for (const one of nearest ?? []) rest.delete(one.sent);
    return nearest?.filter((one) => one.differences.length > 0) ?? [{ kind: 'missing', expected }];
  });
  const unexpected = [...rest].filter(({ reads }) => !reads);
  return [...mismatches, ...unexpected.map((one): Mismatch => ({ kind: 'unexpected', sent: one }))];
}

type Different = Mismatch & { readonly kind: 'different' };

function differing(expected: Expectation, sent: Sent): Different {
  return { kind: 'different', expected, sent, differences: differences(expected.with, sent.params) };
}

function countOf(step: readonly Different[]): number {
  return step.reduce((count, one) => count + one.differences.length, 0);
}
