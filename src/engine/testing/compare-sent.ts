import type { JsonObject } from '#src/clients/operation/json.ts';
import { differences, type Difference } from './differences.ts';
import type { Expectation } from './rule-tests.ts';

/** A delivery of a step. */
export interface Sent {
  /** Since the start of the case. */
  readonly atMs: number;
  readonly do: string;
  readonly account: string;
  readonly params: JsonObject;
  /** Equal for all deliveries of a step. */
  readonly step: string;
  /** Equal for all accounts: the element of `forEach` and the part of a thread. */
  readonly part: string;
  /** Whether the step only reads. A test may expect it, but need not. */
  readonly reads: boolean;
}

/** A difference between a case and the rule. */
export type Mismatch =
  | { readonly kind: 'missing'; readonly expected: Expectation }
  | { readonly kind: 'unexpected'; readonly sent: Sent }
  | { readonly kind: 'different'; readonly expected: Expectation; readonly sent: Sent; readonly differences: readonly Difference[] };

/** Compares expectations with deliveries. Returns missing, unexpected and different ones. */
export function compareSent(expectations: readonly Expectation[], sent: readonly Sent[]): readonly Mismatch[] {
  const expectedAt = Map.groupBy(expectations, ({ atMs }) => atMs);
  const sentAt = Map.groupBy(sent, ({ atMs }) => atMs);
  const instants = new Set([...expectedAt.keys(), ...sentAt.keys()]);
  const rest = [...instants].map((atMs) => leftOver(expectedAt.get(atMs) ?? [], sentAt.get(atMs) ?? []));
  return describeRest(
    rest.flatMap(({ expected }) => expected),
    rest.flatMap((one) => one.sent),
  );
}

/** The unmatched expectations and deliveries of one instant. */
function leftOver(
  expectations: readonly Expectation[],
  sent: readonly Sent[],
): { readonly expected: readonly Expectation[]; readonly sent: readonly Sent[] } {
  const byAccount = expectations.flatMap(({ as, ...one }) => as.map((account): Expectation => ({ ...one, as: [account] })));
  const named = pairUp(byAccount, sent, isMet);

  // An expectation without accounts matches all deliveries of a step.
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

/** Pairs unmatched expectations and deliveries of the same step as different. The rest is missing or unexpected. */
function describeRest(expectations: readonly Expectation[], sent: readonly Sent[]): readonly Mismatch[] {
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

interface Pairs<L, R> {
  readonly restLeft: readonly L[];
  readonly restRight: readonly R[];
}

/** Pairs as many elements of both sides as possible. Returns the unpaired ones. */
export function pairUp<L, R>(left: readonly L[], right: readonly R[], fits: (one: L, other: R) => boolean): Pairs<L, R> {
  const partnerOf = new Map<number, number>();

  /** Finds a partner for an element of the left side. Other pairs may change for it. */
  function place(l: number, tried: Set<number>): boolean {
    const one = left[l];
    return right.some((other, r) => {
      if (one === undefined || tried.has(r) || !fits(one, other)) return false;
      tried.add(r);
      const holder = partnerOf.get(r);
      if (holder !== undefined && !place(holder, tried)) return false;
      partnerOf.set(r, l);
      return true;
    });
  }

  const placed = new Set(left.keys().filter((l) => place(l, new Set())));
  return { restLeft: left.filter((_, l) => !placed.has(l)), restRight: right.filter((_, r) => !partnerOf.has(r)) };
}
