import type { ParseResult } from '@marcbachmann/cel-js';
import { afterQuotes } from '#src/rules/grammar/template.ts';

/** A type of the library's checker. */
export interface CelType {
  readonly kind: 'primitive' | 'list' | 'map' | 'optional' | 'message' | 'dyn' | 'param';
  readonly name: string;
  readonly keyType?: CelType;
  readonly valueType?: CelType;
}

/** The names of the types of instants and of lengths of time. */
export const INSTANT = 'google.protobuf.Timestamp';
export const DURATION = 'google.protobuf.Duration';
/** The operators that compare sizes. */
export const ORDERS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** A node of a parsed expression. The kind of `args` depends on `op`. */
export interface Node {
  /** `op` and `args` change only before the check. */
  op: string;
  args: unknown;
  /** The offset of the field in `a.b`, else the start. */
  readonly pos: number;
  readonly start: number;
  readonly end: number;
  /** The whole expression. */
  readonly input: string;
  /** Set after the check. */
  readonly checkedType?: CelType;
  readonly meta: { readonly alternate?: Node; readonly macro?: Evaluable; readonly evaluate: Evaluate; readonly check?: unknown };
  evaluate: Evaluate;
  /**
   * Set by the check: computes the result of an operator from its operands, or the result of a method from a list with the receiver and the
   * arguments.
   */
  handle?: (first: unknown, ...rest: readonly unknown[]) => unknown;
  setMeta(key: 'evaluate', value: Evaluate): Node;
  setMeta(key: 'check', value: unknown): Node;
  setMeta(key: 'async', value: boolean): Node;
  /** A node with another operation at the same place. */
  clone(operation: Operation, args: unknown): Node;
}

/** The operation of a node: its name, and how it is checked and evaluated. */
export interface Operation {
  readonly name: string;
  readonly check: unknown;
  readonly evaluate: Evaluate;
}

/** Evaluates a node. */
type Evaluate = (evaluator: unknown, node: Node, context: unknown) => unknown;

/** A call that the library expands, for example `rx`. */
interface Evaluable {
  evaluate(evaluator: unknown, macro: Evaluable, context: unknown): unknown;
}

/** A loop, which the library makes from `map`, `filter`, `exists` and others. */
export interface Loop {
  readonly iterable: Node;
  /** The name of the element in `step`. */
  readonly iterVarName: string;
  /** The value before the first step. */
  readonly init: Node;
  readonly step: Node;
}

/** The tree of a parsed expression, with the undeclared fields of the library. */
export function treeOf(parsed: ParseResult): Node {
  return parsed.ast as unknown as Node; // Node declares what ASTNode has at run time and hides
}

/** Visits every node, outer ones first. `loops` counts the loops around it. */
export function walk(node: unknown, visit: (node: Node, loops: number) => void, loops = 0): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit, loops);
  if (!isNode(node)) return;
  visit(node, loops);
  const { alternate } = node.meta;
  if (alternate && isLoop(alternate)) {
    walk(loopOf(alternate).iterable, visit, loops);
    walk(loopOf(alternate).step, visit, loops + 1);
  } else {
    walk(node.args, visit, loops);
  }
}

/**
 * How a node is evaluated, to replace `evaluate` by a function that calls it. The library's own `evaluate` must not be called then: its first
 * call writes over the replacement.
 */
export function evaluationOf(node: Node): Evaluate {
  if (Object.hasOwn(node, 'evaluate')) return node.evaluate;
  const { alternate, macro, evaluate } = node.meta;
  const whole = alternate ?? macro;
  return whole ? (evaluator, _node, context) => whole.evaluate(evaluator, whole, context) : evaluate;
}

/** Whether the node is a loop. */
export function isLoop({ op }: Node): boolean {
  return op === 'comprehension';
}

/** The parts of a loop. */
export function loopOf({ args }: Node): Loop {
  return args as Loop; // what isLoop() says
}

/** The source of a node. */
export function written({ input, start, end }: Node): string {
  const text = input.slice(start, end);
  let opened = 0;
  let unopened = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"' || char === "'") at = afterQuotes(text, at) - 1;
    else if (char === '(') opened++;
    else if (char === ')' && opened > 0) opened--;
    else if (char === ')') unopened++;
  }
  // The library's range omits brackets around the first or last part.
  return '('.repeat(unopened) + text + ')'.repeat(opened);
}

/** The name of the called function; undefined for other nodes. */
export function calledName({ op, args }: Node): string | undefined {
  return (op === 'call' || op === 'rcall') && Array.isArray(args) ? String(args[0]) : undefined;
}

/** The receiver and the arguments of a call, in order. */
export function callArguments({ args }: Node): readonly Node[] {
  return Array.isArray(args) ? args.flat().filter(isNode) : [];
}

/** Replaces the results of a method. `compute` gets the method of the library, and the receiver with the arguments. */
export function handleCalls(
  node: Node,
  compute: (call: (values: readonly unknown[]) => unknown, values: readonly unknown[]) => unknown,
): void {
  const { handle } = node;
  if (node.op !== 'rcall' || !handle) return;
  node.handle = (values, ...rest) => compute((changed) => handle(changed, ...rest), values as readonly unknown[]); // what methods get
}

/** The offset of the function name. */
export function nameStart(call: Node): number {
  const [receiver] = callArguments(call);
  return call.op === 'rcall' && receiver ? receiver.end + 1 : call.start;
}

/** The operands of an operator. */
export function operandsOf({ args }: Node): readonly Node[] {
  if (isNode(args)) return [args];
  return Array.isArray(args) ? args.filter(isNode) : [];
}

/** The field that a node reads, in `a.b`, `a.?b`, `a["b"]` and `a[?"b"]`. */
export function fieldAccess({ op, args }: Node): { readonly of: Node; readonly field: string } | undefined {
  if (!Array.isArray(args)) return undefined;
  const [of, name]: readonly unknown[] = args;
  if (!isNode(of)) return undefined;
  if (op === '.' || op === '.?') return { of, field: String(name) };
  if ((op === '[]' || op === '[?]') && isNode(name) && name.op === 'value' && typeof name.args === 'string')
    return { of, field: name.args };
  return undefined;
}

/** Whether a value is a node of the tree. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'meta' in value;
}

/** The type without `optional`. */
export function certain(type: CelType | undefined): CelType | undefined {
  return type?.kind === 'optional' ? type.valueType : type;
}

/** The type of a node; undefined: the library did not check it, for example a step of a loop that it wrote. */
export function knownTypeOf({ checkedType, meta: { alternate } }: Node): CelType | undefined {
  return checkedType ?? alternate?.checkedType;
}

/** The type of a checked node. */
export function typeOf(node: Node): CelType {
  const type = knownTypeOf(node);
  if (!type) throw new Error('the expression was not checked');
  return type;
}
