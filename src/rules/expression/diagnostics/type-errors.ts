import { ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js';
import {
  callArguments,
  calledName,
  certain,
  fieldAccess,
  isNode,
  nameStart,
  operandsOf,
  written,
  type CelType,
  type Node,
} from '../language/tree.ts';
import { ExpressionError } from '../expression-error.ts';
import { syntaxError } from './syntax-errors.ts';
import { describeType, describeTypeName, isPrintable } from '../type-fit.ts';
import { alternativesHint, comparisonHint, operandHint } from './operand-hints.ts';
import type { CallForm, Vocabulary } from '../language/environment.ts';
import { unknownField, unknownFunction, unknownName } from './unknown-names.ts';
import { formatList } from '#src/rules/messages/format.ts';

/** Translates an error of the CEL library into words of the rule language. */
export function toExpressionError(
  error: unknown,
  { source, known }: { readonly source: string; readonly known: Vocabulary },
): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof ParseError) return syntaxError(error, source);
  if (error instanceof CelTypeError && isNode(error.node)) return typeError(error, error.node, known);
  if (error instanceof RangeError) return new ExpressionError('the expression is nested too deeply', { at: 0 });
  // The library cannot choose between operators for the elements of [].
  return new ExpressionError('the type of a value is unknown', {
    at: Math.max(0, source.search(/\[\s*\]/u)),
    hint: 'write a list with elements',
  });
}

interface FieldAccess {
  readonly of: Node;
  readonly field: string;
}

function typeError({ code, summary }: CelTypeError, node: Node, known: Vocabulary): ExpressionError {
  const at = node.start;
  const access = fieldAccess(node);
  switch (code) {
    case 'unknown_variable':
      return unknownName(String(node.args), { at, known });
    case 'no_such_key':
      return access ? unknownField(access, { at: node.pos, known }) : new ExpressionError(summary, { at });
    case 'invalid_index_type':
      return access ? listFieldError(access, { at, known }) : new ExpressionError('expected a whole number between [ and ]', { at });
    case 'cannot_index_type':
      if (!access) return elementError(node);
      return new ExpressionError(`${describeType(access.of.checkedType)} has no fields`, {
        at: node.pos,
        hint:
          sizeHint(access) ??
          (access.of.checkedType && isPrintable(access.of.checkedType) ? `write ${written(access.of)} alone` : undefined),
      });
    case 'no_such_overload':
      return isNode(node.args) ? signError(node.op, node.args) : operatorError(node, known);
    case 'no_matching_overload':
      return known.functions.has(calledName(node) ?? '')
        ? callError(node, known)
        : unknownFunction(calledName(node) ?? '', { at: nameStart(node), known });
    case 'optional_expected':
      return new ExpressionError(`${written(node)} is never absent`, { at, hint: `write either(${written(node)}, …) for a default` });
    case 'invalid_comprehension_range':
      return rangeError(node);
    case 'incompatible_ternary_branches':
      return branchError(node);
    case 'invalid_condition_type':
    case 'invalid_logical_operand':
      return new ExpressionError('expected true or false', {
        at,
        hint: alternativesHint(node) ?? truthHint(node) ?? 'compare the value, as text != "" or number > 0',
      });
    default:
      return new ExpressionError(
        summary.replace(/^./u, (first) => first.toLowerCase()),
        {
          at,
          hint: patternHint(summary) ?? (code === 'rx' ? textHint(node) : undefined),
        },
      );
  }
}

/** The condition that a value, or an operand of it, stands for: the value of `item.title && true` is that of `item.title != "" && true`. */
export function truthHint(node: Node): string | undefined {
  const value = [node, ...operandsOf(node)].find((one) => one.checkedType && one.checkedType.name !== 'bool');
  if (!value || value.op === 'value') return undefined;
  const subject = CLOSED.includes(value.op) ? written(value) : `(${written(value)})`;
  const type = certain(value.checkedType);
  if (type?.kind === 'list') return `write ${subject}.size() > 0`;
  if (type?.name === 'string') return `write ${subject} != ""`;
  if (type?.name === 'int' || type?.name === 'double') return `write ${subject} > 0`;
  return value.checkedType?.kind === 'optional' ? orValueHint(value) : undefined;
}

/** A field of the elements of a list, for example `items.title`. */
function listFieldError({ of, field }: FieldAccess, { at, known }: { readonly at: number; readonly known: Vocabulary }): ExpressionError {
  const list = written(of);
  const element = of.checkedType?.valueType?.name ?? '';
  const shown = known.fieldsOf(element)?.includes(field) === true ? field : known.printableFieldOf(element);
  const hint = /^lists\.\w+$/u.test(list)
    ? `write ${list}[?"${field}"] for one entry, or .map(x, x.id) for all entries`
    : `write ${shown === undefined ? '' : `.map(x, x.${shown}) for all elements, or `}[0] for the first one`;
  return new ExpressionError(`${list} is a list and has no field ${field}`, { at, hint: sizeHint({ of, field }) ?? hint });
}

/** An element of a value that is no list, for example `item.title[0]`. */
function elementError(node: Node): ExpressionError {
  const [of] = Array.isArray(node.args) ? node.args.filter(isNode) : [];
  const isText = certain(of?.checkedType)?.name === 'string';
  const hint = of && isText ? `write truncate(${written(of)}, 10) for the first characters` : undefined;
  return new ExpressionError(`${describeType(of?.checkedType)} has no elements`, { at: node.start, hint });
}

/** `text.length` and `list.size` of other languages. */
function sizeHint({ of, field }: FieldAccess): string | undefined {
  return ['length', 'size', 'count'].includes(field) ? `write ${written(of)}.size()` : undefined;
}

function patternHint(summary: string): string | undefined {
  return /repetition operator: `\*/u.test(summary) ? 'in a pattern, .* is any text; without it, write text.contains("…")' : undefined;
}

/** A value in the place of a text to search in. */
function textHint(node: Node): string | undefined {
  if (certain(node.checkedType)?.name === 'string') return orValueHint(node);
  return node.checkedType && isPrintable(node.checkedType) && node.op !== 'value' ? `write string(${written(node)})` : undefined;
}

/** A loop over a value that is no list, for example `changes.map(…)`. */
function rangeError(node: Node): ExpressionError {
  const hint = node.args === 'changes' ? 'write the list of one kind, for example changes.entered' : undefined;
  return new ExpressionError(`${written(node)} is ${describeType(node.checkedType)}, not a list`, { at: node.start, hint });
}

function signError(op: string, operand: Node): ExpressionError {
  const hint = operand.checkedType?.kind === 'optional' ? orValueHint(operand) : undefined;
  return new ExpressionError(`${op[0]} cannot be applied to ${describeType(operand.checkedType)}`, { at: operand.start, hint });
}

export function operatorError(node: Node, known: Vocabulary): ExpressionError {
  const [left, right] = Array.isArray(node.args) ? node.args.filter(isNode) : [];
  const message = `${node.op} cannot be applied to ${describeType(left?.checkedType)} and ${describeType(right?.checkedType)}`;
  return new ExpressionError(message, {
    at: node.start,
    hint: operandHint(node) ?? (left && right && operatorHint(node, left, right, known)),
  });
}

function operatorHint(node: Node, left: Node, right: Node, known: Vocabulary): string | undefined {
  const optional = [left, right].find(({ checkedType }) => checkedType?.kind === 'optional');
  const types = [left, right].map(({ checkedType }) => certain(checkedType));
  const names = types.map((type) => type?.name);
  if (names.includes('null')) return 'no value is null: compare text with ""; a comparison with an absent number is false';
  if (optional) return orValueHint(optional);
  if (names.includes('int') && names.includes('double')) return 'write double(…) around the whole number';
  const text = [left, right].find((_, index) => names[index] === 'string');
  const number = names.includes('int') ? 'int' : names.includes('double') ? 'double' : undefined;
  const asNumber = text && number && node.op !== '+' ? `write ${number}(${written(text)}), if it always has a number` : undefined;
  return comparisonHint(node) ?? types.map((type) => recordHint(type, known)).find((hint) => hint !== undefined) ?? asNumber;
}

const NAMES = ['name', 'displayName', 'title'];

/** The hint for a record in the place of a scalar. */
export function recordHint(type: CelType | undefined, known: Pick<Vocabulary, 'printableFieldOf' | 'fieldsOf'>): string | undefined {
  const field = known.printableFieldOf(type?.name ?? '');
  if (field === undefined) return undefined;
  // A text of a person is a name, not an id.
  const names = field === 'id' ? [...NAMES, 'text'] : NAMES;
  const name = names.find((one) => one !== field && known.fieldsOf(type?.name ?? '')?.includes(one));
  return `use a field of the object, for example ${name === undefined ? '' : `.${name} or `}.${field}`;
}

function callError(node: Node, known: Vocabulary): ExpressionError {
  const operands = callArguments(node);
  const [receiver, ...rest] = operands.map(({ checkedType }) => describeType(checkedType));
  const isMethod = node.op === 'rcall';
  const values = isMethod ? rest : operands.map(({ checkedType }) => describeType(checkedType));
  const on = isMethod ? ` on ${receiver}` : '';
  const optional = operands.find(({ checkedType }) => checkedType?.kind === 'optional');
  return new ExpressionError(`${calledName(node)} cannot be called${on} with ${values.join(' and ') || 'no arguments'}`, {
    at: nameStart(node),
    hint: (optional && orValueHint(optional)) ?? callHint(node, known),
  });
}

const SAME_TYPE = 'both need the same type; string(…) converts a number to text';

function branchError(node: Node): ExpressionError {
  const [, yes, no] = Array.isArray(node.args) ? node.args.filter(isNode) : [];
  return new ExpressionError(
    `the two results of ? : have different types: ${describeType(yes?.checkedType)} and ${describeType(no?.checkedType)}`,
    {
      at: node.start,
      hint: SAME_TYPE,
    },
  );
}

/** The hint for a value that may be absent. */
function orValueHint(node: Node): string {
  return `${written(node)} may be absent: write ${written(node)}.orValue(${emptyOf(certain(node.checkedType))})`;
}

const EMPTY: Readonly<Record<string, string>> = { string: '""', int: '0', double: '0.0', bool: 'false' };

function emptyOf(type: CelType | undefined): string {
  return type?.kind === 'list' ? '[]' : ((type && EMPTY[type.name]) ?? '…');
}

const MOST_FORMS = 3;
/** Nodes that need no brackets before a dot. */
const CLOSED = ['id', 'value', 'call', 'rcall', '.', '.?', '[]', '[?]'];

/** The correct forms of a function that was called wrongly. */
function callHint(node: Node, { functions }: Vocabulary): string | undefined {
  const name = calledName(node) ?? '';
  const forms = functions.get(name) ?? [];
  const [first, ...rest] = callArguments(node);
  const isMethod = node.op === 'rcall';
  if (name === 'date' && first && rest.length === 0) return `write date(${written(first)}, "Europe/Paris")`;
  if (name === 'either' && rest.length === 1) return SAME_TYPE;
  if (name === 'either' && rest.length > 1) return 'write either(a, either(b, c)) for several values';
  if (first && forms.length > 0 && forms.every(({ on }) => (on !== undefined) !== isMethod)) {
    const subject = CLOSED.includes(first.op) ? written(first) : `(${written(first)})`;
    const others = rest.map(written);
    return isMethod ? `write ${name}(${[written(first), ...others].join(', ')})` : `write ${subject}.${name}(${others.join(', ')})`;
  }
  const [element] = rest;
  if (isMethod && name === 'contains' && first?.checkedType?.kind === 'list' && element)
    return `write ${written(element)} in ${written(first)}`;
  const calls = [...new Set(forms.flatMap((form) => formatCall(name, form) ?? []))].slice(0, MOST_FORMS);
  return calls.length > 0 ? `usage: ${formatList(calls)}` : undefined;
}

/** Formats a call, for example `compact(a whole number)`; undefined for rare forms. */
function formatCall(name: string, { on, parameters }: CallForm): string | undefined {
  const types = parameters.map(describeTypeName);
  const receiver = on === undefined ? '' : describeTypeName(on);
  if (receiver === undefined || !types.every((one) => one !== undefined)) return undefined;
  return `${receiver === '' ? '' : `${receiver}.`}${name}(${types.join(', ')})`;
}
