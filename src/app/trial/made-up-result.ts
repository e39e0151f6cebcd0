import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { PlannedStep } from '#src/rules/firing.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import { makeWhole } from '#src/rules/testing/world/made-record.ts';
import { catalogue } from '../catalogue.ts';

/** What a step might give if it were done: a record made up from the step's name; whoever is asked takes the first choice. */
export function madeUpResult(
  { step }: PlannedStep,
  { params, slotMs }: { readonly params: JsonObject; readonly slotMs: number },
): Json | undefined {
  const declared = catalogue.get(step.do);
  if (!declared) return undefined;
  if (declared.kind === 'list') return { items: [] };
  const seed = step.id ?? step.do.split('.').at(-1) ?? step.do;
  const now = new Date(slotMs).toISOString();
  const choice = isJsonList(params['choices']) ? params['choices'][0] : undefined;
  const made = makeWhole(shapeOf(declared.returns), { seed, began: now, now, complain: () => undefined });
  return isJsonObject(made) && choice !== undefined ? { ...made, choice, text: '' } : made;
}
