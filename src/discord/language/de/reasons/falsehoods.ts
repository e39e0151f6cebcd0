import type { FalseClause, Falsehood } from '#src/rules/reasons/falsehood.ts';

/** Warum eine Bedingung nicht zutrifft, mit den Werten darin. */
export function falsehood(reason: Falsehood): string {
  if (reason.kind === 'unclear') return `${reason.source} lässt sich nicht auswerten („${reason.error}“)`;
  return reason.clauses.map(clause).join(' und ');
}

function clause({ source, values }: FalseClause): string {
  const known = values.map(({ of, is = 'nicht bekannt' }) => `${of} ist ${is}`);
  return `${source} trifft nicht zu${known.length > 0 ? ` (${known.join(', ')})` : ''}`;
}
