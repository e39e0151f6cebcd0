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
  /** The same for all deliveries of one step. */
  readonly step: string;
  /** The same for all accounts: of a step that is done for a list which of them, of a thread which post. */
  readonly part: string;
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
  const expectedAt = Map.groupBy(expectations, ({ atMs }) => atMs);
  const sentAt = Map.groupBy(sent, ({ atMs }) => atMs);
  const instants = new Set([...expectedAt.keys(), ...sentAt.keys()]);
  const rest = [...instants].map((atMs) => leftOver(expectedAt.get(atMs) ?? [], sentAt.get(atMs) ?? []));
  return explain(
    rest.flatMap(({ expected }) => expected),
    rest.flatMap((one) => one.sent),
  );
}

/** What does not agree of one instant. */
function leftOver(
  expectations: readonly Expectation[],
  sent: readonly Sent[],
): { readonly expected: readonly Expectation[]; readonly sent: readonly Sent[] } {
  const byAccount = expectations.flatMap(({ as, ...one }) => as.map((account): Expectation => ({ ...one, as: [account] })));
  const named = pairUp(byAccount, sent, isMet);

  // An expectation that names no account stands for all of them, and for all that its step becomes which looks like it.
  const broad = expectations.filter(({ as }) => as.length === 0);
  const parts = [...Map.groupBy(named.restRight, partOf).values()];
  const fits = (expected: Expectation, part: readonly Sent[]): boolean => part.every((one) => isMet(expected, one));
  const whole = pairUp(broad, parts, fits);
  const found = parts.filter((part) => !whole.restRight.includes(part));
  const isOfMet = (part: readonly Sent[]): boolean =>
    found.some(([one]) => one?.step === part[0]?.step && broad.some((expected) => one && isMet(expected, one) && fits(expected, part)));
  return { expected: [...named.restLeft, ...whole.restLeft], sent: whole.restRight.filter((part) => !isOfMet(part)).flat() };
}

function isMet(expected: Expectation, one: Sent): boolean {
  return isAbout(expected, one) && differences(expected.with, one.params).length === 0;
}

function partOf({ step, part }: Sent): string {
  return `${step} ${part}`;
}

function isAbout(expected: Expectation, { atMs, do: verb, account }: Sent): boolean {
  return expected.atMs === atMs && expected.do === verb && (expected.as.length === 0 || expected.as.includes(account));
}

/** What is left over on both sides and is about the same differs; the rest is missing or unexpected. */
function explain(expectations: readonly Expectation[], sent: readonly Sent[]): readonly Mismatch[] {
  const rest = new Set(sent);
  const mismatches = expectations.flatMap((expected): readonly Mismatch[] => {
    const about = [...rest].filter((one) => isAbout(expected, one)).map((one): Different => differing(expected, one));
    const [nearest] = [...Map.groupBy(about, (one) => partOf(one.sent)).values()].toSorted((a, b) => countOf(a) - countOf(b));
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
