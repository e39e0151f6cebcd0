import { callArguments, calledName, isLoop, isNode, loopOf, type Node } from './tree.ts';

/** Signs with a meaning in messages or posts. */
const SIGNS = '\\*_~`|[]()<>#+-.@＠';
/** The first of 32 noncharacters, which Unicode reserves for use inside a program. */
const FIRST_PLACEHOLDER = 0xfdd0;
const PLACEHOLDERS = /[\uFDD0-\uFDEF]/gu;

/** Calls that return parts of their arguments. */
const PASSING_ON: ReadonlySet<string> = new Set(['either', 'join', 'top', 'truncate', 'orValue']);

/** Removes placeholders from platform text. */
export function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDERS, '\uFFFD');
}

/** Replaces placeholders by their signs, after platform text is escaped. */
export function restoreAuthorText(text: string): string {
  return text.replace(PLACEHOLDERS, (char) => SIGNS[char.charCodeAt(0) - FIRST_PLACEHOLDER] ?? '');
}

/**
 * Protects the literals of an expression that become part of its text, for example in `"**" + item.title + "**"`.
 * While `isProtecting()`, placeholders stand for their signs, so that only platform text is escaped.
 */
export function protectAuthorText(tree: Node, isProtecting: () => boolean): void {
  for (const node of resultNodes(tree)) {
    if (node.op !== 'value' || typeof node.args !== 'string') continue;
    const text = node.args;
    const withPlaceholders = text.replace(/./gsu, (char) => placeholder(char));
    if (withPlaceholders !== text) node.setMeta('evaluate', () => (isProtecting() ? withPlaceholders : text));
  }
}

/** Variables with text of the author, and the time. */
const AUTHOR_NAMES: ReadonlySet<string> = new Set(['vars', 'each', 'rule', 'now']);

/** Whether the author wrote all text that an expression returns. Conditions in it do not count. */
export function isAuthorText(node: Node, authorNames: ReadonlySet<string> = AUTHOR_NAMES): boolean {
  const { op, args, meta } = node;
  if (op === 'id') return authorNames.has(String(args));
  if (meta.alternate && isLoop(meta.alternate)) {
    const { iterable, iterVarName, step } = loopOf(meta.alternate);
    const isAuthorList = isAuthorText(iterable, authorNames);
    if (calledName(node) !== 'map') return isAuthorList;
    // The loop variable may hide another name.
    const inside = new Set([...authorNames, iterVarName].filter((name) => isAuthorList || name !== iterVarName));
    return isAuthorText(step, inside);
  }
  const parts = partsOf(node) ?? (isNode(args) ? [args] : callArguments(node));
  return parts.every((part) => isAuthorText(part, authorNames));
}

function placeholder(sign: string): string {
  const index = SIGNS.indexOf(sign);
  return index === -1 ? sign : String.fromCharCode(FIRST_PLACEHOLDER + index);
}

/** The nodes that make up the text of an expression. */
function resultNodes(node: Node): readonly Node[] {
  return partsOf(node)?.flatMap(resultNodes) ?? [node];
}

/** The nodes that make up the text of a node, without its conditions; undefined for a single node. */
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
