import type { LateWebhook } from '#src/admin/queries/records.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { lateModule } from '#src/errors.ts';
import type { Store } from '#src/store/store.ts';

const load = lateModule('the late webhooks', () => import('#src/admin/webhooks/late-webhooks.ts'));

interface LateWebhooksOptions {
  readonly config: Pick<Config, 'webhooks'>;
  readonly store: Pick<Store, 'deliveryLog' | 'ruleStates' | 'auditLog' | 'repeatedRequests'>;
  readonly clock: Clock;
}

/** Finds the webhooks of the configuration whose receivers have not accepted an event. Most installations have none. */
export function lateWebhooksOf({ config: { webhooks }, store, clock }: LateWebhooksOptions): () => Promise<readonly LateWebhook[]> {
  const { deliveryLog, ruleStates, auditLog, repeatedRequests } = store;
  return async () => {
    if (webhooks.length === 0) return [];
    const { lateWebhooks } = await load();
    return lateWebhooks({ webhooks, deliveryLog, ruleStates, auditLog, repeatedRequests, clock });
  };
}
