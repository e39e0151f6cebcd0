import type { Rule } from '../rule.ts';
import type { Step } from '../step.ts';
import { closestName } from '../wording/closest-name.ts';
import type { TestCase } from './rule-tests.ts';

/** What a case names and the rule does not have: such a case could only mislead. */
export function strangers({ polls, expect }: TestCase, rule: Rule): readonly string[] {
  const steps = stepsOf(rule);
  const ids = steps.flatMap(({ id }) => id ?? []);
  const targets = steps.flatMap(({ id, as }) => (id === undefined ? [] : as.map((account) => `${id}.${account}`)));
  const verbs = new Set(steps.map((step) => step.do));
  return [
    ...polls.flatMap(({ line, answers, fail }) => [
      ...Object.keys(answers).flatMap((name) => unless(ids.includes(name), `line ${line}: the rule has no step ${name}`, name, ids)),
      ...fail.flatMap((name) =>
        unless(targets.includes(name), `line ${line}: the rule has no step ${name.replace('.', ' through ')}`, name, targets),
      ),
    ]),
    ...expect.flatMap(({ line, do: verb, as }) => [
      ...unless(verbs.has(verb), `line ${line}: the rule never does ${verb}`, verb, [...verbs]),
      ...as.flatMap((account) => {
        const accounts = steps.filter((step) => step.do === verb).flatMap((step) => step.as);
        const isKnown = !verbs.has(verb) || accounts.includes(account);
        return unless(isKnown, `line ${line}: the rule does not do ${verb} as ${account}`, account, accounts);
      }),
    ]),
  ];
}

/** All steps of a rule. */
function stepsOf({ then, while: lasting, finally: closing, quiet }: Rule): readonly Step[] {
  return [...then, ...lasting, ...closing, ...(typeof quiet?.then === 'object' ? quiet.then : [])];
}

function unless(isKnown: boolean, complaint: string, given: string, known: readonly string[]): readonly string[] {
  if (isKnown) return [];
  const meant = closestName(given, known);
  return [meant === undefined ? complaint : `${complaint}, did you mean ${meant}?`];
}
