import { ExpressionError } from '../expression/complaints/expression-error.ts';
import { evaluateTemplate } from '../expression/evaluate-template.ts';
import { isTemplate } from '../grammar/template.ts';
import { fixedPlace, type Desk } from './desk.ts';

/** What a text comes to, if it is the same for all firings. */
export function fixedText(text: string, desk: Desk): string | undefined {
  if (!isTemplate(text)) return text;
  if (!desk.constants || !/\b(?:vars|each)\./u.test(text)) return undefined;
  try {
    const value = evaluateTemplate(text, {}, { place: fixedPlace(desk), catalogue: desk.catalogue });
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
