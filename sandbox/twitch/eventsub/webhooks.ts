import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { isSuccess, sendTo, type Answer } from '../../notifications/send-to.ts';
import { eventInstant, type Subscription } from './subscription.ts';

/** A challenge must be answered, and a notification be accepted, within this real time. */
const TIMEOUT_MS = 10_000;
/** The waits before a notification is sent again. Twitch documents none. */
const RETRIES_MS = [5_000, 15_000, 30_000, 60_000] as const;

/** The address and the secret of a webhook. */
export interface Webhook {
  readonly callback: string;
  readonly secret: string;
}

export interface WebhookMessage {
  readonly id: string;
  readonly type: 'webhook_callback_verification' | 'notification' | 'revocation';
  readonly subscription: Pick<Subscription, 'type' | 'version'>;
  readonly payload: JsonObject;
}

interface WebhooksOptions {
  readonly clock: Clock;
  /** Ends waits and requests. */
  readonly signal: AbortSignal;
}

/** Sends messages to webhooks. */
export class Webhooks {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;

  constructor({ clock, signal }: WebhooksOptions) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Whether the receiver answers a challenge with its text. */
  async verify(webhook: Webhook, subscription: Pick<Subscription, 'type' | 'version'>, payload: JsonObject): Promise<boolean> {
    const challenge = randomBytes(32).toString('base64url');
    const message = { id: randomUUID(), type: 'webhook_callback_verification', subscription } as const;
    const answer = await this.#post(webhook, { ...message, payload: { challenge, ...payload } }, 0);
    return answer !== undefined && isSuccess(answer.status) && answer.body === challenge;
  }

  /** Sends a message up to five times. Returns whether the receiver accepted it, or undefined if the sandbox stopped. */
  async send(webhook: Webhook, message: WebhookMessage): Promise<boolean | undefined> {
    for (let retry = 0; ; retry++) {
      const answer = await this.#post(webhook, message, retry);
      if (this.#signal.aborted) return undefined;
      if (answer && isSuccess(answer.status)) return true;
      const waitMs = RETRIES_MS[retry];
      if (waitMs === undefined) return false;
      const isOver = await this.#clock.sleep(waitMs, this.#signal).then(
        () => false,
        () => true,
      );
      if (isOver) return undefined;
    }
  }

  /** Sends a message once, with a wrong signature. */
  async forge(webhook: Webhook, message: WebhookMessage): Promise<void> {
    await this.#post({ ...webhook, secret: randomBytes(16).toString('hex') }, message, 0);
  }

  #post({ callback, secret }: Webhook, { id, type, subscription, payload }: WebhookMessage, retry: number): Promise<Answer | undefined> {
    const timestamp = eventInstant(this.#clock.nowMs());
    const body = JSON.stringify(payload);
    const signature = createHmac('sha256', secret)
      .update(id + timestamp + body)
      .digest('hex');
    return sendTo(callback, {
      body,
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        'Twitch-Eventsub-Message-Id': id,
        'Twitch-Eventsub-Message-Retry': String(retry),
        'Twitch-Eventsub-Message-Type': type,
        'Twitch-Eventsub-Message-Signature': `sha256=${signature}`,
        'Twitch-Eventsub-Message-Timestamp': timestamp,
        'Twitch-Eventsub-Subscription-Type': subscription.type,
        'Twitch-Eventsub-Subscription-Version': subscription.version,
      },
    });
  }
}
