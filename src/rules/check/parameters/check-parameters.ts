import type { Declared } from '#src/operation/declared.ts';
import { isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import { plainValue } from '../../document/plain-value.ts';
import type { Path } from '../../document/report.ts';
import { typeWords } from '../../expression/complaints/type-words.ts';
import type { Expression } from '../../expression/expression.ts';
import type { Place } from '../../expression/expressions.ts';
import { fits, isSpoken, shapeWords } from '../../expression/fits.ts';
import { shapeAt, shapeOf, type Shape } from '../../shape/shape.ts';
import { isTemplate, onlyExpression, parseTemplate } from '../../grammar/template.ts';
import { checkExpression, type Checked } from '../check-expression.ts';
import type { Desk } from '../desk.ts';
import { valueAt } from '../json-path.ts';
import { checkStructure } from '../structure.ts';
import { warnOfComment } from '../warnings.ts';
import { textsIn, type PlacedText } from './texts-in.ts';

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
  const texts = textsIn(value);
  for (const text of texts) if (shapeAt(shape, text.path)?.kind === 'text') warnOfComment([...path, ...text.path], desk);
  const templates = texts.filter(({ text }) => isTemplate(text));
  const expressions = templates.flatMap((text) => checkTemplate(text, { path, place, shape }, desk));
  return { value: isJsonObject(value) ? value : {}, expressions };
}

function checkTemplate(
  { path: inside, text }: PlacedText,
  { path: above, place, shape }: { readonly path: Path; readonly place: Place; readonly shape: Shape },
  desk: Desk,
): readonly Checked[] {
  const path = [...above, ...inside];
  const wanted = shapeAt(shape, inside);
  const template = parseTemplate(text);
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

function isOpenText(value: Json | undefined): boolean {
  return typeof value === 'string' && isTemplate(value);
}
