import type { Section } from './firing.ts';
import { isCollecting } from './collecting.ts';
import { collectingSteps, type Rule } from './rule.ts';
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

/** The step of a delivery, if the rule still has it. */
export function storedStep(rule: Rule, { section, step }: { readonly section: Section; readonly step: string }): Step | undefined {
  const steps = stepsOf(rule, section);
  return /^\d+$/.test(step) ? steps[Number(step)] : steps.find(({ id }) => id === step);
}

/** A step as it was decided, and where. */
interface DecidedStep {
  readonly section: Section;
  readonly account: string;
  /** The id of the step, or its position from 0 without waits. */
  readonly step: string;
  readonly plan: Step;
}

/** The step of an edited rule that a decided step was: by its id, else by its parameters, its position, or because no other one does the same. */
export function currentStep(rule: Rule, { section, account, step, plan }: DecidedStep): Step | undefined {
  const steps = stepsOf(rule, section);
  const alike = steps.filter((one) => one.do === plan.do && one.id === plan.id && one.as.includes(account));
  if (plan.id !== undefined) return alike[0];
  const isSame = (one: Step): boolean => JSON.stringify(one.with) === JSON.stringify(plan.with);
  const atPosition = alike.find((one) => steps.indexOf(one) === Number(step));
  return alike.find(isSame) ?? atPosition ?? (alike.length === 1 ? alike[0] : undefined);
}

/** The name of a step in English: its id, else its position. */
export function stepName({ id, section, number }: StepPosition): string {
  return id ?? (section === 'then' ? `step ${number}` : `${section} step ${number}`);
}

function stepsOf(rule: Rule, section: Section): readonly Step[] {
  return isCollecting(section) ? collectingSteps(rule, section) : rule[section];
}
