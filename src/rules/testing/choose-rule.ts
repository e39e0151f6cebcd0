import { isJsonObject, type Json } from '#src/operation/json.ts';
import type { Rule } from '../rule.ts';
import { closestName } from '../wording/closest-name.ts';

/** The rule that a case means, of all that `each` makes of a file; or why there is none. */
export function chooseRule(rules: readonly Rule[], each: Readonly<Record<string, string>>): Rule | string {
  const chosen = rules.find((rule) => Object.entries(each).every(([name, value]) => valueOf(rule, name) === value));
  if (chosen) return chosen;
  for (const [name, value] of Object.entries(each)) {
    const values = new Set(rules.flatMap((rule) => valueOf(rule, name) ?? []));
    if (values.size === 0) return withHint(`the rule has no each.${name}`, name, namesOf(rules));
    if (!values.has(value)) return withHint(`each.${name} has no ${value}`, value, [...values]);
  }
  return 'there is no such rule';
}

function withHint(complaint: string, given: string, known: readonly string[]): string {
  const meant = closestName(given, known);
  return known.length === 0
    ? complaint
    : `${complaint}${meant === undefined ? `; there are ${known.join(', ')}` : `, did you mean ${meant}?`}`;
}

function namesOf(rules: readonly Rule[]): readonly string[] {
  return [...new Set(rules.flatMap(({ names }) => Object.keys(names.constants?.each ?? {})))];
}

/** What a value of `each` is known by: itself, or its id. */
function valueOf({ names }: Rule, name: string): string | undefined {
  const value = names.constants?.each[name];
  const known: Json | undefined = isJsonObject(value) ? value['id'] : value;
  return known === undefined || known === null || typeof known === 'object' ? undefined : String(known);
}
