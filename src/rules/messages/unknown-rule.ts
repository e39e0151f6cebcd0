import { nameSuggestion } from '#src/clients/operation/closest-name.ts';

const MOST_NAMES = 20;

/** The message for an unknown rule id, with a suggestion and the known rules. */
export function unknownRuleMessage(id: string, known: readonly string[]): string {
  const shown = known.slice(0, MOST_NAMES).join(', ');
  const more = known.length > MOST_NAMES ? ` and ${known.length - MOST_NAMES} more` : '';
  return `there is no rule ${id}${nameSuggestion(id, known)}\n  Rules: ${known.length === 0 ? 'none' : shown + more}`;
}
