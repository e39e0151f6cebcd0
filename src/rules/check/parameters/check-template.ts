import type { Path } from '../../document/report.ts';
import type { Expression } from '../../expression/expression.ts';
import type { Place } from '../../expression/expressions.ts';
import { onlyExpression, parseTemplate } from '../../grammar/template.ts';
import { checkExpression, type Checked } from '../check-expression.ts';
import type { Desk } from '../desk.ts';

export interface TemplateOptions {
  /** Of the text. */
  readonly path: Path;
  readonly place: Place;
  /** What is wrong with an expression of it; `isAlone`: it is the whole text and keeps its type. */
  readonly judge?: ((expression: Expression, isAlone: boolean) => TypeProblem | undefined) | undefined;
}

export interface TypeProblem {
  readonly message: string;
  readonly hint?: string;
}

/** Checks the expressions in a text; undefined where any of them was found wrong. */
export function checkTemplate(text: string, { path, place, judge }: TemplateOptions, desk: Desk): readonly Checked[] | undefined {
  const { document, report } = desk;
  const template = parseTemplate(text);
  const isAlone = onlyExpression(template) !== undefined;
  if (template.unclosedAt !== undefined) {
    report.error(document.textSpot(path, template.unclosedAt), '${{ is not closed: its }} is missing, or a quote is left open');
  }
  const checked = template.pieces.map((piece) => {
    if (!('source' in piece)) return [];
    const one = report.isFull ? undefined : checkExpression(piece.source, { path, place, at: piece.at }, desk);
    const problem = one && judge?.(one.expression, isAlone);
    if (problem) report.error(document.textSpot(path, piece.at), problem.message, problem.hint);
    return one && !problem ? [one] : undefined;
  });
  return template.unclosedAt === undefined && checked.every((one) => one !== undefined) ? checked.flat() : undefined;
}
