import type { Section } from '#src/rules/firing.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';

/** Where a step stands in its rule. */
export interface StepPlace {
  readonly id?: string | undefined;
  readonly section: Section;
  /** Its place in its list as the file has it, from 1. */
  readonly number: number;
}

/** Where a step stands, by its place from 0 without waits. */
export function stepPlace(rule: Rule, section: Section, index: number): StepPlace {
  const { id, number = index + 1 } = stepsOf(rule, section)[index] ?? {};
  return { id, section, number };
}

/** The same of what a delivery keeps of its step: the id, or the place from 0 without waits. */
export function keptStepPlace(rule: Rule, { section, step }: { readonly section: Section; readonly step: string }): StepPlace {
  return /^\d+$/.test(step) ? stepPlace(rule, section, Number(step)) : { id: step, section, number: 0 };
}

/** What a step is called in English: its id, else its place. */
export function stepName({ id, section, number }: StepPlace): string {
  return id ?? (section === 'then' ? `step ${number}` : `${section} step ${number}`);
}

function stepsOf({ quiet, ...rule }: Rule, section: Section): readonly Step[] {
  if (section !== 'quiet') return rule[section];
  return quiet && typeof quiet.then !== 'string' ? quiet.then : [];
}
