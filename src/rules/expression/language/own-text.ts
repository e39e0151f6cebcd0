import { callArguments, calledName, isLoop, isNode, loopOf, type Node } from './tree.ts';

/** What may mean something in a message or a post. */
const SIGNS = '\\*_~`|[]()<>#+-.@＠';
/** The first of 32 code points that no text has: Unicode keeps them for use inside a program. */
const FIRST_STAND_IN = 0xfdd0;
const STAND_INS = /[\uFDD0-\uFDEF]/gu;

/** Calls whose result is made of what they are given. */
const PASSING_ON: ReadonlySet<string> = new Set(['either', 'join', 'top', 'truncate', 'orValue']);

/** Foreign text as expressions see it: without what stands for the author's own signs. */
export function withoutStandIns(text: string): string {
  return text.replace(STAND_INS, '\uFFFD');
}

/** The text with its signs again, once all that was foreign in it is escaped. */
export function revealOwnText(text: string): string {
  return text.replace(STAND_INS, (char) => SIGNS[char.charCodeAt(0) - FIRST_STAND_IN] ?? '');
}

/**
 * Marks the texts in an expression that its author wrote and that become part of what it says, as in `"**" + item.title + "**"`:
 * while `isMarking()`, other characters stand for their signs, so that only what is foreign is escaped.
 */
export function markOwnText(tree: Node, isMarking: () => boolean): void {
  for (const node of saidBy(tree)) {
    if (node.op !== 'value' || typeof node.args !== 'string') continue;
    const text = node.args;
    const marked = text.replace(/./gsu, (char) => standIn(char));
    if (marked !== text) node.setMeta('evaluate', () => (isMarking() ? marked : text));
  }
}

/** Names behind which stands what the author wrote, and the time. */
const OWN_NAMES: ReadonlySet<string> = new Set(['vars', 'each', 'rule', 'now']);

/** Whether all that an expression says was written by its author, whatever it asks and compares; `own` are the names that stand for such. */
export function isOwnText(node: Node, own: ReadonlySet<string> = OWN_NAMES): boolean {
  const { op, args, meta } = node;
  if (op === 'id') return own.has(String(args));
  if (meta.alternate && isLoop(meta.alternate)) {
    const { iterable, iterVarName, step } = loopOf(meta.alternate);
    const isListOwn = isOwnText(iterable, own);
    if (calledName(node) !== 'map') return isListOwn;
    // A loop may give any name to what it goes through.
    const inside = new Set([...own, iterVarName].filter((name) => isListOwn || name !== iterVarName));
    return isOwnText(step, inside);
  }
  const parts = partsOf(node) ?? (isNode(args) ? [args] : callArguments(node));
  return parts.every((part) => isOwnText(part, own));
}

function standIn(sign: string): string {
  const index = SIGNS.indexOf(sign);
  return index === -1 ? sign : String.fromCharCode(FIRST_STAND_IN + index);
}

/** All in an expression that what it says is made of. */
function saidBy(node: Node): readonly Node[] {
  return partsOf(node)?.flatMap(saidBy) ?? [node];
}

/** The parts that what a node says is made of, and not what it only asks or compares; undefined: it has none. */
function partsOf(node: Node): readonly Node[] | undefined {
  const { op, args } = node;
  const parts: readonly unknown[] = Array.isArray(args) ? args : [];
  if (op === '+' || op === 'list') return parts.filter(isNode);
  if (op === '?:') return parts.slice(1).filter(isNode);
  if (op === 'map') return parts.flatMap((entry) => (Array.isArray(entry) && isNode(entry[1]) ? [entry[1]] : []));
  const name = calledName(node);
  if (name !== undefined && PASSING_ON.has(name)) return callArguments(node);
  return name === 'map' ? callArguments(node).slice(-1) : undefined;
}
