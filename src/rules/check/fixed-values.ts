import { isJsonList, type Json } from '#src/clients/operation/json.ts';
import { isCollecting } from '#src/rules/collecting.ts';
import type { Path } from '#src/rules/document/report.ts';
import { evaluateTemplate } from '#src/rules/expression/evaluate-template.ts';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import { isItemAccount } from '#src/rules/grammar/scalars.ts';
import { isTemplate, parseTemplate, type Template } from '#src/rules/grammar/template.ts';
import { ON_ITEM, WhenFile } from '#src/rules/grammar/when-file.ts';
import { fixedSite, type CheckContext } from './check-context.ts';
import { checkTemplate } from './check-expression.ts';
import { mapFields, mapTexts } from './json-path.ts';

/** Evaluates the expressions that are fixed at load: in `when`, `quiet`, `limit`, `gather` and `as`. */
export function fixValues(raw: Json | undefined, context: CheckContext): Json | undefined {
  return mapFields(raw, (key, value) => {
    if (key === 'when') return mapFields(value, (name, one) => (isOpenIn(name) ? one : fixTexts(one, ['when', name], context)));
    if (isCollecting(key)) {
      return mapFields(value, (name, one) =>
        name === 'then' && isJsonList(one) ? fixSteps(one, [key, 'then'], context) : fixTexts(one, [key, name], context),
      );
    }
    return key === 'then' || key === 'while' || key === 'finally' ? fixSteps(value, [key], context) : value;
  });
}

/** Evaluates all templates in a value; reports errors. */
export function fixTexts(value: Json | undefined, path: Path, context: CheckContext): Json | undefined {
  return mapTexts(value, path, (text, at) => (isTemplate(text) ? evaluateFixed(text, at, context) : text));
}

/** The text of a template that is equal for all firings; undefined if it is not. */
export function fixedText(text: string, context: CheckContext): string | undefined {
  if (!isTemplate(text)) return text;
  if (!context.constants || !/\b(?:vars|each)\./u.test(text)) return undefined;
  try {
    const value = evaluateTemplate(text, {}, { site: fixedSite(context), catalogue: context.catalogue });
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** The parts of a text. Expressions whose text is equal for all firings are parts of its literal text. */
export function fixedPieces(text: string, context: CheckContext): Template {
  const template = parseTemplate(text);
  const pieces = template.pieces.map((piece) => {
    const fixed = 'source' in piece ? fixedText(`\${{ ${piece.source} }}`, context) : undefined;
    return fixed === undefined ? piece : { text: fixed };
  });
  return { ...template, pieces };
}

/** Whether expressions in a key of `when` are evaluated later, or not at all: an unknown key has its own error. */
function isOpenIn(key: string): boolean {
  return key === 'with' || ON_ITEM.includes(key) || !Object.hasOwn(WhenFile.shape, key);
}

function fixSteps(steps: Json | undefined, path: Path, context: CheckContext): Json | undefined {
  if (!isJsonList(steps)) return steps;
  return steps.map(
    (step, index) =>
      mapFields(step, (key, one) => (key === 'as' && !isItemAccount(one) ? fixTexts(one, [...path, index, key], context) : one)) ?? null,
  );
}

function evaluateFixed(text: string, path: Path, context: CheckContext): Json | undefined {
  const { document, report, catalogue } = context;
  const site = fixedSite(context);
  if (!checkTemplate(text, { path, site }, context).isRight) return undefined;
  try {
    return evaluateTemplate(text, {}, { site, catalogue });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report.error(document.locationOf(path), 'expression', error.message, error.hint);
    return undefined;
  }
}
