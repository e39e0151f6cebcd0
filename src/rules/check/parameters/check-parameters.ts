import type { Declared } from '#src/operation/declared.ts';
import type { Json, JsonObject } from '#src/operation/json.ts';
import { plainValue } from '../../document/plain-value.ts';
import type { Path } from '../../document/report.ts';
import { fits, isSpoken, shapeWords } from '../../expression/fits.ts';
import type { Expression } from '../../expression/expression.ts';
import type { Place } from '../../expression/expressions.ts';
import { typeWords } from '../../expression/complaints/type-words.ts';
import { isJsonObject } from '../../shape/json-object.ts';
import { shapeAt, shapeOf, type Shape } from '../../shape/shape.ts';
import { isTemplate, onlyExpression } from '../../text/template.ts';
import { checkExpression, type Checked } from '../check-expression.ts';
import type { Desk } from '../desk.ts';
import { valueAt } from '../json-path.ts';
import { checkStructure } from '../structure.ts';
import { templatesIn, type PlacedTemplate } from './templates.ts';

export interface CheckedParameters {
  /** As written: numbers are text where text is wanted. */
  readonly value: JsonObject;
  /** Those of its texts. */
  readonly expressions: readonly Checked[];
}

/** Checks the parameters at `path` against the declaration of their operation. */
export function checkParameters(
  { params }: Declared,
  { path, place }: { readonly path: Path; readonly place: Place },
  desk: Desk,
): CheckedParameters {
  const shape = shapeOf(params);
  const value = plainValue(desk.document, path, shape) ?? {};
  const isOpen = (at: Path): boolean => isOpenText(valueAt(value, at));
  checkStructure(params, value, { desk, path, isOpen });
  warnOfComments(value, { path, shape }, desk);
  const expressions = templatesIn(value).flatMap((template) => checkTemplate(template, { path, place, shape }, desk));
  return { value: isJsonObject(value) ? value : {}, expressions };
}

function checkTemplate(
  { path: inside, template }: PlacedTemplate,
  { path: above, place, shape }: { readonly path: Path; readonly place: Place; readonly shape: Shape },
  desk: Desk,
): readonly Checked[] {
  const path = [...above, ...inside];
  const wanted = shapeAt(shape, inside);
  const only = onlyExpression(template);
  if (template.unclosedAt !== undefined) {
    desk.report.error(desk.document.textSpot(path, template.unclosedAt), '${{ is not closed: its }} is missing, or a quote is left open');
  }
  return template.pieces.flatMap((piece) => {
    if (!('source' in piece) || desk.report.isFull) return [];
    const checked = checkExpression(piece.source, { path, place, at: piece.at }, desk);
    if (!checked || !wanted) return [];
    const problem = only ? loneProblem(checked.expression, wanted) : textProblem(checked.expression, wanted);
    if (problem === undefined) return [checked];
    desk.report.error(desk.document.textSpot(path, piece.at), problem.message, problem.hint);
    return [];
  });
}

interface TypeProblem {
  readonly message: string;
  readonly hint?: string;
}

function loneProblem({ type, source }: Expression, wanted: Shape): TypeProblem | undefined {
  if (fits(type, wanted)) return undefined;
  const canBeText = fits({ kind: 'primitive', name: 'string' }, wanted) && isSpoken(type);
  const message = `${shapeWords(wanted)} is wanted here, not ${typeWords(type)}`;
  return canBeText ? { message, hint: `write string(${source})` } : { message, ...recordHint(type.kind) };
}

function textProblem({ type }: Expression, wanted: Shape): TypeProblem | undefined {
  if (!fits({ kind: 'primitive', name: 'string' }, wanted)) {
    return { message: `${shapeWords(wanted)} is wanted here, not text`, hint: 'let the ${{ }} stand alone' };
  }
  return isSpoken(type) ? undefined : { message: `${typeWords(type)} cannot stand in text`, ...recordHint(type.kind) };
}

function recordHint(kind: string): { readonly hint?: string } {
  if (kind === 'list') return { hint: 'put its elements together with .join(", ")' };
  return kind === 'message' ? { hint: 'name a field of the record, as .id' } : {};
}

/** Plain text ends at " #", which few expect of a title such as "Top #1". */
function warnOfComments(value: Json, { path, shape }: { readonly path: Path; readonly shape: Shape }, { document, report }: Desk): void {
  for (const inside of textsIn(value)) {
    const place = [...path, ...inside];
    if (shapeAt(shape, inside)?.kind === 'text' && document.endsAtComment(place)) {
      report.warning(
        document.spot(place),
        'the text ends before " #": the rest of the line is a comment',
        'put quotes around the text, or the comment above it',
      );
    }
  }
}

function textsIn(value: Json | undefined, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, [...path, isList ? Number(key) : key]));
}

function isOpenText(value: Json | undefined): boolean {
  return typeof value === 'string' && isTemplate(value);
}
