import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Json } from '#src/operation/json.ts';
import { onlyExpression, parseTemplate } from '../grammar/template.ts';
import { ExpressionError } from './complaints/expression-error.ts';
import type { Expression, Inputs } from './expression.ts';
import { expressionsOf, type Place } from './expressions.ts';
import { toJson } from './language/results.ts';

/** What becomes of text that was put into the author's own; it ends with `revealOwnText()`. */
export type EscapeText = (text: string, where: SaidText) => string;

interface SaidText {
  /** What stands before it. */
  readonly before: string;
  /** Whether the author wrote it, too. */
  readonly isOwn: boolean;
}

export interface EvaluateOptions {
  readonly place: Place;
  readonly catalogue: Catalogue;
  /** An expression that stands alone is left to the caller: only its place says how each of its texts is read. */
  readonly escape?: EscapeText | undefined;
}

/**
 * What a template comes to: an expression that stands alone keeps its type, any other is text.
 *
 * An `ExpressionError` says why it comes to nothing.
 */
export function evaluateTemplate(text: string, inputs: Inputs, { place, catalogue, escape }: EvaluateOptions): Json | undefined {
  const template = parseTemplate(text);
  if (template.unclosedAt !== undefined) throw new ExpressionError('${{ is not closed', { at: template.unclosedAt });
  const compile = (source: string): Expression => expressionsOf(catalogue).compile(source, place);
  const run = (expression: Expression): Json | undefined => toJson(expression.run(inputs, { markOwn: escape !== undefined }));
  const only = onlyExpression(template);
  if (only) return run(compile(only.source));
  let said = '';
  for (const piece of template.pieces) {
    if ('text' in piece) {
      said += piece.text;
      continue;
    }
    const expression = compile(piece.source);
    said += spoken(run(expression), (text) => escape?.(text, { before: said, isOwn: expression.isOwn }) ?? text);
  }
  return said;
}

/** A value in the middle of text: what is absent is nothing. Only text can be foreign. */
function spoken(value: Json | undefined, escape: (text: string) => string): string {
  if (typeof value === 'string') return escape(value);
  if (typeof value === 'object' && value !== null) throw new ExpressionError('a list or a map cannot stand in text', { at: 0 });
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
