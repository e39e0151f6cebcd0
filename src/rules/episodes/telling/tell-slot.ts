import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { HeldSlot, RuleState } from '../../episode.ts';
import type { Rule, Scope } from '../../rule.ts';
import type { Gates } from '../gates/gates.ts';
import { fireSlot } from './fire.ts';
import { handOver } from './hand-over.ts';
import { decide, said, together, type Said } from './said.ts';
import { replaced } from './say-items.ts';

export interface SlotOptions {
  readonly rule: Rule;
  readonly state: Pick<RuleState, 'memory' | 'paused'>;
  readonly gates: Gates;
  readonly slotMs: number;
  /** Run for the end of the quiet hours alone: no slot of the schedule. */
  readonly woken: boolean;
  /** What a condition sees; of a list, all that changed since the last slot. */
  readonly whole: Scope;
  /** What the steps see. */
  readonly kept: Scope;
}

export interface ToldSlot extends Said {
  readonly heldSlot: HeldSlot | undefined;
}

/** What a rule does at a slot, whatever changed. */
export function tellSlot(options: SlotOptions): ToldSlot {
  const { rule, state, gates, woken, whole, kept } = options;
  const { heldSlot } = state.memory;
  const isQuiet = gates.quietUntilMs() !== undefined;
  if (woken && (isQuiet || !heldSlot)) return { ...said({}), heldSlot: heldSlot && merged(heldSlot, whole.changes) };
  if (isQuiet || !heldSlot) return fire(options);
  if (typeof rule.quiet?.then === 'object') {
    const last = woken ? merged(heldSlot, whole.changes) : heldSlot;
    const told = handOver(changesIn(last), { ...options, scope: kept });
    return { ...together(woken ? [told] : [told, fire(options)]), heldSlot: undefined };
  }
  // The slot that was held and this one are one firing.
  return fire({ ...options, whole: withChanges(whole, heldSlot), kept: withChanges(kept, heldSlot) });
}

function fire({ rule, state, gates, slotMs, whole, kept }: SlotOptions): ToldSlot {
  const about = { rule, slotMs };
  const answer = gates.ask(whole);
  if (answer.kind !== 'pass') {
    const decisions = [decide(answer.kind, { kind: 'slot', hindrance: answer }, about)];
    if (answer.kind === 'held') return { ...said({ decisions }), heldSlot: { atMs: slotMs, changes: whole.changes } };
    return { ...said({ decisions }), heldSlot: gates.quietUntilMs() === undefined ? undefined : state.memory.heldSlot };
  }
  const firing = fireSlot({ ...about, scope: kept, queue: answer.queue });
  const decision = decide('fired', { kind: 'slot' }, { ...about, details: { firing: firing.id } });
  return { ...said({ firings: [firing], withdrawals: replaced(answer, rule), decisions: [decision] }), heldSlot: undefined };
}

function withChanges(scope: Scope, heldSlot: HeldSlot): Scope {
  return scope.changes ? { ...scope, changes: merged(heldSlot, scope.changes).changes } : scope;
}

/** A slot that was held with the changes since. */
function merged(slot: HeldSlot, changes: JsonObject | undefined): HeldSlot {
  if (!slot.changes || !changes) return slot;
  const kinds = new Set([...Object.keys(slot.changes), ...Object.keys(changes)]);
  const lists = [...kinds].map((kind) => [kind, [...listOf(slot.changes?.[kind]), ...listOf(changes[kind])]] as const);
  return { ...slot, changes: Object.fromEntries(lists) };
}

function changesIn({ changes = {} }: HeldSlot): readonly JsonObject[] {
  return Object.values(changes).flatMap((list) => listOf(list).filter(isJsonObject));
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : [];
}
