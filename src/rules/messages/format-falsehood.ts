import type { FalseClause, Falsehood } from '#src/rules/reasons/falsehood.ts';

/** Why a condition is false, for example `a > 2 is false: a is 1`. */
export function formatFalsehood(falsehood: Falsehood): string {
  if (falsehood.kind === 'error') return `${falsehood.source} cannot be evaluated: ${falsehood.error}`;
  return falsehood.clauses.map(clauseText).join(', and ');
}

function clauseText({ source, values }: FalseClause): string {
  const known = values.map(({ expression, value = 'absent' }) => `${expression} is ${value}`);
  return `${source} is false${known.length > 0 ? `: ${known.join(', ')}` : ''}`;
}
