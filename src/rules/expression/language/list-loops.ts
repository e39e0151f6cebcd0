import { Environment } from '@marcbachmann/cel-js';
import { ExpressionError } from '../expression-error.ts';
import { valueOf } from './operators.ts';
import { isDuration } from './results.ts';
import { certain, loopOf, treeOf, type CelType, type Node, type Operation } from './tree.ts';

/** An element of a list with its key, while a loop reads the list. */
export class KeyedElement {
  readonly key: unknown;
  readonly element: unknown;

  constructor(key: unknown, element: unknown) {
    this.key = key;
    this.element = element;
  }
}

interface LoopFunction {
  readonly name: string;
  /** The type of the result for the type of an element. */
  readonly type: (lists: ListTypes, element: CelType) => CelType;
  readonly result: (keyed: readonly KeyedElement[]) => unknown;
}

const LOOP_FUNCTIONS: readonly LoopFunction[] = [
  { name: 'sortBy', type: (lists, element) => lists.getListType(element), result: sorted },
  { name: 'groupBy', type: (lists, element) => lists.getListType(lists.getListType(element)), result: grouped },
];

/** The order of texts. English and German have the same: accents and capital letters decide only between equal words. */
const DICTIONARY = new Intl.Collator('en');

/** The types that keys have. */
const KEYS: ReadonlySet<string> = new Set([
  'int',
  'double',
  'string',
  'bool',
  'dyn',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

interface ListTypes {
  getListType(element: CelType): CelType;
}

interface Checker {
  readonly registry: ListTypes;
  check(node: Node, context: unknown): CelType;
  createError(code: string, message: string, node: Node): Error;
}

/** The state of a loop in the library. */
interface LoopContext {
  readonly iterType: CelType;
  readonly iterValue: unknown;
  readonly accuValue: KeyedElement[];
}

/** The call that the library expands. */
interface Call {
  readonly args: readonly Node[];
  readonly receiver: Node;
  readonly ast: Node;
}

/** Registers `list.sortBy(x, key)` and `list.groupBy(x, key)`. They are loops, so all limits of loops apply to them. */
export function registerListLoops(environment: Environment): void {
  const loop = exampleLoop();
  for (const loopFunction of LOOP_FUNCTIONS) {
    environment.registerFunction(`list.${loopFunction.name}(ast, ast): list<dyn>`, (call: Call) => expand(call, { loop, loopFunction }), {
      async: false,
    });
  }
}

/** A loop of the library, which exports none of its parts. */
function exampleLoop(): Node {
  const { alternate } = treeOf(new Environment().parse('[0].map(x, x)')).meta;
  if (!alternate) throw new Error('the library no longer expands map');
  return alternate;
}

function expand(
  { args: [variable, key], receiver, ast }: Call,
  { loop, loopFunction: { name, type, result } }: { readonly loop: Node; readonly loopFunction: LoopFunction },
) {
  if (!variable || !key || variable.op !== 'id') {
    throw new ExpressionError(`${name} needs a name for the element`, { at: (variable ?? ast).start, hint: `write list.${name}(x, x.id)` });
  }
  const addKeyed: Operation = {
    name: 'addKeyed',
    check(checker: Checker, _node: Node, context: LoopContext) {
      const keyType = checker.check(key, context);
      if (!KEYS.has(certain(keyType)?.name ?? '')) {
        throw checker.createError('key', `${name} needs a text, a number, a timestamp, or true or false as its key`, key);
      }
      return type(checker.registry, context.iterType);
    },
    evaluate(evaluator, _node, context) {
      const { accuValue, iterValue } = context as LoopContext; // a step runs only in its loop
      accuValue.push(new KeyedElement(comparable((evaluator as Evaluator).run(key, context)), iterValue)); // as above
      return accuValue;
    },
  };
  const { init } = loopOf(loop);
  const step = key.clone(addKeyed, key).setMeta('async', false);
  const parts = {
    ...loopOf(loop),
    iterable: receiver,
    iterVarName: String(variable.args),
    init: ast.clone(operationOf(init), []),
    step,
    result,
  };
  return { callAst: ast.clone(operationOf(loop), parts) };
}

interface Evaluator {
  run(node: Node, context: unknown): unknown;
}

function operationOf({ op, meta: { check, evaluate } }: Node): Operation {
  return { name: op, check, evaluate };
}

/** The elements in the order of their keys. Elements with equal keys keep their order, and those without a key are last. */
function sorted(keyed: readonly KeyedElement[]): readonly unknown[] {
  return keyed.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ element }) => element);
}

/** Lists of the elements with equal keys, in the order of their first elements. */
function grouped(keyed: readonly KeyedElement[]): readonly (readonly unknown[])[] {
  return [...Map.groupBy(keyed, ({ key }) => key).values()].map((group) => group.map(({ element }) => element));
}

/** A key as a value of JavaScript that can be compared; undefined for an absent one. */
function comparable(key: unknown): unknown {
  const present = valueOf(key);
  if (present instanceof Date) return present.getTime();
  return isDuration(present) ? present.getMilliseconds() : present;
}

function compareKeys(a: unknown, b: unknown): number {
  if (!isComparable(a) || !isComparable(b)) return Number(!isComparable(a)) - Number(!isComparable(b));
  if ((typeof a === 'string') !== (typeof b === 'string')) return typeof a === 'string' ? 1 : -1;
  const order = typeof a === 'string' && typeof b === 'string' ? DICTIONARY.compare(a, b) : 0;
  // A dictionary ignores invisible characters. Texts that differ only in them also have one order, whatever the order of the platform.
  return order || (a < b ? -1 : a > b ? 1 : 0);
}

function isComparable(key: unknown): key is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof key);
}
