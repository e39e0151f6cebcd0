import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import { isSuccess, sendTo } from '../../notifications/send-to.ts';
import { wireInstant } from '../request.ts';
import type { KickEventBody } from './event-body.ts';
import type { EventType } from './subscription.ts';

/** An event must be accepted within this real time. */
const TIMEOUT_MS = 10_000;

/** An event for the webhook of an app. */
interface KickMessage {
  readonly id: string;
  readonly subscriptionId: string;
  readonly type: EventType;
  readonly body: KickEventBody;
}

interface KickWebhookOptions {
  readonly clock: Clock;
  /** Ends requests. */
  readonly signal: AbortSignal;
}

/** Sends events to the webhook of an app. Kick has not been seen to repeat an event that was not accepted. */
export class KickWebhook {
  readonly #options: KickWebhookOptions;
  #keys = newKeys();
  #foreignKeys: ReturnType<typeof newKeys> | undefined;
  #sent = 0;
  #undelivered = 0;

  constructor(options: KickWebhookOptions) {
    this.#options = options;
  }

  get publicKey(): string {
    return this.#keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  /** The accepted events and the others since the start. */
  get counts(): { readonly sent: number; readonly undelivered: number } {
    return { sent: this.#sent, undelivered: this.#undelivered };
  }

  changeKey(): void {
    this.#keys = newKeys();
  }

  async send(url: string, message: KickMessage): Promise<void> {
    if (await this.#post(url, message, this.#keys.privateKey)) this.#sent += 1;
    else this.#undelivered += 1;
  }

  /** Sends an event with the signature of someone else. */
  async forge(url: string, message: KickMessage): Promise<void> {
    this.#foreignKeys ??= newKeys();
    await this.#post(url, message, this.#foreignKeys.privateKey);
  }

  async #post(url: string, { id, subscriptionId, type, body }: KickMessage, key: KeyObject): Promise<boolean> {
    if (url === '') return false;
    const { clock, signal } = this.#options;
    const timestamp = wireInstant(new Date(clock.nowMs()));
    const text = JSON.stringify(body);
    const answer = await sendTo(url, {
      body: text,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(text)),
        'Kick-Event-Message-Id': id,
        'Kick-Event-Subscription-Id': subscriptionId,
        'Kick-Event-Signature': sign('RSA-SHA256', Buffer.from(`${id}.${timestamp}.${text}`), key).toString('base64'),
        'Kick-Event-Message-Timestamp': timestamp,
        'Kick-Event-Type': type,
        'Kick-Event-Version': '1',
      },
    });
    return answer !== undefined && isSuccess(answer.status);
  }
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}
