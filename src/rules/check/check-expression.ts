import type { Catalogue } from '#src/clients/operation/declared.ts';
import type { Path } from '#src/rules/document/report.ts';
import { conditionSource } from '#src/rules/expression/condition.ts';
import { clausesNeverTrue, idleClauses, type KnownFacts } from '#src/rules/expression/decided-clauses.ts';
import { truthHint } from '#src/rules/expression/diagnostics/type-errors.ts';
import { constantErrors } from '#src/rules/expression/constant-errors.ts';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import type { Expression } from '#src/rules/expression/expression.ts';
import { pastLimits } from '#src/rules/expression/past-limits.ts';
import { missingKeys, shortTexts } from '#src/rules/expression/missing-keys.ts';
import { timesInUtc, wildcards } from '#src/rules/expression/misread-calls.ts';
import { misreadNumbers } from '#src/rules/expression/misread-numbers.ts';
import { misreadPatterns } from '#src/rules/expression/patterns.ts';
import { impossibleValues } from '#src/rules/expression/impossible-values.ts';
import { variablesOf } from '#src/rules/expression/scopes.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import type { Variables } from '#src/rules/expression/language/environment.ts';
import type { CelType } from '#src/rules/expression/language/tree.ts';
import { describeType } from '#src/rules/expression/type-fit.ts';
import { onlyExpression, parseTemplate } from '#src/rules/grammar/template.ts';
import type { Shape } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import type { PlacedText } from './json-path.ts';

interface ExpressionText {
  /** The path of the text that has the expression. */
  readonly path: Path;
  readonly site: ExpressionSite;
}

/** An expression without errors. */
export interface CheckedExpression {
  readonly expression: Expression;
  readonly path: Path;
  /** Its offset in the text. */
  readonly at: number;
}

export interface ParameterText extends PlacedText {
  readonly shape: Shape | undefined;
  /** Undefined if any of them has an error. */
  readonly expressions: readonly CheckedExpression[] | undefined;
}

/** The keys that declare the fields of a record. */
const DECLARATIONS: ReadonlyMap<string, Path> = new Map([
  ['each', ['each']],
  ['keep', ['keep']],
  ['command.options', ['when', 'options']],
  ['item', ['when', 'fields']],
]);

/** Checks an expression at offset `at` of the text; undefined if it has an error. */
function checkExpression(
  source: string,
  { path, site, at }: ExpressionText & { readonly at: number },
  { document, report, catalogue }: CheckContext,
): CheckedExpression | undefined {
  try {
    const expression = expressionsOf(catalogue).compile(source, site);
    for (const one of impossibleValues(expression.tree, shapesAt(site, catalogue))) {
      report.warning(document.textLocation(path, at + one.at), 'decided-clause', one.message, one.hint);
    }
    for (const one of site.kind === 'fixed' ? [] : missingKeys(expression.tree)) {
      report.warning(document.textLocation(path, at + one.at), 'missing-map-key', one.message, one.hint);
    }
    // The check of a key tries it with items, and `where` leaves out items for which it fails.
    for (const one of source.includes('substring') && !['fixed', 'item'].includes(site.kind) ? shortTexts(expression.tree) : []) {
      report.warning(document.textLocation(path, at + one.at), 'short-text', one.message, one.hint);
    }
    for (const one of expression.doubtfulFields) {
      report.warning(document.textLocation(path, at + one.at), 'doubtful-field', one.message, one.hint);
    }
    for (const one of source.includes('rx') ? misreadPatterns(expression.tree) : []) {
      report.warning(document.textLocation(path, at + one.at), 'misread-pattern', one.message, one.hint);
    }
    for (const one of /\d\.\d{3}/u.test(source) ? misreadNumbers(expression.tree) : []) {
      report.warning(document.textLocation(path, at + one.at), 'misread-number', one.message, one.hint);
    }
    for (const one of /get(?:Hours|Da|Month)/u.test(source) ? timesInUtc(expression.tree) : []) {
      report.warning(document.textLocation(path, at + one.at), 'time-in-utc', one.message, one.hint);
    }
    for (const one of source.includes('*') ? wildcards(expression.tree) : []) {
      report.warning(document.textLocation(path, at + one.at), 'wildcard', one.message, one.hint);
    }
    const failing = constantErrors(expression.tree, (part) => expressionsOf(catalogue).compile(part, site));
    for (const { isCertain, message, hint, ...one } of failing) {
      // The check evaluates fixed values, and then reports their errors.
      if (!isCertain && site.kind === 'fixed') continue;
      report[isCertain ? 'error' : 'warning'](document.textLocation(path, at + one.at), 'constant-value', message, hint);
    }
    return failing.some(({ isCertain }) => isCertain) ? undefined : { expression, path, at };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const declaration = DECLARATIONS.get(error.record ?? '') ?? DECLARATIONS.get(error.record?.split('.')[0] ?? '');
    // A field that is declared with an error is only missing because of that error.
    if (declaration && report.hasErrorIn(declaration)) return undefined;
    report.error(document.textLocation(path, at + error.at), 'expression', error.message, error.hint);
    return undefined;
  }
}

const CONDITION = 'true or false';

/** Checks a condition. It warns of clauses that `facts` or other clauses decide. */
export function checkCondition(
  text: string,
  { facts, ...written }: ExpressionText & { readonly facts?: KnownFacts | undefined },
  context: CheckContext,
): CheckedExpression | undefined {
  const checked = checkTyped(text, { ...written, expected: CONDITION, isExpected: ({ name }) => name === 'bool' }, context);
  if (!checked) return undefined;
  const { tree } = checked.expression;
  const idle = idleClauses(tree);
  const never = facts ? clausesNeverTrue(tree, facts).filter(({ at }) => !idle.some((one) => one.at === at)) : [];
  const past = context.nowMs === undefined ? [] : pastLimits(tree, context.nowMs);
  for (const { at, message, hint } of [...idle, ...never, ...past]) {
    context.report.warning(context.document.textLocation(written.path, checked.at + at), 'decided-clause', message, hint);
  }
  return checked;
}

/** Reads the shapes of the names at a site; most expressions need none. */
function shapesAt({ kind, names }: ExpressionSite, catalogue: Catalogue): (name: string) => Shape | undefined {
  let variables: Variables | undefined;
  return (name) => (variables ??= variablesOf(kind, names, catalogue)).get(name)?.shape;
}

/** Checks the expression of an item key. */
export function checkKey(text: string, written: ExpressionText, context: CheckContext): CheckedExpression | undefined {
  const isExpected = ({ name }: CelType): boolean => name === 'string' || name === 'int';
  return checkTyped(text, { ...written, expected: 'text or a whole number', isExpected }, context);
}

/** Checks the expression of a `forEach`. */
export function checkList(text: string, written: ExpressionText, context: CheckContext): CheckedExpression | undefined {
  return checkTyped(text, { ...written, expected: 'a list', isExpected: ({ kind }) => kind === 'list' }, context);
}

/** Checks an expression, and that its type is the expected one. */
export function checkTyped(
  text: string,
  { expected, isExpected, ...written }: ExpressionText & { readonly expected: string; readonly isExpected: (type: CelType) => boolean },
  context: CheckContext,
): CheckedExpression | undefined {
  const { source, at } = conditionSource(text);
  const checked = checkExpression(source, { ...written, at }, context);
  const type = checked?.expression.type;
  if (!type || type.kind === 'dyn' || isExpected(type)) return checked;
  const message = `expected ${expected}, found ${describeType(type)}`;
  const hint = expected === CONDITION ? truthHint(checked.expression.tree) : undefined;
  context.report.error(context.document.textLocation(written.path, at), 'wrong-type', message, hint);
  return undefined;
}

/** An expression of the wrong type. */
export interface TypeMismatch {
  readonly message: string;
  readonly hint?: string | undefined;
}

interface TemplateOptions extends ExpressionText {
  /** Checks the type of an expression. `isAlone`: the expression is the whole text and keeps its type. */
  readonly checkType?: ((expression: Expression, isAlone: boolean) => TypeMismatch | undefined) | undefined;
}

/** Checks the expressions in a text. `right` are those without errors; `isRight`: the whole text has none. */
export function checkTemplate(
  text: string,
  { path, site, checkType }: TemplateOptions,
  context: CheckContext,
): { readonly right: readonly CheckedExpression[]; readonly isRight: boolean } {
  const { document, report } = context;
  const template = parseTemplate(text);
  const isAlone = onlyExpression(template) !== undefined;
  if (template.unclosedAt !== undefined) {
    const hint = /\\["'][^"']*\}\}/u.test(text.slice(template.unclosedAt))
      ? 'a backslash before quotes keeps them open, also in r"…": write "\\\\" for a backslash'
      : 'add }}, or close the quotes in the expression';
    report.error(document.textLocation(path, template.unclosedAt), 'unclosed-expression', '${{ is not closed', hint);
  }
  const written = template.pieces.filter((piece) => 'source' in piece);
  const right = written.flatMap((piece) => {
    const one = report.isFull ? undefined : checkExpression(piece.source, { path, site, at: piece.at }, context);
    const error = one && checkType?.(one.expression, isAlone);
    if (error) report.error(document.textLocation(path, piece.at), 'wrong-type', error.message, error.hint);
    return one && !error ? [one] : [];
  });
  return { right, isRight: template.unclosedAt === undefined && right.length === written.length };
}
