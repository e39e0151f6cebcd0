import { nameSuggestion } from '#src/clients/operation/closest-name.ts';

const MOST_NAMES = 20;

/** The message for an unknown rule id, with a suggestion and the known rules. `problem`: what is wrong with the id. */
export function unknownRuleMessage(id: string, known: readonly string[], problem = `there is no rule ${id}`): string {
  const shown = known.slice(0, MOST_NAMES).join(', ');
  const more = known.length > MOST_NAMES ? ` and ${known.length - MOST_NAMES} more` : '';
  // Some commands take files, so people name files in the others too.
  const [, ofFile = id] = /([^/\\]+?)(?:\.test)?\.ya?ml$/u.exec(id) ?? [];
  return `${problem}${nameSuggestion(ofFile, known)}\n  Rules: ${known.length === 0 ? 'none' : shown + more}`;
}
