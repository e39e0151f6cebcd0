import type { z } from 'zod';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Path } from '#src/rules/document/report.ts';
import { evaluateTemplate } from '#src/rules/expression/evaluate-template.ts';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import { constantValue, writtenValues, type WrittenValue } from '#src/rules/expression/written-values.ts';
import { onlyExpression, parseTemplate } from '#src/rules/grammar/template.ts';
import type { CheckContext } from './check-context.ts';
import { structureIssues } from './check-structure.ts';
import { textsIn, withTextReplaced } from './json-path.ts';

/** Reports the keys of maps in expressions, for example `{'ulr': m.url}`, that the parameters of an operation do not have. */
export function checkWrittenValues(
  params: z.ZodType,
  value: Json | undefined,
  { path: base, site }: { readonly path: Path; readonly site: ExpressionSite },
  context: CheckContext,
): void {
  for (const { path, text } of textsIn(value)) {
    for (const { written, offset } of valuesOf(text, site, context)) {
      const whole = withTextReplaced(value, path, written.value);
      reportWithin(written, { path, offset, issues: structureIssues(params, whole, base, context) }, base, context);
    }
  }
}

/** The values that the only expression of a text writes out or takes from constants, and the offset of this expression. */
function valuesOf(
  text: string,
  site: ExpressionSite,
  { catalogue }: CheckContext,
): readonly { readonly written: WrittenValue; readonly offset: number }[] {
  const only = onlyExpression(parseTemplate(text));
  if (!only) return [];
  try {
    const { tree, names } = expressionsOf(catalogue).compile(only.source, site);
    const isConstant = names.size > 0 && [...names].every((name) => site.names.constants && Object.hasOwn(site.names.constants, name));
    const constant = isConstant ? evaluateTemplate(text, {}, { site, catalogue }) : undefined;
    const values = typeof constant === 'object' ? [constantValue(constant)] : writtenValues(tree);
    return values.map((written) => ({ written, offset: only.at }));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [];
  }
}

interface Within {
  /** The path of the text with the expression. */
  readonly path: Path;
  readonly offset: number;
  readonly issues: ReturnType<typeof structureIssues>;
}

function reportWithin(written: WrittenValue, { path, offset, issues }: Within, base: Path, { document, report }: CheckContext): void {
  for (const { path: issuePath, kind, message, hint, isCustom } of issues) {
    const inside = issuePath.slice(path.length);
    if (inside.length === 0 || path.some((part, index) => part !== issuePath[index])) continue;
    const owner = partAt(written, kind === 'missing-key' ? inside.slice(0, -1) : inside);
    if (!owner || (kind === 'wrong-value' && !isCertain(owner, isCustom))) continue;
    const at = kind === 'unknown-key' ? (owner.keyAt ?? owner.at) : owner.at;
    report.error(document.textLocation([...base, ...path], offset + at), kind, message, hint);
  }
}

/** A computed list may have another length, and only a written text, or a map in the place of a text, is certainly wrong. */
function isCertain({ isLiteral, value }: WrittenValue, isCustom = false): boolean {
  return isCustom ? isLiteral && typeof value === 'string' : isLiteral || isJsonObject(value);
}

function partAt(written: WrittenValue, path: Path): WrittenValue | undefined {
  return path.reduce<WrittenValue | undefined>((one, part) => one?.parts?.get(part), written);
}
