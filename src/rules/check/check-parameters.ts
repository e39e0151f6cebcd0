import type { Declared } from '#src/clients/operation/declared.ts';
import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { plainValue } from '#src/rules/document/plain-value.ts';
import type { Path } from '#src/rules/document/report.ts';
import { evaluateTemplate } from '#src/rules/expression/evaluate-template.ts';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import { listsIn, listValues } from '#src/rules/expression/list-shapes.ts';
import type { Expression } from '#src/rules/expression/expression.ts';
import type { ExpressionSite } from '#src/rules/expression/expressions.ts';
import { describeShape, describeType, fits, isPrintable } from '#src/rules/expression/type-fit.ts';
import { FOLDER_HINT, isAddress, namesFolder } from '#src/rules/grammar/file-path.ts';
import type { Lists } from '#src/rules/lists.ts';
import { isTemplate, parseTemplate } from '#src/rules/grammar/template.ts';
import { NOT_FOR_POLLS } from '#src/rules/grammar/when-file.ts';
import { shapeAt, shapeOf, textOf, type Shape } from '#src/rules/shape/shape.ts';
import { fixedSite, isSet, type CheckContext } from './check-context.ts';
import { checkTemplate, type CheckedExpression, type ParameterText, type TypeMismatch } from './check-expression.ts';
import { checkNames } from './check-names.ts';
import { checkStructure } from './check-structure.ts';
import { fixTexts } from './fixed-values.ts';
import { mapTexts, textsIn, valueAt } from './json-path.ts';
import {
  checkBarePath,
  checkCurlyQuotes,
  checkPlaceholders,
  checkPlainText,
  checkWrittenBreaks,
  checkWrittenTimes,
} from './text-warnings.ts';
import { checkWrittenValues } from './check-written-values.ts';

interface CheckedParameters {
  /** As written: numbers are text if text is expected. */
  readonly value: JsonObject;
  /** The expressions without errors. */
  readonly expressions: readonly CheckedExpression[];
  readonly texts: readonly ParameterText[];
}

/** Checks the parameters at `path` against the declaration of their operation. */
export function checkParameters(
  declared: Declared,
  { path, site }: { readonly path: Path; readonly site: ExpressionSite },
  context: CheckContext,
): CheckedParameters {
  const { params } = declared;
  const shape = shapeOf(params);
  const value = plainValue(context.document, path, shape) ?? {};
  const isOpen = (at: Path): boolean => {
    const text = valueAt(value, at);
    return typeof text === 'string' && isTemplate(text);
  };
  checkStructure(params, value, { path, isOpen }, context);
  checkWrittenValues(params, value, { path, site }, context);
  checkNames(declared, value, path, context);
  const found: CheckedExpression[] = [];
  const texts = textsIn(value).map((text): ParameterText => {
    const expected = shapeAt(shape, text.path);
    const at = [...path, ...text.path];
    if (expected?.kind === 'text') checkPlainText(text.text, at, context);
    if (expected?.kind === 'text') checkPlaceholders(text.text, { path: at, site }, context);
    if (expected?.kind === 'text' && expected.isUser !== true) checkCurlyQuotes(text.text, at, context);
    if (expected?.kind === 'text' && expected.markup !== undefined) checkWrittenBreaks(text.text, at, context);
    const asText = expected && textOf(expected);
    // A file can have such a name.
    if (asText && asText.file === undefined) checkBarePath(text.text, { path: at, site }, context);
    const checkType =
      expected && ((one: Expression, isAlone: boolean) => (isAlone ? loneMismatch(one, expected) : textMismatch(one, expected)));
    const { right, isRight } = isTemplate(text.text)
      ? checkTemplate(text.text, { path: at, site, checkType }, context)
      : { right: [], isRight: true };
    if (expected?.kind === 'text' && expected.markup === 'markdown') checkWrittenTimes(text.text, right, at, context);
    found.push(...right);
    const checked: ParameterText = { ...text, shape: expected, expressions: isRight ? right : undefined };
    checkFilePath(checked, at, context);
    return checked;
  });
  return { value: isJsonObject(value) ? value : {}, expressions: found, texts };
}

/** Checks the expressions in the parameters of an unknown operation. */
export function checkTexts(
  { path, site }: { readonly path: Path; readonly site: ExpressionSite },
  context: CheckContext,
): readonly CheckedExpression[] {
  return textsIn(plainValue(context.document, path, { kind: 'anything' }))
    .filter(({ text }) => isTemplate(text))
    .flatMap((one) => checkTemplate(one.text, { path: [...path, ...one.path], site }, context).right);
}

/** The parameters of a watched operation. */
interface WatchedParameters {
  /** As written if they read lists. */
  readonly value: JsonObject;
  /** Computes them at each poll, if they read lists. Throws an `ExpressionError`. */
  readonly atPoll?: ((lists: Lists) => JsonObject) | undefined;
}

/** Checks the parameters of a watched operation, and evaluates their expressions: at load, or at each poll if they read lists. */
export function checkFixedParameters(declared: Declared, path: Path, context: CheckContext): WatchedParameters {
  const { document, report } = context;
  for (const name of NOT_FOR_POLLS) {
    if (isSet(context, [...path, name])) {
      const message = `${name} is not available in watch`;
      report.error(document.keyLocation(path, name), 'not-for-polls', message, 'remove it');
    }
  }
  const { value, expressions, texts } = checkParameters(declared, { path, site: fixedSite(context) }, context);
  if (expressions.length === 0 || texts.some((text) => text.expressions === undefined)) return { value };
  if (expressions.some(({ expression }) => expression.names.has('lists'))) return { value, atPoll: readingLists(value, declared, context) };
  const result = fixTexts(value, path, context);
  checkStructure(declared.params, result, { path }, context);
  if (result !== undefined) checkNames(declared, result, path, context);
  return { value: isJsonObject(result) ? result : {} };
}

function readingLists(value: JsonObject, { params }: Declared, context: CheckContext): (lists: Lists) => JsonObject {
  const { catalogue } = context;
  const site = fixedSite(context);
  const names = listsIn(JSON.stringify(value).replaceAll('\\"', '"'));
  return (lists) => {
    const inputs = { lists: listValues(names, lists) };
    const result = mapTexts(value, [], (text) => (isTemplate(text) ? evaluateTemplate(text, inputs, { site, catalogue }) : text));
    const checked = params.safeParse(result);
    if (checked.success) return isJsonObject(result) ? result : {};
    const [issue] = checked.error.issues;
    throw new ExpressionError(`${issue?.path.join('.') ?? 'with'}: ${issue?.message ?? 'the value does not fit'}`, { at: 0 });
  };
}

function loneMismatch({ type, source, recordHint }: Expression, expected: Shape): TypeMismatch | undefined {
  if (fits(type, expected)) return undefined;
  const canBeText = fits({ kind: 'primitive', name: 'string' }, expected) && isPrintable(type);
  const message = `expected ${describeShape(expected)}, found ${describeType(type)}`;
  if (expected.kind === 'list' && fits(type, expected.of)) return { message, hint: `write ["\${{ ${source} }}"]` };
  if (expected.kind === 'list' && type.kind === 'list') return { message, hint: `take a field of each element: ${source}.map(x, x.id)` };
  return canBeText ? { message, hint: `write string(${source})` } : { message, hint: listHint(type.kind) ?? recordHint };
}

function textMismatch({ type, recordHint }: Expression, expected: Shape): TypeMismatch | undefined {
  if (!fits({ kind: 'primitive', name: 'string' }, expected)) {
    return { message: `expected ${describeShape(expected)}, found text`, hint: 'remove the text around ${{ }}' };
  }
  if (isPrintable(type)) return undefined;
  return { message: `${describeType(type)} cannot be inserted into text`, hint: listHint(type.kind) ?? recordHint };
}

function listHint(kind: string): string | undefined {
  return kind === 'list' ? `join the elements with .join(', ')` : undefined;
}

/** Notes the local file that a text names. Reports a text in which a platform would choose the file. */
function checkFilePath({ text, shape, expressions = [] }: ParameterText, path: Path, { document, report }: CheckContext): void {
  const file = shape && textOf(shape)?.file;
  if (!file) return;
  if (!isTemplate(text)) {
    if (text !== '' && !isAddress(text)) report.addFile(text, document.locationOf(path));
    return;
  }
  let before = '';
  for (const piece of parseTemplate(text).pieces) {
    if ('text' in piece) {
      before += piece.text;
      continue;
    }
    const { expression } = expressions.find(({ at }) => at === piece.at) ?? {};
    // Rendering checks paths that come from constants.
    if (!expression || expression.isAuthorText) return;
    if (!fits(expression.type, { kind: 'text' })) continue;
    if (namesFolder(before) || (file === 'pathOrAddress' && (before === '' || isAddress(before)))) return;
    const message = 'the path of a file cannot come from a platform';
    report.error(document.textLocation(path, piece.at), 'untrusted-path', message, FOLDER_HINT);
    return;
  }
}
