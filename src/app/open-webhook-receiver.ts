import type { WebhookReceiver, WebhookReceiverOptions } from '#src/admin/hooks/receive-webhooks.ts';
import type { Config } from '#src/config/config.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { lateModule } from '#src/errors.ts';
import type { Store } from '#src/store/store.ts';

interface ReceivingApp extends Pick<WebhookReceiverOptions, 'scheduler' | 'clock' | 'log'> {
  readonly config: Pick<Config, 'senderSecrets'>;
  readonly registry: Pick<RuleRegistry, 'running'>;
  readonly store: Pick<Store, 'receivedWebhooks'>;
}

/** Opens the receiver of the webhooks of rules with the first request after a rule has one. Until then, it resolves with undefined. */
export function openWebhookReceiver({ config, registry, store, ...parts }: ReceivingApp): () => Promise<WebhookReceiver | undefined> {
  const open = lateModule('the incoming webhooks', async () => {
    const { createWebhookReceiver } = await import('#src/admin/hooks/receive-webhooks.ts');
    const { scheduler, clock, log } = parts;
    const { senderSecrets: secrets } = config;
    return createWebhookReceiver({ rules: () => registry.running, secrets, scheduler, received: store.receivedWebhooks, clock, log });
  });
  return async () => (registry.running.some(({ webhook }) => webhook) ? open() : undefined);
}
