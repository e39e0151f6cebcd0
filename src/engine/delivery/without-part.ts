import type { JsonObject } from '#src/clients/operation/json.ts';
import { omissionOf, withoutParts } from '#src/clients/operation/part.ts';
import type { EngineContext } from './engine-context.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';

/**
 * The change of a delivery after an error about an optional part: it is due again without that part.
 *
 * The announcement matters more than a picture or a tag, unless its step is strict.
 */
export function withoutPart(
  error: unknown,
  { delivery, params }: { readonly delivery: Delivery; readonly params: JsonObject },
  { accepts, clock }: Pick<EngineContext, 'accepts' | 'clock'>,
): DeliveryChange | undefined {
  const omission = delivery.strict ? undefined : omissionOf(error);
  if (!omission) return undefined;
  const omitted = [...(delivery.omitted ?? []), omission];
  const left = withoutParts(params, omitted);
  const isLess = JSON.stringify(left) !== JSON.stringify(withoutParts(params, delivery.omitted));
  return isLess && accepts(delivery.do, left) ? { state: 'pending', dueAt: new Date(clock.nowMs()), omitted } : undefined;
}
