import type { Declared } from '#src/operation/declared.ts';
import { isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import { plainValue } from '../../document/plain-value.ts';
import type { Path } from '../../document/report.ts';
import { typeWords } from '../../expression/complaints/type-words.ts';
import type { Expression } from '../../expression/expression.ts';
import type { Place } from '../../expression/expressions.ts';
import { fits, isSpoken, shapeWords } from '../../expression/fits.ts';
import { isTemplate } from '../../grammar/template.ts';
import { shapeAt, shapeOf, type Shape } from '../../shape/shape.ts';
import type { Checked } from '../check-expression.ts';
import type { Desk } from '../desk.ts';
import { valueAt } from '../json-path.ts';
import { checkStructure } from '../structure.ts';
import { warnOfComment } from '../warnings/warn-of-comment.ts';
import { warnOfBraces } from '../warnings/warn-of-braces.ts';
import { checkFileText } from './check-file-text.ts';
import { checkTemplate, type TypeProblem } from './check-template.ts';
import { textsIn, type PlacedText } from './texts-in.ts';

export interface CheckedParameters {
  /** As written: numbers are text where text is wanted. */
  readonly value: JsonObject;
  /** Those of its texts that were found right. */
  readonly expressions: readonly Checked[];
  /** All its texts, with what is wanted in the place of each. */
  readonly texts: readonly ParameterText[];
}

export interface ParameterText extends PlacedText {
  readonly shape: Shape | undefined;
  /** Its expressions; undefined where any of them is wrong. */
  readonly expressions: readonly Checked[] | undefined;
}

/** Text without expressions. */
const PLAIN = { right: [], isRight: true } as const;

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
  const found: Checked[] = [];
  const texts = textsIn(value).map((text): ParameterText => {
    const wanted = shapeAt(shape, text.path);
    const at = [...path, ...text.path];
    if (wanted?.kind === 'text') {
      warnOfComment(at, desk);
      warnOfBraces(text.text, at, desk);
    }
    const judge = wanted && ((one: Expression, isAlone: boolean) => (isAlone ? loneProblem(one, wanted) : textProblem(one, wanted)));
    const { right, isRight } = isTemplate(text.text) ? checkTemplate(text.text, { path: at, place, judge }, desk) : PLAIN;
    found.push(...right);
    const checked: ParameterText = { ...text, shape: wanted, expressions: isRight ? right : undefined };
    checkFileText(checked, at, desk);
    return checked;
  });
  return { value: isJsonObject(value) ? value : {}, expressions: found, texts };
}

/** Checks the expressions of parameters at `path` that nobody knows the declaration of. */
export function checkTexts({ path, place }: { readonly path: Path; readonly place: Place }, desk: Desk): readonly Checked[] {
  const texts = textsIn(plainValue(desk.document, path, { kind: 'anything' }));
  return texts
    .filter(({ text }) => isTemplate(text))
    .flatMap((one) => checkTemplate(one.text, { path: [...path, ...one.path], place }, desk).right);
}

function loneProblem({ type, source, recordHint }: Expression, wanted: Shape): TypeProblem | undefined {
  if (fits(type, wanted)) return undefined;
  const canBeText = fits({ kind: 'primitive', name: 'string' }, wanted) && isSpoken(type);
  const message = `${shapeWords(wanted)} is wanted here, not ${typeWords(type)}`;
  return canBeText ? { message, hint: `write string(${source})` } : { message, hint: hintOf(type.kind) ?? recordHint };
}

function textProblem({ type, recordHint }: Expression, wanted: Shape): TypeProblem | undefined {
  if (!fits({ kind: 'primitive', name: 'string' }, wanted)) {
    return { message: `${shapeWords(wanted)} is wanted here, not text`, hint: 'let the ${{ }} stand alone' };
  }
  return isSpoken(type) ? undefined : { message: `${typeWords(type)} cannot stand in text`, hint: hintOf(type.kind) ?? recordHint };
}

function hintOf(kind: string): string | undefined {
  return kind === 'list' ? 'put its elements together with .join(", ")' : undefined;
}

function isOpenText(value: Json | undefined): boolean {
  return typeof value === 'string' && isTemplate(value);
}
