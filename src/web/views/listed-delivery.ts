import type { Delivery } from '../client/records.ts';

/** A delivery without the values that lists do not show. The record of the platform alone can be several kilobytes. */
export function listedDelivery({ texts: _texts, reason: _reason, omitted: _omitted, result, ...listed }: Delivery): Delivery {
  return { ...listed, result: result?.['url'] === undefined ? undefined : { url: result['url'] } };
}
