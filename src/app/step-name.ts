import type { Section } from '#src/rules/firing.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';

/**
 * What a step is called before people: its id, else its place in its list as the file has it, from 1.
 *
 * A wait has a place there and is no step of its own here; it shows in how late the next step is due.
 */
export function stepName(rule: Rule, section: Section, index: number): string {
  const steps = stepsOf(rule, section);
  const before = steps.slice(0, index + 1);
  const waits = new Set(before.flatMap(({ afterMs }) => afterMs ?? [])).size;
  const place = `step ${index + waits + 1}`;
  return steps[index]?.id ?? (section === 'then' ? place : `${section} ${place}`);
}

/** The same of what a delivery keeps of its step: the id, or the place from 0 without waits. */
export function keptStepName(rule: Rule, { section, step }: { readonly section: Section; readonly step: string }): string {
  return /^\d+$/.test(step) ? stepName(rule, section, Number(step)) : step;
}

function stepsOf({ quiet, ...rule }: Rule, section: Section): readonly Step[] {
  if (section !== 'quiet') return rule[section];
  return quiet && typeof quiet.then !== 'string' ? quiet.then : [];
}
