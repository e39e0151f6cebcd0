import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { PlannedStep } from '#src/rules/firing.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import { completeRecord } from '#src/rules/testing/world/sample-record.ts';
import { catalogue } from '#src/catalogue.ts';

/** A sample result of a step: a record made from the name of the step. The answer to a question is its first choice. */
export function sampleResult(
  { step }: PlannedStep,
  { params, slotMs }: { readonly params: JsonObject; readonly slotMs: number },
): Json | undefined {
  const declared = catalogue.get(step.do);
  if (!declared) return undefined;
  if (declared.kind === 'list') return { items: [] };
  const seed = step.id ?? step.do.split('.').at(-1) ?? step.do;
  const now = new Date(slotMs).toISOString();
  const choice = isJsonList(params['choices']) ? params['choices'][0] : undefined;
  const made = completeRecord(shapeOf(declared.returns), { seed, began: now, now, reportError: () => undefined });
  return isJsonObject(made) && choice !== undefined ? { ...made, choice, text: '' } : made;
}
