import type { DeliveryLog } from '#src/store/delivery-log.ts';
import type { DeliveryView } from '#src/web/views.ts';
import { toDeliveryView } from './view-records.ts';

const OTHER_STATES = ['pending', 'sending', 'asked', 'sent', 'failed', 'skipped'] as const;

/** The unknown deliveries, then those that failed and were decided since an instant, then the newest; the edits of a card are one. */
export async function latestDeliveries(
  log: Pick<DeliveryLog, 'latest'>,
  { limit, failedSinceMs }: { readonly limit: number; readonly failedSinceMs: number },
): Promise<readonly DeliveryView[]> {
  const [unknown, failed, others] = await Promise.all([
    log.latest({ states: ['unknown'], limit }),
    // Half of the list, so that current deliveries stay visible.
    log.latest({ states: ['failed'], limit: Math.floor(limit / 2) }),
    log.latest({ states: OTHER_STATES, limit }),
  ]);
  const first = failed.filter(({ delivery }) => delivery.createdAt.getTime() >= failedSinceMs);
  const ids = new Set(first.map(({ delivery }) => delivery.id));
  const all = [...unknown, ...first, ...others.filter(({ delivery }) => !ids.has(delivery.id))].slice(0, limit);
  return all.map(({ delivery, times }) => ({ ...toDeliveryView(delivery), ...(times > 1 && { edits: times }) }));
}
