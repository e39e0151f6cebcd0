import { literalOf } from '../constraints.ts';
import { certain, operandsOf, written, type Node } from '../language/tree.ts';

const INSTANT = 'google.protobuf.Timestamp';
const DURATION = 'google.protobuf.Duration';
const ORDERS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** The hint for a comparison or a sum of operands that do not fit; undefined: there is no hint. */
export function operandHint(node: Node): string | undefined {
  const [left, right] = operandsOf(node);
  if (!left || !right) return undefined;
  if (ORDERS.has(node.op) && ORDERS.has(left.op)) return chainHint(node, left, right);
  if (node.op === 'in') return memberHint(left, right);
  const types = [left, right].map(({ checkedType }) => certain(checkedType)?.name);
  const other = [left, right].find((_, index) => types[index] === 'string' || types[index] === 'int' || types[index] === 'double');
  if (!other || !types.some((type) => type === INSTANT || type === DURATION)) return undefined;
  const isText = certain(other.checkedType)?.name === 'string';
  if (isText && types.includes(INSTANT) && node.op !== '+' && node.op !== '-') return instantHint(other);
  const literal = isText ? literalOf(other) : undefined;
  return `write duration("${typeof literal === 'string' && /\d/u.test(literal) ? literal : '1h'}")`;
}

/** `1 < a < 5` compares a result with a number. */
function chainHint(node: Node, left: Node, right: Node): string | undefined {
  const [, middle] = operandsOf(left);
  return middle && `write ${written(left)} && ${written(middle)} ${node.op} ${written(right)}`;
}

function memberHint(left: Node, right: Node): string | undefined {
  if (certain(left.checkedType)?.name !== 'string') return undefined;
  if (certain(right.checkedType)?.kind === 'message') return `write ${written(right)}[?${written(left)}].orValue("") != ""`;
  if (certain(right.checkedType)?.name !== 'string') return undefined;
  const literal = literalOf(right);
  if (typeof literal !== 'string') return `write ${written(right)}.contains(${written(left)})`;
  const texts = literal.split(',').map((text) => `"${text.trim()}"`);
  return `write ${written(left)} in [${texts.join(', ')}]`;
}

function instantHint(text: Node): string {
  const literal = literalOf(text);
  if (typeof literal !== 'string') return `write timestamp(${written(text)})`;
  return `write timestamp("${/^\d{4}-\d{2}-\d{2}$/u.test(literal) ? `${literal}T00:00:00Z` : literal}")`;
}

/** The list that `a == "x" || "y"` means; undefined: the condition is another one. */
export function alternativesHint({ op, args }: Node): string | undefined {
  const [left, right] = Array.isArray(args) ? (args as readonly Node[]) : []; // an operator has nodes
  if ((op !== '||' && op !== '&&') || !left || !right || literalOf(right) === undefined) return undefined;
  const last = left.op === op ? operandsOf(left)[1] : left;
  const [subject, first] = last && (last.op === '==' || last.op === '!=') ? operandsOf(last) : [];
  if (!last || !subject || !first || typeof literalOf(first) !== typeof literalOf(right)) return undefined;
  const list = `${written(subject)} in [${written(first)}, ${written(right)}]`;
  return `write ${last.op === '!=' ? `!(${list})` : list}`;
}
