import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { DeferredSlot } from '../../episode.ts';
import type { Scope } from '../../rule.ts';
import { decide, effects, mergeEffects, type Effects } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';
import { slotFiring, withdrawReplaced } from './firings.ts';
import { fireDeferred } from './quiet-end-effects.ts';

type SlotOptions = Pick<EvaluatedList, 'rule' | 'state' | 'gates' | 'slotMs' | 'woken' | 'conditionScope' | 'stepScope'>;

/** The effects of a slot, and the slot that the rule defers further. */
export interface SlotEffects extends Effects {
  readonly heldSlot: DeferredSlot | undefined;
}

/** The effects of a rule that fires each slot, with or without changes. */
export function slotEffects(options: SlotOptions): SlotEffects {
  const { rule, state, gates, woken, conditionScope, stepScope } = options;
  const { heldSlot } = state.memory;
  const isQuiet = gates.isQuiet();
  if (woken && (isQuiet || !heldSlot)) return { ...effects({}), heldSlot: heldSlot && merged(heldSlot, conditionScope.changes) };
  if (isQuiet || !heldSlot) return fireSlot(options);
  if (typeof rule.quiet?.then === 'object') {
    const last = woken ? merged(heldSlot, conditionScope.changes) : heldSlot;
    const deferred = fireDeferred(changesIn(last), { ...options, scope: stepScope });
    return { ...mergeEffects(woken ? [deferred] : [deferred, fireSlot(options)]), heldSlot: undefined };
  }
  // The deferred slot and this one share a firing.
  return fireSlot({
    ...options,
    conditionScope: withChanges(conditionScope, heldSlot),
    stepScope: withChanges(stepScope, heldSlot),
  });
}

function fireSlot({ rule, state, gates, slotMs, conditionScope, stepScope }: SlotOptions): SlotEffects {
  const subject = { rule, slotMs };
  const decision = gates.decide(conditionScope);
  if (decision.kind !== 'pass') {
    const decisions = [decide(decision.kind, { kind: 'slot', hindrance: decision }, subject)];
    if (decision.kind === 'held') return { ...effects({ decisions }), heldSlot: { atMs: slotMs, changes: conditionScope.changes } };
    return { ...effects({ decisions }), heldSlot: gates.isQuiet() ? state.memory.heldSlot : undefined };
  }
  const firing = slotFiring({ ...subject, scope: stepScope }, decision);
  return {
    firings: [firing],
    withdrawals: withdrawReplaced(decision, rule),
    decisions: [decide('fired', { kind: 'slot' }, { ...subject, details: { firing: firing.id } })],
    heldSlot: undefined,
  };
}

function withChanges(scope: Scope, heldSlot: DeferredSlot): Scope {
  return scope.changes ? { ...scope, changes: merged(heldSlot, scope.changes).changes } : scope;
}

/** A deferred slot with the changes since. */
function merged(slot: DeferredSlot, changes: JsonObject | undefined): DeferredSlot {
  if (!slot.changes || !changes) return slot;
  const kinds = new Set([...Object.keys(slot.changes), ...Object.keys(changes)]);
  const lists = [...kinds].map((kind) => [kind, [...listOf(slot.changes?.[kind]), ...listOf(changes[kind])]] as const);
  return { ...slot, changes: Object.fromEntries(lists) };
}

function changesIn({ changes = {} }: DeferredSlot): readonly JsonObject[] {
  return Object.values(changes).flatMap((list) => listOf(list).filter(isJsonObject));
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : [];
}
