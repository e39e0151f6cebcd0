import type { AccountHealth } from '#src/admin/queries/accounts.ts';
import { createWebhooks, type Webhooks } from '#src/admin/webhooks/webhooks.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { postWebhook } from '#src/http/post-webhook.ts';
import type { Log } from '#src/log.ts';
import type { Store } from '#src/store/store.ts';

export interface OpenWebhooksOptions {
  readonly config: Pick<Config, 'webhooks' | 'accounts'>;
  readonly health: Pick<AccountHealth, 'problemOf'>;
  readonly store: Pick<Store, 'deliveryLog' | 'ruleStates' | 'auditLog' | 'repeatedRequests'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The sender of webhooks of a running process. */
export function openWebhooks({ config: { webhooks, accounts }, health, store, clock, log }: OpenWebhooksOptions): Webhooks {
  const { deliveryLog, ruleStates, auditLog, repeatedRequests } = store;
  const failedAccounts = () =>
    accounts.flatMap(({ account, platform }) => {
      const problem = health.problemOf(account);
      return problem ? [{ account, platform, ...problem }] : [];
    });
  return createWebhooks({ webhooks, deliveryLog, ruleStates, auditLog, repeatedRequests, failedAccounts, post: postWebhook, clock, log });
}
