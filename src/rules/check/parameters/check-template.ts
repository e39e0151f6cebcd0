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
  readonly hint?: string | undefined;
}

export interface CheckedTemplate {
  /** Those of its expressions that were found right. */
  readonly right: readonly Checked[];
  /** Whether all were, and the text as a whole. */
  readonly isRight: boolean;
}

/** Checks the expressions in a text. */
export function checkTemplate(text: string, { path, place, judge }: TemplateOptions, desk: Desk): CheckedTemplate {
  const { document, report } = desk;
  const template = parseTemplate(text);
  const isAlone = onlyExpression(template) !== undefined;
  if (template.unclosedAt !== undefined) {
    report.error(document.textSpot(path, template.unclosedAt), '${{ is not closed: its }} is missing, or a quote is left open');
  }
  const written = template.pieces.filter((piece) => 'source' in piece);
  const right = written.flatMap((piece) => {
    const one = report.isFull ? undefined : checkExpression(piece.source, { path, place, at: piece.at }, desk);
    const problem = one && judge?.(one.expression, isAlone);
    if (problem) report.error(document.textSpot(path, piece.at), problem.message, problem.hint);
    return one && !problem ? [one] : [];
  });
  return { right, isRight: template.unclosedAt === undefined && right.length === written.length };
}
