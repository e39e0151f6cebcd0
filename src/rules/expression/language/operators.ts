import { Optional, type Environment } from '@marcbachmann/cel-js';
import { certain, INSTANT, knownTypeOf, operandsOf, ORDERS, walk, type Node } from './tree.ts';

const NUMBERS = ['int', 'double'] as const;

type Compare = (a: Comparable, b: Comparable) => boolean;
type Comparable = number | bigint;

const COMPARISONS: readonly (readonly [string, Compare])[] = [
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
];

/** Registers comparisons of optional values, and `+` of text and numbers. */
export function registerOperators(environment: Environment): void {
  for (const left of NUMBERS) for (const right of NUMBERS) registerComparisons(environment, left, right);
  registerComparisons(environment, INSTANT, INSTANT);
  // As in records, an absent text is empty, and an absent flag is false.
  registerEquality(environment, 'string', '');
  registerEquality(environment, 'bool', false);
  for (const type of NUMBERS) {
    for (const number of [type, `optional<${type}>`]) {
      environment.registerOperator(`string + ${number}: string`, (text: string, n: unknown) => text + asText(n));
      environment.registerOperator(`${number} + string: string`, (n: unknown, text: string) => asText(n) + text);
    }
  }
}

const ARITHMETIC: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
]);

/**
 * Compares, joins and computes with values whose type only an evaluation knows, for example fields of lists that people edit. The library
 * cannot choose between the operators of optional values for them, and takes their numbers for whole ones. Call it after the check.
 */
export function operateOnUnknown(tree: Node): void {
  walk(tree, (node) => {
    computeWithDecimals(node);
    const { handle, op } = node;
    const types = operandsOf(node).map((operand) => certain(knownTypeOf(operand)));
    const isComparison = op === '==' || op === '!=' || ORDERS.has(op);
    const isJoin = op === '+' && types.some((type) => type?.name === 'string');
    if (!handle || !(isComparison || isJoin) || !types.some((type) => type?.kind === 'dyn')) return;
    node.handle = (a, b, ...rest) => {
      const [left, right] = [valueOf(a), valueOf(b)];
      if (left !== undefined && right !== undefined) return handle(left, right, ...rest);
      // No text may lack a part, so an absent part is an error.
      if (!isComparison || !(a instanceof Optional || b instanceof Optional)) return handle(a, b, ...rest);
      return !ORDERS.has(op) && equalsAbsent(left ?? right, op);
    };
  });
}

/** Computes with a decimal number that the check took for a whole one. */
function computeWithDecimals(node: Node): void {
  const { handle, op } = node;
  const compute = ARITHMETIC.get(op);
  if (!handle || !compute) return;
  node.handle = (a, b, ...rest) => (isDecimal(a, b) || isDecimal(b, a) ? compute(Number(a), Number(b)) : handle(a, b, ...rest));
}

function isDecimal(number: unknown, other: unknown): boolean {
  return typeof number === 'number' && (typeof other === 'number' || typeof other === 'bigint');
}

/** As in records, an absent text is empty, and an absent flag is false. A comparison with another absent value is false. */
function equalsAbsent(other: unknown, operator: string): boolean {
  return (typeof other === 'string' || typeof other === 'boolean') && (other === '' || other === false) === (operator === '==');
}

/** Formats a number or a flag. A text stays unchanged, and an absent value is empty. */
export function asText(value: unknown): string {
  const present = valueOf(value);
  if (typeof present === 'number') return String(withoutNoise(present));
  return ['string', 'bigint', 'boolean'].includes(typeof present) ? String(present) : '';
}

/** A decimal number without the digits that binary arithmetic adds: 0.1 + 0.2 is 0.3. */
export function withoutNoise(decimal: number): number {
  return Number.isInteger(decimal) ? decimal : Number(decimal.toPrecision(15));
}

/** The value of an optional; other values unchanged. */
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
  // The library derives the mirrored equality and `!=` itself.
  const equal = whereBoth((a, b) => !(a < b) && !(a > b), isNegated);
  if (left <= right) environment.registerOperator(`optional<${left}> == optional<${right}>`, equal);
  environment.registerOperator(`optional<${left}> == ${right}`, equal);
}

function registerEquality(environment: Environment, type: string, empty: unknown): void {
  environment.registerOperator(`optional<${type}> == ${type}`, (a: unknown, b: unknown) => (valueOf(a) ?? empty) === b);
}

/** A comparison with an absent value is false. The library negates `==` for `!=`, so `==` must be true there. */
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
