import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Json } from '#src/operation/json.ts';
import { onlyExpression, parseTemplate } from '../grammar/template.ts';
import { ExpressionError } from './complaints/expression-error.ts';
import type { Inputs } from './expression.ts';
import { expressionsOf, type Place } from './expressions.ts';
import { toJson } from './language/results.ts';

export interface EvaluateOptions {
  readonly place: Place;
  readonly catalogue: Catalogue;
  /**
   * What becomes of what was put into the author's own text; it ends with `revealOwnText()`.
   *
   * An expression that stands alone is left to the caller: only its place says how each of its texts is read.
   */
  readonly escape?: ((text: string) => string) | undefined;
}

/**
 * What a template comes to: an expression that stands alone keeps its type, any other is text.
 *
 * An `ExpressionError` says why it comes to nothing.
 */
export function evaluateTemplate(text: string, inputs: Inputs, { place, catalogue, escape }: EvaluateOptions): Json | undefined {
  const template = parseTemplate(text);
  if (template.unclosedAt !== undefined) throw new ExpressionError('${{ is not closed', { at: template.unclosedAt });
  const run = (source: string): Json | undefined =>
    toJson(
      expressionsOf(catalogue)
        .compile(source, place)
        .run(inputs, { markOwn: escape !== undefined }),
    );
  const only = onlyExpression(template);
  if (only) return run(only.source);
  return template.pieces.map((piece) => ('text' in piece ? piece.text : spoken(run(piece.source), escape))).join('');
}

/** A value in the middle of text: what is absent is nothing. Only text can be foreign. */
function spoken(value: Json | undefined, escape: EvaluateOptions['escape']): string {
  if (typeof value === 'string') return escape ? escape(value) : value;
  if (typeof value === 'object' && value !== null) throw new ExpressionError('a list or a map cannot stand in text', { at: 0 });
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
