import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { hash } from '#src/rules/firing.ts';
import { isNamed } from '#src/rules/results.ts';
import type { EngineContext } from './engine-context.ts';
import type { Delivery } from './delivery.ts';

/** The id of a part of the thread that begins with a delivery, from 1. */
export function partId(first: string, part: number): string {
  return part === 1 ? first : hash(first, 'thread', part);
}

/**
 * The parameters of each removal that a delivery makes, in order. The removal of a thread begins with its last part: if one removal fails,
 * the first part still leads to the parts that are left.
 */
export async function removalsOf(
  delivery: Delivery,
  params: JsonObject,
  { deliveries, removes }: Pick<EngineContext, 'deliveries' | 'removes'>,
): Promise<readonly JsonObject[]> {
  const parameter = removes(delivery.do);
  const target = parameter === undefined ? undefined : params[parameter];
  if (parameter === undefined || typeof target !== 'string') return [params];
  const needed = await deliveries.needed(delivery.id);
  const first = needed.find(({ account, after, result }) => account === delivery.account && after === undefined && isNamed(result, target));
  const later: JsonObject[] = [];
  for (let part = 2; first; part++) {
    const found = await deliveries.find(partId(first.id, part));
    if (!found) break;
    const id = recordId(found.result);
    if (id !== undefined) later.unshift({ ...params, [parameter]: id });
  }
  return [...later, params];
}

function recordId(record: Json | undefined): string | undefined {
  return isJsonObject(record) && typeof record['id'] === 'string' ? record['id'] : undefined;
}
