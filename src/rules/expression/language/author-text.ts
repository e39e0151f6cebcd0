import { Optional } from '@marcbachmann/cel-js';
import { lookedUp, namesOfId } from './lookups.ts';
import { callArguments, calledName, evaluationOf, fieldAccess, isLoop, isNode, loopOf, type Node } from './tree.ts';

/** Signs with a meaning in messages or posts. */
const SIGNS = '\\*_~`|[]()<>#+-.@＠';
/** The first of 32 noncharacters, which Unicode reserves for use inside a program. */
const FIRST_PLACEHOLDER = 0xfdd0;
const PLACEHOLDERS = /[\uFDD0-\uFDEF]/gu;

/** Calls that return markup. The parts of it that come from a platform need no escaping. */
const MARKUP: ReadonlySet<string> = new Set(['discordTime', 'hashtag']);

/** Calls that return parts of their arguments. */
const PASSING_ON: ReadonlySet<string> = new Set(['either', 'join', 'top', 'truncate', 'orValue']);

/** Methods of a list that return its elements. */
const SELECTING: ReadonlySet<string> = new Set(['filter', 'sortBy']);

/** Removes placeholders from platform text. */
export function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDERS, '\uFFFD');
}

/** Replaces placeholders by their signs, after platform text is escaped. */
export function restoreAuthorText(text: string): string {
  return text.replace(PLACEHOLDERS, (char) => SIGNS[char.charCodeAt(0) - FIRST_PLACEHOLDER] ?? '');
}

/**
 * Protects the literals of an expression that become part of its text, for example in `"**" + item.title + "**"`, and the author's text in
 * templates of `fill`. While `isProtecting()`, placeholders stand for their signs, so that only platform text is escaped.
 */
export function protectAuthorText(tree: Node, isProtecting: () => boolean): void {
  protect({ node: tree, authorNames: TEMPLATE_NAMES }, { isProtecting, isTemplate: false });
}

interface ProtectOptions {
  readonly isProtecting: () => boolean;
  readonly isTemplate: boolean;
}

function protect(tree: ResultNode, { isProtecting, isTemplate }: ProtectOptions): void {
  for (const { node, authorNames } of resultNodes(tree)) {
    const name = calledName(node);
    const isOfAuthor = (node.op === 'value' && typeof node.args === 'string') || (isTemplate && isAuthorText(node, authorNames));
    if (isOfAuthor || MARKUP.has(name ?? '')) protectResult(node, isProtecting);
    const template = name === 'fill' ? callArguments(node)[0] : undefined;
    if (template) protect({ node: template, authorNames }, { isProtecting, isTemplate: true });
  }
}

/** While `isProtecting()`, the text that a node returns counts as text of the author. */
function protectResult(node: Node, isProtecting: () => boolean): void {
  const evaluate = evaluationOf(node);
  node.evaluate = (...run) => {
    const value = evaluate(...run);
    return isProtecting() ? protectedValue(value) : value;
  };
}

/** Variables with text of the author, and the time. */
const AUTHOR_NAMES: ReadonlySet<string> = new Set(['vars', 'each', 'rule', 'now']);

/** The field of an item with the entry of its list. */
const PERSON = 'item.person';
/** In templates, the texts of lists count too: people write them as templates. */
const TEMPLATE_NAMES: ReadonlySet<string> = new Set([...AUTHOR_NAMES, 'lists', PERSON]);

/** Whether the author wrote all text that an expression returns. Conditions in it do not count. */
export function isAuthorText(node: Node, authorNames: ReadonlySet<string> = AUTHOR_NAMES): boolean {
  const { op, args, meta } = node;
  if (op === 'id') return authorNames.has(namesOfId(String(args))[0] ?? '');
  const access = fieldAccess(node);
  if (access?.field === 'person' && access.of.op === 'id' && access.of.args === 'item' && authorNames.has(PERSON)) return true;
  const map = lookedUp(node);
  if (map) return isAuthorText(map, authorNames);
  if (meta.alternate && isLoop(meta.alternate)) {
    const { iterable, step } = loopOf(meta.alternate);
    return calledName(node) === 'map' ? isAuthorText(step, namesInside(meta.alternate, authorNames)) : isAuthorText(iterable, authorNames);
  }
  // A loop over a map literal reads its keys.
  const parts = (op === 'map' ? undefined : partsOf(node)) ?? (isNode(args) ? [args] : callArguments(node));
  return parts.every((part) => isAuthorText(part, authorNames));
}

/** Whether people of the community wrote all text that an expression returns: the rule's author, or who edits its lists. */
export function isOwnText(node: Node): boolean {
  return isAuthorText(node, TEMPLATE_NAMES);
}

/** The names with text of the author in a loop, whose variable may hide another name. */
function namesInside(loop: Node, authorNames: ReadonlySet<string>): ReadonlySet<string> {
  const { iterable, iterVarName } = loopOf(loop);
  const isAuthorList = isAuthorText(iterable, authorNames);
  return new Set([...authorNames, iterVarName].filter((name) => isAuthorList || name !== iterVarName));
}

/** A text, an optional text, or a list of texts, with placeholders. */
function protectedValue(value: unknown): unknown {
  if (typeof value === 'string') return protectedText(value);
  if (value instanceof Optional) return Optional.of(protectedValue(value.orValue(undefined)));
  return Array.isArray(value) ? value.map(protectedValue) : value;
}

function protectedText(text: string): string {
  return text.replace(/./gsu, (char) => placeholder(char));
}

function placeholder(sign: string): string {
  const index = SIGNS.indexOf(sign);
  return index === -1 ? sign : String.fromCharCode(FIRST_PLACEHOLDER + index);
}

/** A node that makes up the text of an expression, with the names that have text of the author there. */
interface ResultNode {
  readonly node: Node;
  readonly authorNames: ReadonlySet<string>;
}

/** The nodes that make up the text of an expression. */
function resultNodes({ node, authorNames }: ResultNode): readonly ResultNode[] {
  const { alternate } = node.meta;
  const inside = alternate && isLoop(alternate) ? namesInside(alternate, authorNames) : authorNames;
  return partsOf(node)?.flatMap((part) => resultNodes({ node: part, authorNames: inside })) ?? [{ node, authorNames }];
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
  if (name === 'map') return callArguments(node).slice(-1);
  return name !== undefined && SELECTING.has(name) ? callArguments(node).slice(0, 1) : undefined;
}
