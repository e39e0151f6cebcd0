import type { Path } from '../document/report.ts';
import { ExpressionError } from '../expression/complaints/expression-error.ts';
import { typeWords } from '../expression/complaints/type-words.ts';
import { conditionSource } from '../expression/condition.ts';
import type { Expression } from '../expression/expression.ts';
import { expressionsOf, type Place } from '../expression/expressions.ts';
import type { CelType } from '../expression/language/tree.ts';
import { clausesNeverTrue, type Given } from '../expression/never-true.ts';
import { idleClauses } from '../expression/unreachable.ts';
import type { Desk } from './desk.ts';

export interface Written {
  /** Of the text that the expression stands in. */
  readonly path: Path;
  readonly place: Place;
}

/** An expression that was found right. */
export interface Checked {
  readonly expression: Expression;
  readonly path: Path;
  /** Where it begins in the text. */
  readonly at: number;
}

/** Checks an expression that stands at `at` in the text at `path`; undefined where it was found wrong. */
export function checkExpression(
  source: string,
  { path, place, at }: Written & { readonly at: number },
  { document, report, catalogue }: Desk,
): Checked | undefined {
  try {
    return { expression: expressionsOf(catalogue).compile(source, place), path, at };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report.error(document.textSpot(path, at + error.at), error.message, error.hint);
    return undefined;
  }
}

/** Checks an expression that must say true or false; `given`: what holds already where it is asked. */
export function checkCondition(
  text: string,
  { given, ...written }: Written & { readonly given?: Given | undefined },
  desk: Desk,
): Checked | undefined {
  const checked = checkTyped(text, { ...written, wanted: 'true or false', isWanted: ({ name }) => name === 'bool' }, desk);
  if (!checked) return undefined;
  const { tree } = checked.expression;
  const idle = idleClauses(tree);
  const never = given ? clausesNeverTrue(tree, given).filter(({ at }) => !idle.some((one) => one.at === at)) : [];
  for (const { at, why, hint } of [...idle, ...never]) {
    desk.report.warning(desk.document.textSpot(written.path, checked.at + at), why, hint);
  }
  return checked;
}

/** Checks an expression that an item is known by. */
export function checkKey(text: string, written: Written, desk: Desk): Checked | undefined {
  const isWanted = ({ name }: CelType): boolean => name === 'string' || name === 'int';
  return checkTyped(text, { ...written, wanted: 'text or a whole number', isWanted }, desk);
}

/** Checks an expression whose elements a step is done for. */
export function checkList(text: string, written: Written, desk: Desk): Checked | undefined {
  return checkTyped(text, { ...written, wanted: 'a list', isWanted: ({ kind }) => kind === 'list' }, desk);
}

function checkTyped(
  text: string,
  { wanted, isWanted, ...written }: Written & { readonly wanted: string; readonly isWanted: (type: CelType) => boolean },
  desk: Desk,
): Checked | undefined {
  const { source, at } = conditionSource(text);
  const checked = checkExpression(source, { ...written, at }, desk);
  const type = checked?.expression.type;
  if (!type || type.kind === 'dyn' || isWanted(type)) return checked;
  desk.report.error(desk.document.textSpot(written.path, at), `${wanted} is wanted here, not ${typeWords(type)}`);
  return undefined;
}
