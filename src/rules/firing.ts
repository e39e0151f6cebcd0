import { createHash } from 'node:crypto';
import type { Because } from './reasons/because.ts';
import type { StepReason } from './reasons/step-reason.ts';
import type { Scope } from './rule.ts';
import type { Step, StepNames } from './step.ts';

/** `quiet`: the steps that get what was held back in quiet hours. */
export type Section = 'then' | 'while' | 'finally' | 'quiet';

/** What was decided to be done, with all that it needs to be done even after the rule is gone. */
export interface Firing {
  /** The same whenever the same decision is made. */
  readonly id: string;
  readonly rule: string;
  /** The episode's id; of a rule that watches nothing, the slot. */
  readonly episode: string;
  /** What one firing waits for another by: the rule, or the rule and its item. */
  readonly queue: string;
  readonly section: Section;
  /** The number of the firing, of the `while` poll or of the close, or the slot: see rules-settled.md, Edits and occasions. */
  readonly occasion: string;
  /** The instant of the slot, in milliseconds since 1970. */
  readonly atMs: number;
  readonly scope: Scope;
  readonly names: StepNames;
  /** The firings whose `steps` are seen beside its own: of `while` and `finally`, the one that opened the episode. */
  readonly sees: readonly string[];
  /** Sent even where it looks like what was sent last; where it is withdrawn unsent, what replaces it takes this over. */
  readonly afresh: boolean;
  readonly steps: readonly PlannedStep[];
}

/** One step through one account. */
export interface PlannedStep {
  /** Fixed here, whatever the text turns out to be. */
  readonly key: string;
  /** The step's place in its list, from 0. */
  readonly index: number;
  readonly account: string;
  readonly step: Step;
}

/** Takes back what was not begun of a section by earlier slots, of one episode or of one queue; firings of the same slot stand. */
export interface Withdrawal extends Because<StepReason> {
  readonly rule: string;
  readonly of: { readonly episode: string } | { readonly queue: string };
  readonly section: Section;
}

/** What a firing is known by. */
export interface Occasion {
  readonly rule: string;
  readonly episode: string;
  readonly section: Section;
  readonly occasion: string;
}

/** The steps of a firing, one for each account, with their keys. */
export function planSteps(steps: readonly Step[], { rule, episode, section, occasion }: Occasion): readonly PlannedStep[] {
  return steps.flatMap((step, index) => {
    // An episode that closes again edits again, but makes nothing a second time.
    const when = section === 'finally' && step.creates ? 'close' : occasion;
    return step.as.map((account) => ({ key: hash(rule, episode, section, step.id ?? index, account, when), index, account, step }));
  });
}

/** The name of a decision: equal for equal parts. */
export function hash(...parts: readonly (string | number)[]): string {
  // A part of a text keeps all of it: the bytes are cut, not the letters.
  return createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 18).toString('base64url');
}
