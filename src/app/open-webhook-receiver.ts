import type { ArrivedWebhook, WebhookReceiver, WebhookReceiverOptions } from '#src/admin/incoming-webhooks/receive-webhooks.ts';
import type { Measurements } from '#src/admin/telemetry/measurements.ts';
import type { Config } from '#src/config/config.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { lateModule } from '#src/errors.ts';
import type { Store } from '#src/store/store.ts';

interface ReceivingApp extends Pick<WebhookReceiverOptions, 'scheduler' | 'clock' | 'log'> {
  readonly config: Pick<Config, 'senderSecrets'>;
  readonly registry: Pick<RuleRegistry, 'running'>;
  readonly store: Pick<Store, 'receivedWebhooks'>;
  readonly measurements: Pick<Measurements, 'webhookAnswered'>;
}

/** Opens the receiver of the webhooks of rules with the first request after a rule has one. Until then, it resolves with undefined. */
export function openWebhookReceiver({
  config,
  registry,
  store,
  measurements,
  ...parts
}: ReceivingApp): () => Promise<WebhookReceiver | undefined> {
  const open = lateModule('the incoming webhooks', async () => {
    const { createWebhookReceiver } = await import('#src/admin/incoming-webhooks/receive-webhooks.ts');
    const { scheduler, clock, log } = parts;
    const { senderSecrets: secrets } = config;
    const receiver = createWebhookReceiver({
      rules: () => registry.running,
      secrets,
      scheduler,
      received: store.receivedWebhooks,
      clock,
      log,
    });
    return {
      ...receiver,
      async receive(request: ArrivedWebhook) {
        const answer = await receiver.receive(request);
        // A stranger can invent any number of names.
        const isKnown = registry.running.some(({ webhook }) => webhook?.name === request.name);
        if (isKnown) measurements.webhookAnswered(request.name, answer.status === 202 ? 'accepted' : answer.code);
        return answer;
      },
    };
  });
  return async () => (registry.running.some(({ webhook }) => webhook) ? open() : undefined);
}
