import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Falsehood } from '../reasons/falsehood.ts';
import type { Condition, Verdict } from '../rule.ts';
import { parseTemplate, onlyExpression } from '../grammar/template.ts';
import { whyFalse } from './clauses.ts';
import { ExpressionError } from './complaints/expression-error.ts';
import type { Inputs } from './expression.ts';
import { expressionsOf, type Place } from './expressions.ts';

/** What a condition says, or why it cannot say anything. */
export type Answer = Verdict | { readonly error: string };

/** The expression of a condition: `${{ }}` around it is taken off. */
export function conditionSource(text: string): { readonly source: string; readonly at: number } {
  const only = onlyExpression(parseTemplate(text.trim()));
  const lead = text.length - text.trimStart().length;
  return only ? { source: only.source, at: lead + only.at } : { source: text.trim(), at: lead };
}

/** Asks a condition that was checked. */
export function ask(
  source: string,
  inputs: Inputs,
  { place, catalogue }: { readonly place: Place; readonly catalogue: Catalogue },
): Answer {
  const expressions = expressionsOf(catalogue);
  const compile = (part: string) => expressions.compile(part, place);
  try {
    const expression = compile(conditionSource(source).source);
    const value = expression.run(inputs);
    if (value === true) return { holds: true };
    if (value === false) {
      // Worked out where somebody asks: of a long list most are refused, and few are told of.
      return {
        holds: false,
        get because(): Falsehood {
          return { kind: 'false', clauses: whyFalse(expression, { inputs, compile }) };
        },
      };
    }
    return { error: 'it is neither true nor false' };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: error.message };
    throw error;
  }
}

/** A checked condition that can be asked. */
export function conditionOf(text: string, options: { readonly place: Place; readonly catalogue: Catalogue }): Condition {
  const { source } = conditionSource(text);
  return {
    source,
    test(scope) {
      const answer = ask(source, { ...scope }, options);
      return 'error' in answer ? { holds: false, because: { kind: 'unclear', source, error: answer.error } } : answer;
    },
  };
}
