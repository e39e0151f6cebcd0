import type { RuleMemory, RuleState } from '../episode.ts';
import type { Rule } from '../rule.ts';
import type { Advance } from './advance-result.ts';
import { createGates } from './gates/gates.ts';
import { quietEnd } from './gates/quiet-end.ts';
import { slotScope } from './telling/scope.ts';
import { tellSlot } from './telling/tell-slot.ts';

/** A slot of a rule that watches nothing: it fires unless a gate refuses. */
export function advanceSlot({
  rule,
  state,
  slotMs,
  woken,
}: {
  readonly rule: Rule;
  readonly state: RuleState;
  readonly slotMs: number;
  readonly woken: boolean;
}): Advance {
  const scope = slotScope(rule, slotMs);
  const gates = createGates({ rule, state, slotMs });
  const { heldSlot, ...told } = tellSlot({ rule, state, gates, slotMs, woken, whole: scope, kept: scope });
  const quietEndMs = quietEnd(state.memory, { gates, decisions: told.decisions });
  const memory: RuleMemory = { ...gates.memory(), quietEndMs, heldSlot };
  return { ...told, change: { memory, put: [], drop: [] }, wakeMs: quietEndMs };
}
