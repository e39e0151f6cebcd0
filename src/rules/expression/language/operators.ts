import { Optional, type Environment } from '@marcbachmann/cel-js';

const NUMBERS = ['int', 'double'] as const;
const INSTANT = 'google.protobuf.Timestamp';

type Compare = (a: Comparable, b: Comparable) => boolean;
type Comparable = number | bigint;

const COMPARISONS: readonly (readonly [string, Compare])[] = [
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
];

/** Lets what may be absent be compared, and numbers be put behind text. */
export function registerOperators(environment: Environment): void {
  for (const left of NUMBERS) for (const right of NUMBERS) registerComparisons(environment, left, right);
  registerComparisons(environment, INSTANT, INSTANT);
  for (const type of NUMBERS) {
    for (const number of [type, `optional<${type}>`]) {
      environment.registerOperator(`string + ${number}: string`, (text: string, n: unknown) => text + asText(n));
      environment.registerOperator(`${number} + string: string`, (n: unknown, text: string) => asText(n) + text);
    }
  }
}

/** A number as text; what is absent is none. */
export function asText(value: unknown): string {
  const present = valueOf(value);
  return typeof present === 'number' || typeof present === 'bigint' ? String(present) : '';
}

/** What an optional holds; what is none is itself. */
export function valueOf(value: unknown): unknown {
  return value instanceof Optional ? value.orValue(undefined) : value;
}

function registerComparisons(environment: Environment, left: string, right: string): void {
  const pairs = [
    [`optional<${left}>`, right],
    [left, `optional<${right}>`],
    [`optional<${left}>`, `optional<${right}>`],
  ] as const;
  for (const [a, b] of pairs) {
    for (const [operator, compare] of COMPARISONS)
      environment.registerOperator(
        `${a} ${operator} ${b}`,
        whereBoth(compare, () => false),
      );
  }
  // The library makes the mirror image of an equality itself, and of each its `!=`, which is its negation.
  const equal = whereBoth((a, b) => !(a < b) && !(a > b), isNegated);
  if (left <= right) environment.registerOperator(`optional<${left}> == optional<${right}>`, equal);
  environment.registerOperator(`optional<${left}> == ${right}`, equal);
}

/** A comparison with what is absent is false; so `!=` is, too, which the library gets by negating `==`. */
function isNegated(operator: string | undefined): boolean {
  return operator === '!=';
}

function whereBoth(compare: Compare, absent: (operator: string | undefined) => boolean) {
  return (a: unknown, b: unknown, node?: { readonly op: string }): boolean => {
    const [left, right] = [comparable(a), comparable(b)];
    return left === undefined || right === undefined ? absent(node?.op) : compare(left, right);
  };
}

function comparable(value: unknown): Comparable | undefined {
  const present = valueOf(value);
  if (present instanceof Date) return present.getTime();
  return typeof present === 'number' || typeof present === 'bigint' ? present : undefined;
}
