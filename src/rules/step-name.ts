import type { Section } from './firing.ts';
import type { Rule } from './rule.ts';
import type { Step } from './step.ts';

/** The location of a step in its rule. */
export interface StepPosition {
  readonly id?: string | undefined;
  readonly section: Section;
  /** The position in its list in the file, from 1. */
  readonly number: number;
}

/** The location of a step by its position from 0 without waits. */
export function stepPosition(rule: Rule, section: Section, index: number): StepPosition {
  const { id, number = index + 1 } = stepsOf(rule, section)[index] ?? {};
  return { id, section, number };
}

/** The location of the step of a delivery. A delivery stores the id, or the position from 0 without waits. */
export function storedStepPosition(rule: Rule, { section, step }: { readonly section: Section; readonly step: string }): StepPosition {
  return /^\d+$/.test(step) ? stepPosition(rule, section, Number(step)) : { id: step, section, number: 0 };
}

/** The name of a step in English: its id, else its position. */
export function stepName({ id, section, number }: StepPosition): string {
  return id ?? (section === 'then' ? `step ${number}` : `${section} step ${number}`);
}

function stepsOf({ quiet, ...rule }: Rule, section: Section): readonly Step[] {
  if (section !== 'quiet') return rule[section];
  return quiet && typeof quiet.then !== 'string' ? quiet.then : [];
}
