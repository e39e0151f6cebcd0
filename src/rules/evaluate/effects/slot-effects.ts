import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { DeferredSlot } from '#src/rules/episode.ts';
import type { ReceivedWebhook, Scope } from '#src/rules/rule.ts';
import { usedItem, usedReason, type CommandUse } from '../command-use.ts';
import { decide, effects, mergeEffects, type Effects } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';
import { slotFiring, withdrawReplaced } from './firings.ts';
import { fireDeferred } from './quiet-end-effects.ts';

type SlotOptions = Pick<EvaluatedList, 'rule' | 'state' | 'gates' | 'slotMs' | 'woken' | 'conditionScope' | 'stepScope'> & {
  /** The use of the command that the rule answers. */
  readonly command?: CommandUse | undefined;
  /** The request to the webhook of the rule. */
  readonly webhook?: ReceivedWebhook | undefined;
};

/** The effects of a slot, and the slot that the rule defers further. */
export interface SlotEffects extends Effects {
  readonly deferredSlot: DeferredSlot | undefined;
}

/** The effects of a rule that fires each slot, with or without changes. */
export function slotEffects(options: SlotOptions): SlotEffects {
  const { rule, state, gates, woken, conditionScope, stepScope } = options;
  const { deferredSlot } = state.memory;
  const isQuiet = gates.isDeferring();
  if (woken && (isQuiet || !deferredSlot))
    return { ...effects({}), deferredSlot: deferredSlot && merged(deferredSlot, conditionScope.changes) };
  if (isQuiet || !deferredSlot) return fireSlot(options);
  if (typeof rule.quiet?.then === 'object' && deferredSlot.by !== 'limit') {
    const last = woken ? merged(deferredSlot, conditionScope.changes) : deferredSlot;
    const deferred = fireDeferred(changesIn(last), { ...options, scope: stepScope });
    return { ...mergeEffects(woken ? [deferred] : [deferred, fireSlot(options)]), deferredSlot: undefined };
  }
  // The deferred slot and this one share a firing.
  return fireSlot({
    ...options,
    conditionScope: withChanges(conditionScope, deferredSlot),
    stepScope: withChanges(stepScope, deferredSlot),
  });
}

function fireSlot({ rule, state, gates, slotMs, command, webhook, conditionScope, stepScope }: SlotOptions): SlotEffects {
  const subject = { rule, slotMs, item: webhook?.key };
  const occasion = occasionOf({ command, webhook });
  const decision = gates.decide(conditionScope);
  if (decision.kind !== 'pass') {
    const decisions = [decide(decision.kind, { ...occasion, block: decision }, subject)];
    if (decision.kind === 'deferred')
      return {
        ...effects({ decisions }),
        deferredSlot: { atMs: slotMs, by: decision.by.kind === 'limitReached' ? 'limit' : undefined, changes: conditionScope.changes },
      };
    return { ...effects({ decisions }), deferredSlot: gates.isDeferring() ? state.memory.deferredSlot : undefined };
  }
  const firing = slotFiring(
    { ...subject, scope: stepScope, item: command ? usedItem(command) : webhook && { key: webhook.key, name: webhook.webhook } },
    decision,
  );
  return {
    firings: [firing],
    withdrawals: withdrawReplaced(decision, rule),
    decisions: [decide('fired', occasion, { ...subject, details: { firing: firing.id } })],
    deferredSlot: undefined,
  };
}

/** The reason that the rule ran. */
function occasionOf({ command, webhook }: Pick<SlotOptions, 'command' | 'webhook'>) {
  if (webhook) return { kind: 'webhookReceived', webhook: webhook.webhook } as const;
  return command ? usedReason(command) : ({ kind: 'scheduledRun' } as const);
}

function withChanges(scope: Scope, deferredSlot: DeferredSlot): Scope {
  return scope.changes ? { ...scope, changes: merged(deferredSlot, scope.changes).changes } : scope;
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
