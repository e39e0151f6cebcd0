import { hasOffset } from '#src/rules/grammar/instant.ts';
import { ExpressionError } from './expression-error.ts';
import type { Expression } from './expression.ts';
import { namesOfId } from './language/lookups.ts';
import { callArguments, calledName, isLoop, isNode, loopOf, walk, written, type Node } from './language/tree.ts';
import { readsOf } from './reads.ts';

/** A part that has no variables except `vars` and `each`, and that fails or becomes another value. */
export interface ConstantError {
  /** Its offset in the expression, from 0. */
  readonly at: number;
  readonly message: string;
  readonly hint: string | undefined;
  /** Whether the part fails at each evaluation. Another part of the rule can test a value of `vars`. */
  readonly isCertain: boolean;
}

/** Compiles a part of the expression. */
type Compile = (source: string) => Expression;

const CONSTANTS: ReadonlySet<string> = new Set(['vars', 'each']);
const OPERATORS: ReadonlySet<string> = new Set(['/', '%', '[]']);

/** Finds the innermost parts with constants that fail. */
export function constantErrors(tree: Node, compile: Compile): readonly ConstantError[] {
  return errorsIn(tree, { compile, tests: [] });
}

interface Options {
  readonly compile: Compile;
  /** The parts that decide whether the node is evaluated, or whether its error counts. */
  readonly tests: readonly Node[];
}

function errorsIn(node: Node, options: Options): readonly ConstantError[] {
  const own = isConstant(node) && canFail(node) ? errorOf(node, options) : undefined;
  if (isConstant(node) && !own) return [];
  const inner = partsOf(node).flatMap(({ part, test }) =>
    errorsIn(part, { ...options, tests: test ? [...options.tests, ...test] : options.tests }),
  );
  return own && inner.length === 0 ? [own] : inner;
}

/** The parts of a node, with the other parts that decide about them. An error beside && and || counts only if the other side does not decide. */
function partsOf(node: Node): readonly { readonly part: Node; readonly test?: readonly Node[] }[] {
  const { op, args, meta } = node;
  if (meta.alternate && isLoop(meta.alternate)) {
    const { iterable, step } = loopOf(meta.alternate);
    return [{ part: iterable }, { part: step }];
  }
  const parts = isNode(args) ? [args] : Array.isArray(args) ? args.flat(2).filter(isNode) : [];
  if (op === '&&' || op === '||') return parts.map((part) => ({ part, test: parts.filter((one) => one !== part) }));
  if (op === '?:') return parts.map((part, index) => (index === 0 ? { part } : { part, test: parts.slice(0, 1) }));
  return parts.map((part) => ({ part }));
}

function isConstant(node: Node): boolean {
  let isFixed = true;
  walk(node, ({ op, args, meta }) => {
    const isOther = op === 'id' && !CONSTANTS.has(namesOfId(String(args))[0] ?? '');
    if (isOther || op.startsWith('accu') || (meta.alternate && isLoop(meta.alternate))) isFixed = false;
  });
  return isFixed;
}

function canFail(node: Node): boolean {
  let found = false;
  walk(node, (one) => {
    found ||= calledName(one) !== undefined || OPERATORS.has(one.op);
  });
  return found;
}

function errorOf(node: Node, { compile, tests }: Options): ConstantError | undefined {
  const { constants } = readsOf(node);
  if (tests.some((test) => [...readsOf(test).constants].some((name) => constants.has(name)))) return undefined;
  const source = written(node);
  try {
    const expression = compile(source);
    try {
      expression.run({});
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return {
        at: node.start,
        message: error.message,
        hint: error.hint ?? hintOf(error.message, node, compile),
        isCertain: constants.size === 0,
      };
    }
    const misread = calledName(node) === 'timestamp' ? misreadTimestamp(textOf(node, compile)) : undefined;
    return misread && { ...misread, at: node.start, isCertain: false };
  } catch (error) {
    // Without its surroundings, a part can have another type, for example that of an empty list.
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** Why a timestamp is another one than its text says; undefined: it is not. */
function misreadTimestamp(text: string): { readonly message: string; readonly hint: string } | undefined {
  const [date, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/u.exec(text) ?? [];
  if (date === undefined) return undefined;
  const last = new Date(Date.UTC(Number(year), Number(month), 0));
  if (Number(day) > last.getUTCDate()) {
    return { message: `${date} is not a day of the calendar`, hint: `the last day of the month is ${last.toISOString().slice(0, 10)}` };
  }
  if (hasOffset(text)) return undefined;
  return { message: 'the timestamp has no time zone', hint: 'add Z for UTC, or for example +01:00' };
}

function hintOf(message: string, node: Node, compile: Compile): string | undefined {
  if (/^(?:division|modulo) by zero/u.test(message)) return 'divide by a number other than 0';
  if (!message.startsWith('timestamp() requires')) return undefined;
  const text = textOf(node, compile);
  return /^\d{4}-\d{2}-\d{2}$/u.test(text) ? `write timestamp("${text}T00:00:00Z")` : 'write it as 2030-12-24T18:00:00Z';
}

/** The value of the argument of a call. */
function textOf(call: Node, compile: Compile): string {
  const [argument] = callArguments(call);
  const value = argument && compile(written(argument)).run({});
  return typeof value === 'string' ? value : '';
}
