import { closestName } from '#src/clients/operation/closest-name.ts';
import type { Clock } from '#src/clock.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import { Refused } from '#src/errors.ts';
import { keptValues } from '#src/rules/kept-values.ts';
import type { KeptJson, KeptValues } from '#src/rules/step.ts';
import type { Rule } from '#src/rules/rule.ts';

/** A slot of a busy rule may be committed between the load and the commit. */
const MOST_ATTEMPTS = 10;

interface NewValue {
  readonly rule: Rule;
  readonly name: string;
  readonly value: KeptJson;
}

interface StoreValueParts {
  readonly ruleStates: Pick<RuleStates, 'load' | 'lastSlots' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * Stores a value of a rule and resolves with the one before.
 *
 * The change is a commit after the last slot of the rule. So a firing that was computed from the old value is not committed: it is
 * evaluated again.
 */
export async function storeValue({ rule, name, value }: NewValue, { ruleStates, clock }: StoreValueParts): Promise<KeptJson> {
  const { id, keep = [] } = rule;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const { memory, slotMs } = await ruleStates.load(id);
    const wakeMs = (await ruleStates.lastSlots()).get(id)?.wakeMs;
    const isStored = await ruleStates.commit({
      rule: id,
      // A rule that ran continues after its last slot, so that no slot between then and now counts as done.
      slotMs: slotMs === undefined ? clock.nowMs() : slotMs + 1,
      afterMs: slotMs ?? 0,
      change: { memory: { ...memory, kept: { ...memory.kept, [name]: value } }, put: [], drop: [] },
      firings: [],
      withdrawals: [],
      decisions: [],
      wakeMs,
    });
    if (isStored) return keptValues(keep, memory)[name] ?? value;
  }
  throw new Refused('busy', 'The rule fires too often. Pause it, and set the value again.');
}

/** The stored values of a rule; undefined: it has none. */
export async function storedValues({ id, keep }: Rule, states: Pick<RuleStates, 'load'>): Promise<KeptValues | undefined> {
  return keep && keptValues(keep, (await states.load(id)).memory);
}

/** Says that a rule has no stored value with this name. */
export function noSuchValue({ id, keep = [] }: Rule, name: string): string {
  const names = keep.map((one) => one.name);
  if (names.length === 0) return `The rule ${id} stores no values.`;
  const meant = closestName(name, names);
  return `The rule ${id} has no stored value ${name}. ${meant === undefined ? `It has ${names.join(', ')}.` : `Did you mean ${meant}?`}`;
}
