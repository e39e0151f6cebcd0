import type { ChaosAccount, ChaosRule } from '../history.ts';
import type { Limits } from './check-item.ts';
import { workingMs, type Interval } from './outages.ts';
import { formatStep, type Step } from './steps.ts';
import { formatInstant, type Violation } from './violations.ts';

/** The deliveries of a rule without a watched list through one account. */
export interface SlotCase {
  readonly rule: ChaosRule;
  readonly account: ChaosAccount;
  /** The rule runs since this instant. */
  readonly sinceMs: number;
  /** Later slots may still run. */
  readonly untilMs: number;
  /** In the order in which they arrived. */
  readonly steps: readonly Step[];
  readonly outages: readonly Interval[];
  readonly limits: Limits;
  readonly onDelay: (delayMs: number) => void;
}

/** Compares the slots of a rule with its messages: one for each slot, in order. */
export function checkSlots({ rule, account, sinceMs, untilMs, steps, outages, limits, onDelay }: SlotCase): readonly Violation[] {
  const violation = (kind: Violation['kind'], slotMs: number, what: string, about: readonly Step[]): Violation => ({
    kind,
    rule: rule.id,
    account: account.name,
    item: formatInstant(slotMs),
    what,
    fromMs: slotMs,
    toMs: Math.max(slotMs, ...about.map(({ atMs }) => atMs)),
    evidence: about.map(formatStep),
  });

  const violations: Violation[] = [];
  const bySlot = Map.groupBy(steps, ({ item }) => Date.parse(item));
  let latest: Step | undefined;
  for (const step of steps) {
    const slotMs = Date.parse(step.item);
    if (!(slotMs % rule.everyMs === 0)) violations.push(violation('unexpected', step.atMs, `${step.item} is no slot of the rule`, [step]));
    if (latest && slotMs < Date.parse(latest.item)) {
      violations.push(violation('out of order', slotMs, 'an older slot arrived after a newer one', [latest, step]));
    } else {
      latest = step;
    }
    const delayMs = workingMs({ fromMs: slotMs, toMs: step.atMs }, outages);
    onDelay(delayMs);
    if (delayMs > limits.lateMs) violations.push(violation('late', slotMs, `it arrived after ${Math.round(delayMs / 1000)} s`, [step]));
  }
  for (const [slotMs, found] of bySlot) {
    if (found.length > 1) violations.push(violation('duplicated', slotMs, `the slot ran ${found.length} times`, found));
  }
  for (let slotMs = Math.ceil(sinceMs / rule.everyMs) * rule.everyMs; slotMs < untilMs; slotMs += rule.everyMs) {
    if (bySlot.has(slotMs) || workingMs({ fromMs: slotMs, toMs: limits.nowMs }, outages) <= limits.lateMs) continue;
    violations.push(violation('lost', slotMs, 'the slot did not run', []));
  }
  return violations;
}
