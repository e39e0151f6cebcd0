import { ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js';
import { callArguments, calledName, certain, fieldAccess, isNode, nameStart, written, type CelType, type Node } from '../language/tree.ts';
import { ExpressionError } from './expression-error.ts';
import { callHint } from './call-hint.ts';
import { syntaxComplaint } from './syntax-complaint.ts';
import { typeWords } from './type-words.ts';
import { unknownField, unknownFunction, unknownName, type Known } from './unknown.ts';

/** What the library says of an expression, in the words of a rule's author. */
export function complaint(error: unknown, { source, known }: { readonly source: string; readonly known: Known }): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof ParseError) return syntaxComplaint(error, source);
  if (error instanceof CelTypeError && isNode(error.node)) return typeComplaint(error, error.node, known);
  // Anything else is the parser at the end of its stack.
  return new ExpressionError('the expression is too deep to be read', { at: 0 });
}

function typeComplaint({ code, summary }: CelTypeError, node: Node, known: Known): ExpressionError {
  const at = node.start;
  const access = fieldAccess(node);
  switch (code) {
    case 'unknown_variable':
      return unknownName(String(node.args), { at, known });
    case 'no_such_key':
      return access ? unknownField(access, { at: node.pos, known }) : new ExpressionError(summary, { at });
    case 'invalid_index_type':
      return access
        ? new ExpressionError(`${written(access.of)} is a list and has no ${access.field}`, {
            at,
            hint: 'loop over it, as .map(x, x.id), or take [0] of it',
          })
        : new ExpressionError('a whole number is wanted between [ and ]', { at });
    case 'cannot_index_type':
      return new ExpressionError(`${typeWords(access?.of.checkedType)} has no fields`, { at: node.pos });
    case 'no_such_overload':
      return isNode(node.args) ? signComplaint(node.op, node.args) : operatorComplaint(node, known);
    case 'no_matching_overload':
      return known.functions.has(calledName(node) ?? '')
        ? callComplaint(node, known)
        : unknownFunction(calledName(node) ?? '', { at: nameStart(node), known });
    case 'incompatible_ternary_branches':
      return branchComplaint(node);
    case 'invalid_condition_type':
    case 'invalid_logical_operand':
      return new ExpressionError('true or false is wanted here', { at, hint: 'compare text with "", a number with another' });
    default:
      return new ExpressionError(
        summary.replace(/^./u, (first) => first.toLowerCase()),
        { at },
      );
  }
}

function signComplaint(op: string, operand: Node): ExpressionError {
  const hint = operand.checkedType?.kind === 'optional' ? orValueHint(operand) : undefined;
  return new ExpressionError(`${op[0]} cannot stand before ${typeWords(operand.checkedType)}`, { at: operand.start, hint });
}

function operatorComplaint(node: Node, known: Known): ExpressionError {
  const [left, right] = Array.isArray(node.args) ? node.args.filter(isNode) : [];
  const message = `there is no ${node.op} between ${typeWords(left?.checkedType)} and ${typeWords(right?.checkedType)}`;
  return new ExpressionError(message, { at: node.start, hint: left && right && operatorHint(left, right, known) });
}

function operatorHint(left: Node, right: Node, known: Known): string | undefined {
  const optional = [left, right].find(({ checkedType }) => checkedType?.kind === 'optional');
  const types = [left, right].map(({ checkedType }) => certain(checkedType));
  const names = types.map((type) => type?.name);
  if (names.includes('null')) return 'nothing is null: text that is absent is "", and a comparison with an absent number is false';
  if (optional) return orValueHint(optional);
  if (names.includes('int') && names.includes('double')) return 'write double(…) around the whole number';
  if (names.includes('string') && (names.includes('int') || names.includes('double')))
    return 'a number to compare or reckon with has no quotes';
  return types.map((type) => recordHint(type, known)).find((hint) => hint !== undefined);
}

/** What helps where a record stands that cannot. */
export function recordHint(type: CelType | undefined, known: Pick<Known, 'spokenFieldOf'>): string | undefined {
  const field = known.spokenFieldOf(type?.name ?? '');
  return field === undefined ? undefined : `name a field of the record, as .${field}`;
}

function callComplaint(node: Node, known: Known): ExpressionError {
  const given = callArguments(node);
  const [receiver, ...rest] = given.map(({ checkedType }) => typeWords(checkedType));
  const isMethod = node.op === 'rcall';
  const values = isMethod ? rest : given.map(({ checkedType }) => typeWords(checkedType));
  const on = isMethod ? ` on ${receiver}` : '';
  const optional = given.find(({ checkedType }) => checkedType?.kind === 'optional');
  return new ExpressionError(`${calledName(node)} cannot be called${on} with ${values.join(' and ') || 'nothing in its brackets'}`, {
    at: nameStart(node),
    hint: (optional && orValueHint(optional)) ?? callHint(node, known),
  });
}

function branchComplaint(node: Node): ExpressionError {
  const [, yes, no] = Array.isArray(node.args) ? node.args.filter(isNode) : [];
  return new ExpressionError(`one side of ? : is ${typeWords(yes?.checkedType)}, the other ${typeWords(no?.checkedType)}`, {
    at: node.start,
    hint: 'both sides must be of one type; string(…) makes text of a number',
  });
}

/** What helps where something may be absent that must not be. */
function orValueHint(node: Node): string {
  return `${written(node)} may be absent: write ${written(node)}.orValue(${emptyOf(certain(node.checkedType))})`;
}

function emptyOf(type: CelType | undefined): string {
  if (type?.name === 'string') return '""';
  return type?.name === 'int' ? '0' : type?.name === 'double' ? '0.0' : '…';
}
