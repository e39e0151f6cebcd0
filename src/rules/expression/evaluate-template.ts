import type { Catalogue } from '#src/clients/operation/declared.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { onlyExpression, parseTemplate, type Template } from '#src/rules/grammar/template.ts';
import { BoundedCache } from './bounded-cache.ts';
import { ExpressionError } from './expression-error.ts';
import type { Expression, Inputs } from './expression.ts';
import { expressionsOf, type ExpressionSite } from './expressions.ts';
import { asText } from './language/operators.ts';
import { toJson } from './language/results.ts';

/** The number of parsed templates that are kept. */
const MOST_TEMPLATES = 500;

const templates = new BoundedCache<Template>(MOST_TEMPLATES);

/** The parsed template, which is kept for the next delivery of its step. */
export function templateOf(text: string): Template {
  return templates.get(text, () => parseTemplate(text));
}

/** Escapes text that an expression inserts. Its last step is `restoreAuthorText()`. */
export type EscapeText = (text: string, where: InsertedText) => string;

interface InsertedText {
  /** The text before it. */
  readonly before: string;
  /** Whether the rule's author wrote it. */
  readonly isAuthorText: boolean;
}

export interface EvaluateOptions {
  readonly site: ExpressionSite;
  readonly catalogue: Catalogue;
  /** Not applied to an expression that stands alone: the caller knows the markup of each of its texts. */
  readonly escape?: EscapeText | undefined;
}

/**
 * Evaluates a template. An expression that stands alone keeps its type; all other templates are text.
 *
 * Throws an `ExpressionError` if it cannot be evaluated.
 */
export function evaluateTemplate(text: string, inputs: Inputs, { site, catalogue, escape }: EvaluateOptions): Json | undefined {
  const template = templateOf(text);
  if (template.unclosedAt !== undefined) throw new ExpressionError('${{ is not closed', { at: template.unclosedAt });
  const compile = (source: string): Expression => expressionsOf(catalogue).compile(source, site);
  const run = (expression: Expression): Json | undefined => toJson(expression.run(inputs, { protectAuthorText: escape !== undefined }));
  const only = onlyExpression(template);
  if (only) return run(compile(only.source));
  let result = '';
  for (const piece of template.pieces) {
    if ('text' in piece) {
      result += piece.text;
      continue;
    }
    const expression = compile(piece.source);
    result += formatInText(run(expression), (text) => escape?.(text, { before: result, isAuthorText: expression.isAuthorText }) ?? text);
  }
  return result;
}

/** Formats a value inside text. An absent value is empty. Only text needs escaping. */
function formatInText(value: Json | undefined, escape: (text: string) => string): string {
  if (typeof value === 'string') return escape(value);
  if (typeof value === 'object' && value !== null) throw new ExpressionError('a list or an object cannot be inserted into text', { at: 0 });
  return asText(value);
}
