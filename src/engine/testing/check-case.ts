import { allSteps, type Rule } from '#src/rules/rule.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import type { TestCase } from './rule-tests.ts';
import { keptFault } from '#src/rules/kept-values.ts';
import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';

/** Reports names in a case that the rule does not have. */
export function checkCase({ line: lineOfCase, keep = {}, kept = {}, polls, expect }: TestCase, rule: Rule): readonly string[] {
  const steps = allSteps(rule);
  const ids = steps.flatMap(({ id }) => id ?? []);
  const targets = steps.flatMap(({ id, as }) => (id === undefined ? [] : as.map((account) => `${id}.${account}`)));
  const verbs = new Set(steps.map((step) => step.do));
  return [
    ...valueFaults({ ...keep, ...kept }, rule).map((fault) => `line ${lineOfCase}: ${fault}`),
    ...polls.flatMap(({ line, command, webhook, answers, fail }) => [
      ...(command && !rule.command ? [`line ${line}: the rule answers no command`] : []),
      ...(webhook && !rule.webhook ? [`line ${line}: no webhook starts the rule`] : []),
      ...Object.keys(answers).flatMap((name) => unless(ids.includes(name), `line ${line}: the rule has no step ${name}`, name, ids)),
      ...fail.flatMap((name) =>
        unless([...ids, ...targets].includes(name), `line ${line}: the rule has no step ${name.replace('.', ' on ')}`, name, targets),
      ),
    ]),
    ...expect.flatMap(({ line, do: verb, as }) => [
      ...unless(verbs.has(verb), `line ${line}: no step of the rule runs ${verb}`, verb, [...verbs]),
      ...as.flatMap((account) => {
        const accounts = steps.filter((step) => step.do === verb).flatMap((step) => step.as);
        const isKnown = !verbs.has(verb) || accounts.includes(account);
        return unless(isKnown, `line ${line}: no step of the rule runs ${verb} as ${account}`, account, accounts);
      }),
    ]),
  ];
}

/** Reports stored values that the rule does not have, and those of another type. */
function valueFaults(values: JsonObject, { keep = [] }: Rule): readonly string[] {
  const names = keep.map(({ name }) => name);
  return Object.entries(values).flatMap(([name, value]) => {
    const known = keep.find((one) => one.name === name);
    if (!known) return unless(false, `the rule has no stored value ${name}`, name, names);
    const fault = keptFault(value, known.type);
    return fault === undefined ? [] : [`the stored value ${name} is ${fault}`];
  });
}

function unless(isKnown: boolean, message: string, name: string, known: readonly string[]): readonly string[] {
  if (isKnown) return [];
  const meant = closestName(name, known);
  return [meant === undefined ? message : `${message}, did you mean ${meant}?`];
}

/** Finds the instance of `each` that a case names. Returns a message if there is none. */
export function chooseRule(rules: readonly Rule[], each: Readonly<Record<string, string>>): Rule | string {
  const chosen = rules.find((rule) => Object.entries(each).every(([name, value]) => valueOf(rule, name) === value));
  if (chosen) return chosen;
  for (const [name, value] of Object.entries(each)) {
    const values = new Set(rules.flatMap((rule) => valueOf(rule, name) ?? []));
    if (values.size === 0) return withHint(`the rule has no each.${name}`, name, namesOf(rules));
    if (!values.has(value)) return withHint(`each.${name} has no ${value}`, value, [...values]);
  }
  return 'each fits no rule';
}

function withHint(message: string, name: string, known: readonly string[]): string {
  const meant = closestName(name, known);
  return known.length === 0
    ? message
    : `${message}${meant === undefined ? `; available: ${known.join(', ')}` : `, did you mean ${meant}?`}`;
}

function namesOf(rules: readonly Rule[]): readonly string[] {
  return [...new Set(rules.flatMap(({ names }) => Object.keys(names.constants?.each ?? {})))];
}

/** The id of a value of `each`. */
function valueOf({ names }: Rule, name: string): string | undefined {
  const value = names.constants?.each[name];
  const known: Json | undefined = isJsonObject(value) ? value['id'] : value;
  return known === undefined || known === null || typeof known === 'object' ? undefined : String(known);
}
