import { catalogue } from '#src/clients/catalogue.ts';
import { allSteps, type Rule } from '#src/rules/rule.ts';

/** The keys of a rule that a preview ignores because it shows each announcement at once: a message can come later, or not at all. */
export function ignoredKeys({ watched, cooldown, quiet, limit, mode }: Rule): readonly string[] {
  return [
    ...(watched && watched.settleMs > 0 ? ['settle'] : []),
    ...(watched && watched.confirm.new > 1 ? ['confirm'] : []),
    ...(cooldown ? ['cooldown'] : []),
    ...(quiet ? ['quiet'] : []),
    ...(limit ? ['limit'] : []),
    ...(mode === 'single' ? ['mode'] : []),
  ];
}

/** Whether a rule asks a person. Without an answer of a person, a simulation takes the first choice. */
export function asksPeople(rule: Rule): boolean {
  return allSteps(rule).some(({ do: verb }) => asksPerson(verb));
}

/** Whether an operation asks a person. */
export function asksPerson(verb: string): boolean {
  const declared = catalogue.get(verb);
  return declared?.kind === 'write' && declared.answered === 'later';
}
