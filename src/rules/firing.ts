import { hash as digestOf } from 'node:crypto';
import type { Explained } from '#src/rules/reasons/reason.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import { withStepMessage } from './messages/format-step-reason.ts';
import type { CollectingSection } from './collecting.ts';
import type { Scope } from './rule.ts';
import type { Step, StepNames } from './step.ts';

/** The sections of a rule. The steps of `quiet`, `limit` and `gather` get the changes that were collected. */
export type Section = 'then' | 'while' | 'finally' | CollectingSection;

/** An item as people see it at the time of a firing. */
export interface FiredItem {
  readonly key: string;
  readonly name: string;
  /** The address of its picture. */
  readonly picture?: string | undefined;
}

/** Steps to deliver, with everything that the delivery needs after the rule was edited or deleted. */
export interface Firing {
  /** Equal decisions have equal ids. */
  readonly id: string;
  readonly rule: string;
  /** `Rule.textVersion` of the rule; absent for posts of people. */
  readonly textVersion?: string | undefined;
  /** The item of the episode; absent if the rule fires for a whole poll or slot. */
  readonly item?: FiredItem | undefined;
  /** The id of the episode. The slot for a rule that watches nothing. */
  readonly episode: string;
  /** Firings of one queue wait for each other: the rule, or the rule and the item. */
  readonly queue: string;
  readonly section: Section;
  /** The number of the firing or of the close, or the slot. Part of the delivery keys. */
  readonly occasion: string;
  /** The instant of the slot, in milliseconds since 1970. */
  readonly atMs: number;
  readonly scope: Scope;
  readonly names: StepNames;
  /** The firings whose results this one reads: for `while` and `finally`, the announcement of the episode. */
  readonly sees: readonly string[];
  /** Whether it is sent even if its text is unchanged. If it is withdrawn unsent, the firing that replaces it inherits this. */
  readonly evenIfUnchanged: boolean;
  readonly steps: readonly PlannedStep[];
}

/** One step through one account. */
export interface PlannedStep {
  /** The delivery key. It does not depend on the text. */
  readonly key: string;
  /** The position of the step in its list, from 0. */
  readonly index: number;
  readonly account: string;
  readonly step: Step;
  /** Why the step is not delivered. Absent: it is delivered. */
  readonly suppressed?: Explained<StepReason> | undefined;
}

/** Withdraws deliveries of earlier slots that were not begun, of one section and one episode or queue. */
export interface Withdrawal extends Explained<StepReason> {
  readonly rule: string;
  readonly of: { readonly episode: string } | { readonly queue: string };
  readonly section: Section;
  /** Withdraws only the steps that end with their episode, see `endsWithEpisode`, or only those that create something. */
  readonly only?: 'endsWithEpisode' | 'creates' | undefined;
  /** The names of steps that it does not concern: see `Delivery.step`. Absent: none. */
  readonly except?: readonly string[] | undefined;
}

/** The identity of a firing. */
export interface Occasion {
  readonly rule: string;
  readonly episode: string;
  readonly section: Section;
  readonly occasion: string;
}

export interface PlanOptions {
  readonly item?: Scope['item'] | undefined;
  /** The multiple of `every` of a step, in milliseconds since the start of the episode; undefined: the step does not run now. */
  readonly multipleOf?: ((step: Step) => number | undefined) | undefined;
}

/** The steps of a firing, one for each account, with their keys. */
export function planSteps(
  steps: readonly Step[],
  { rule, episode, section, occasion }: Occasion,
  { item, multipleOf }: PlanOptions = {},
): readonly PlannedStep[] {
  return steps.flatMap((step, index) => {
    const multipleMs = step.everyMs === undefined ? undefined : multipleOf?.(step);
    if (step.everyMs !== undefined && multipleMs === undefined) return [];
    // An episode that closes again edits again, but creates nothing twice. A multiple counts once, whichever poll reaches it.
    const when = section === 'finally' && step.creates ? 'close' : multipleMs === undefined ? occasion : `every ${multipleMs}`;
    return accountsOf(step, item).map((account) => {
      const planned = { key: hash(rule, episode, section, step.id ?? index, account, when), index, account, step };
      return step.as.includes(account)
        ? planned
        : { ...planned, suppressed: withStepMessage({ kind: 'unsupported', account, do: step.do }) };
    });
  });
}

/** The accounts that deliver a step of a firing: its accounts, or only the account of the item, which may not support the step. */
function accountsOf({ as, asItem = false }: Step, item: Scope['item']): readonly string[] {
  const account = item?.['account'];
  return asItem && as.length > 0 ? [typeof account === 'string' ? account : (as[0] ?? '')] : as;
}

/** A hash as id: equal for equal parts. */
export function hash(...parts: readonly (string | number)[]): string {
  // The bytes of the hash are cut, so that every character of the parts counts.
  return digestOf('sha256', JSON.stringify(parts), 'buffer').subarray(0, 18).toString('base64url');
}
