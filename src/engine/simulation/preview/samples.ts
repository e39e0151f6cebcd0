import { catalogue } from '#src/clients/catalogue.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { PlannedStep } from '#src/rules/firing.ts';
import type { Item } from '#src/rules/poll.ts';
import { personOf } from '#src/rules/expression/list-shapes.ts';
import type { Watched } from '#src/rules/rule.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { shapeOf, type Shape } from '#src/rules/shape/shape.ts';
import { writtenPart } from '#src/engine/testing/world/written-part.ts';
import { completeRecord } from '#src/engine/testing/world/sample-record.ts';

/** A sample item for an empty list, with the fields of `part`; undefined: the operation does not declare its items. */
export function sampleItem(
  { verb, accounts, people }: Pick<Watched, 'verb' | 'accounts' | 'people'>,
  slotMs: number,
  part?: JsonObject,
): Item | undefined {
  const declared = catalogue.get(verb);
  const made = sampleOf(declared?.kind === 'list' ? shapeOf(declared.item) : itemShape(declared), 'somebody', slotMs, part);
  const [account] = accounts;
  if (!isJsonObject(made)) return undefined;
  const [person] = people?.index?.entries ?? [];
  if (people) return { ...made, account: account ?? '', person: person ? personOf(person) : { id: 'somebody' } };
  return accounts.length > 1 && account !== undefined ? { ...made, account } : made;
}

interface SampleResultOptions {
  readonly params: JsonObject;
  readonly slotMs: number;
  /** See `Occurrence.edited`. */
  readonly edited?: Json | undefined;
  /** The platform of the account, which decides whether a reply or an edit stays beside its record; absent: it is unknown. */
  readonly platform?: string | undefined;
}

/** A sample result of a step: a record made from the name of the step. The answer to a question is its first choice. */
export function sampleResult({ step }: PlannedStep, { params, slotMs, edited, platform }: SampleResultOptions): Json | undefined {
  const declared = catalogue.get(step.do);
  if (!declared) return undefined;
  if (declared.kind === 'list') return { items: [] };
  const shape = shapeOf(declared.returns);
  const made = sampleOf(shape, step.id ?? step.do.split('.').at(-1) ?? step.do, slotMs, {
    ...writtenPart(shape, params, edited),
    ...(platform !== undefined && shape.kind === 'record' && shape.fields.has('platform') && { platform }),
  });
  const choice = isJsonList(params['choices']) ? params['choices'][0] : undefined;
  return isJsonObject(made) && choice !== undefined ? { ...made, choice, text: '' } : made;
}

function sampleOf(shape: Shape, seed: string, slotMs: number, part?: JsonObject): Json | undefined {
  const now = new Date(slotMs).toISOString();
  return completeRecord(shape, { seed, part, began: now, now, reportError: () => undefined });
}
