import type { JsonObject } from '#src/clients/operation/json.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { SimulatedEvents } from '../simulation.ts';
import { stepPosition, type StepPosition } from '#src/rules/step-name.ts';
import type { SlotDelivery } from './pairing.ts';
import { beginningOf, itemKey, slotKeyIn } from './delivery-slot.ts';

/** A delivery of a simulation: one element of a list, or one part of a thread. */
export interface ExpectedDelivery extends SlotDelivery {
  /** The slot key of its step before it has elements or further parts. */
  readonly stepKey: string;
  /** When its episode began. */
  readonly sinceMs: number;
  readonly about: string;
  readonly position: StepPosition;
  readonly do: string;
  readonly account: string;
  /** Absent: it cannot be rendered. */
  readonly params?: JsonObject | undefined;
  readonly failure?: string | undefined;
}

/** A firing without its scope. */
type Decided = Pick<Firing, 'rule' | 'section' | 'episode' | 'queue' | 'atMs'> & { readonly about: string };

/** One execution of a step of a firing. */
interface Which {
  readonly firing: string;
  readonly element?: string | undefined;
  readonly part: number;
}

/** Converts the events of a simulation to expected deliveries, slot by slot. */
export function expectedDeliveries(rule: Rule): (events: SimulatedEvents) => readonly ExpectedDelivery[] {
  const decided = new Map<string, Decided>();

  function toExpected(
    { step, account, index }: PlannedStep,
    which: Which,
    content: Pick<ExpectedDelivery, 'params' | 'failure'>,
  ): readonly ExpectedDelivery[] {
    const one = decided.get(which.firing);
    if (!one) return [];
    const { section, episode, atMs, about } = one;
    return [
      {
        ...content,
        atMs,
        sinceMs: Math.min(atMs, beginningOf(episode) ?? atMs),
        about,
        slotKey: slotKeyIn(one, { step, account, index }, which),
        stepKey: slotKeyIn(one, { step, account, index }, { part: 1 }),
        firing: which.firing,
        position: stepPosition(rule, section, index),
        do: step.do,
        account,
      },
    ];
  }

  return ({ firings, done, undone }) => {
    for (const { scope, ...firing } of firings) {
      const { id, rule: of, section, episode, queue, atMs } = firing;
      const item = scope.item ?? scope.previous;
      decided.set(id, { rule: of, section, episode, queue, atMs, about: item ? nameOf(item, itemKey(firing) ?? '') : '' });
    }
    return [
      ...done.filter(({ reads }) => !reads).flatMap((one) => toExpected(one.planned, one, { params: one.params })),
      ...undone.filter(({ failed }) => failed).flatMap((one) => toExpected(one.planned, { ...one, part: 1 }, { failure: one.message })),
    ];
  };
}
