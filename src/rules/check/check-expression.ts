import { conditionSource } from '../expression/condition.ts';
import { ExpressionError } from '../expression/expression-error.ts';
import type { Expression } from '../expression/expression.ts';
import { expressionsOf, type Place } from '../expression/expressions.ts';
import { idleClauses } from '../expression/unreachable.ts';
import type { CelType } from '../expression/tree.ts';
import { typeWords } from '../expression/type-words.ts';
import type { Path } from '../document/report.ts';
import type { Desk } from './desk.ts';

interface Written {
  readonly path: Path;
  readonly place: Place;
}

/** Checks an expression that stands at `at` in the text at `path`; undefined where it was found wrong. */
export function checkExpression(
  source: string,
  { path, place, at }: Written & { readonly at: number },
  { document, report, catalogue }: Desk,
): Expression | undefined {
  try {
    return expressionsOf(catalogue).compile(source, place);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report.error(document.textSpot(path, at + error.at), error.message, error.hint);
    return undefined;
  }
}

/** Checks an expression that must say true or false. */
export function checkCondition(text: string, written: Written, desk: Desk): Expression | undefined {
  const expression = checkTyped(text, { ...written, wanted: 'true or false', isWanted: ({ name }) => name === 'bool' }, desk);
  const { at: start } = conditionSource(text);
  for (const { at, why } of expression ? idleClauses(expression.tree) : []) {
    desk.report.warning(desk.document.textSpot(written.path, start + at), why);
  }
  return expression;
}

/** Checks an expression that an item is known by. */
export function checkKey(text: string, written: Written, desk: Desk): Expression | undefined {
  const isWanted = ({ name }: CelType): boolean => name === 'string' || name === 'int';
  return checkTyped(text, { ...written, wanted: 'text or a whole number', isWanted }, desk);
}

function checkTyped(
  text: string,
  { wanted, isWanted, ...written }: Written & { readonly wanted: string; readonly isWanted: (type: CelType) => boolean },
  desk: Desk,
): Expression | undefined {
  const { source, at } = conditionSource(text);
  const expression = checkExpression(source, { ...written, at }, desk);
  if (!expression || expression.type.kind === 'dyn' || isWanted(expression.type)) return expression;
  desk.report.error(desk.document.textSpot(written.path, at), `${wanted} is wanted here, not ${typeWords(expression.type)}`);
  return undefined;
}
