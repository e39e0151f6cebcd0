import { parseDuration } from '#src/clients/operation/duration.ts';
import { parseInstant } from '#src/rules/grammar/instant.ts';
import { weekdayOf } from '#src/rules/grammar/weekdays.ts';
import { literalOf } from '../constraints.ts';
import {
  callArguments,
  calledName,
  certain,
  DURATION,
  fieldAccess,
  INSTANT,
  operandsOf,
  ORDERS,
  written,
  type Node,
} from '../language/tree.ts';

const EQUALITIES: ReadonlySet<string> = new Set(['==', '!=']);

/** The hint for a comparison or a sum of operands that do not fit; undefined: there is no hint. */
export function operandHint(node: Node): string | undefined {
  const [left, right] = operandsOf(node);
  if (!left || !right) return undefined;
  if (ORDERS.has(node.op) && ORDERS.has(left.op)) return chainHint(node, left, right);
  if (node.op === 'in') return memberHint(left, right);
  const weekday = weekdayHint(node, left, right) ?? weekdayHint(node, right, left);
  if (weekday !== undefined) return weekday;
  const types = [left, right].map(({ checkedType }) => certain(checkedType)?.name);
  const joined = node.op === '+' ? (textHint(left, right) ?? textHint(right, left)) : undefined;
  if (joined !== undefined) return joined;
  const length = millisecondsHint(left, right) ?? millisecondsHint(right, left);
  if (length !== undefined) return length;
  const other = [left, right].find((_, index) => types[index] === 'string' || types[index] === 'int' || types[index] === 'double');
  if (!other || !types.some((type) => type === INSTANT || type === DURATION)) return undefined;
  const isText = certain(other.checkedType)?.name === 'string';
  if (isText && types.includes(INSTANT) && node.op !== '+' && node.op !== '-')
    return instantHint(other, other === right ? left : right, node.op);
  const literal = isText ? literalOf(other) : undefined;
  return `write duration("${typeof literal === 'string' && /\d/u.test(literal) ? literal : '1h'}")`;
}

/** `"since " + item.startedAt` joins a text and a value that is no text; undefined: the value has another remedy. */
function textHint(text: Node, value: Node): string | undefined {
  if (certain(text.checkedType)?.name !== 'string') return undefined;
  switch (certain(value.checkedType)?.name) {
    case INSTANT:
      // A text such as "1h" is probably a duration.
      return parseDuration(String(literalOf(text))) === undefined ? `write date(${written(value)}, "Europe/Paris")` : undefined;
    case DURATION:
      return `write duration(${written(value)})`;
    case 'bool':
      return value.checkedType?.kind === 'optional' ? undefined : `write string(${written(value)})`;
    default:
      return undefined;
  }
}

/** `episode.lengthMs > duration("1h")` compares a number of milliseconds with a duration. */
function millisecondsHint(number: Node, length: Node): string | undefined {
  const [text = length] = calledName(length) === 'duration' ? callArguments(length) : [];
  const ms = parseDuration(String(literalOf(text)));
  return ms !== undefined && fieldAccess(number)?.field.endsWith('Ms') === true ? `write ${ms}` : undefined;
}

/** `now.getDayOfWeek() == "friday"` compares a number with a name. */
function weekdayHint({ op }: Node, day: Node, name: Node): string | undefined {
  const literal = literalOf(name);
  const weekday = calledName(day) === 'getDayOfWeek' && typeof literal === 'string' ? weekdayOf(literal) : undefined;
  return weekday === undefined ? undefined : `write ${written(day)} ${op} ${weekday}: Sunday is 0`;
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

function instantHint(text: Node, instant: Node, op: string): string {
  const literal = literalOf(text);
  if (typeof literal !== 'string') return `write timestamp(${written(text)})`;
  const [, hour] = /^([01]?\d|2[0-3]):[0-5]\d$/u.exec(literal) ?? [];
  if (hour !== undefined) return `write ${written(instant)}.getHours("Europe/Paris") ${op.startsWith('<') ? '<' : '>='} ${Number(hour)}`;
  const parsed = parseInstant(literal);
  const iso = parsed && new Date('atMs' in parsed ? parsed.atMs : parsed.wallMs).toISOString().replace('.000Z', 'Z');
  return `write timestamp("${iso ?? '2030-12-24T18:00:00Z'}")`;
}

/** The hint for an operator between a text and a number, true or false, or a list of texts; undefined: there is no hint. */
export function comparisonHint(node: Node): string | undefined {
  const [left, right] = operandsOf(node);
  if (!left || !right) return undefined;
  const text = [left, right].find(({ checkedType }) => certain(checkedType)?.name === 'string');
  const other = text === right ? left : right;
  const type = certain(other.checkedType);
  if (!text) return undefined;
  const literal = literalOf(text);
  if (type?.name === 'bool') return literal === 'true' || literal === 'false' ? `write ${literal} without quotes` : undefined;
  if (type?.name === 'int' || type?.name === 'double') {
    const isNumeric = typeof literal === 'string' && /^-?\d/u.test(literal);
    if (isNumeric || (literal !== undefined && ORDERS.has(node.op))) return 'write a number without quotes';
    if (!EQUALITIES.has(node.op) || literal !== undefined) return undefined;
    return literalOf(other) === undefined ? `write string(${written(other)})` : `write "${written(other)}"`;
  }
  if (type?.kind !== 'list' || type.valueType?.name !== 'string' || !EQUALITIES.has(node.op)) return undefined;
  const member = `${written(text)} in ${written(other)}`;
  return `write ${node.op === '!=' ? `!(${member})` : member}`;
}

/** The list that `a == "x" || "y"` means, or the default that `a || "y"` means; undefined: the condition is another one. */
export function alternativesHint({ op, args }: Node): string | undefined {
  const [left, right] = Array.isArray(args) ? (args as readonly Node[]) : []; // an operator has nodes
  if (op === '||' && left && right && [left, right].every(({ checkedType }) => certain(checkedType)?.name === 'string')) {
    return `write either(${written(left)}, ${written(right)}) for the first text that is not empty`;
  }
  if ((op !== '||' && op !== '&&') || !left || !right || literalOf(right) === undefined) return undefined;
  const last = left.op === op ? operandsOf(left)[1] : left;
  const [subject, first] = last && (last.op === '==' || last.op === '!=') ? operandsOf(last) : [];
  if (!last || !subject || !first || typeof literalOf(first) !== typeof literalOf(right)) return undefined;
  const list = `${written(subject)} in [${written(first)}, ${written(right)}]`;
  return `write ${last.op === '!=' ? `!(${list})` : list}`;
}
