import type { RepeatedRequests } from '#src/admin/actions/repeated-requests.ts';
import type { Clock } from '#src/clock.ts';
import type { WebhookSettings } from '#src/config/webhooks.ts';
import type { WebhookPost } from '#src/http/post-webhook.ts';
import type { Log } from '#src/log.ts';
import { signatureHeaders } from './sign.ts';
import { webhookEvents, type WebhookEvent, type WebhookFacts } from './webhook-events.ts';

const EVERY_MS = 5000;
/** Sent events are known for 24 hours, so older ones could be sent twice. */
const GIVE_UP_MS = 23 * 60 * 60_000;
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 60 * 60_000;
/** The events that one webhook gets in a round. */
const MOST_AT_ONCE = 20;
/** The receiver has deleted the webhook. */
const GONE = 410;

export interface WebhooksParts extends WebhookFacts {
  readonly webhooks: readonly WebhookSettings[];
  /** Remembers what was sent, for all processes. */
  readonly repeatedRequests: RepeatedRequests;
  /** Sends an event and returns the status of the answer. */
  readonly post: (post: WebhookPost, signal: AbortSignal) => Promise<number>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

/** Sends events to webhooks. Nothing that fails here reaches deliveries. */
export interface Webhooks {
  /** Sends the events that are due now. */
  round(signal: AbortSignal): Promise<void>;
  /** Sends events until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** What this process knows of an event and a webhook. */
interface Progress {
  readonly failures: number;
  /** The earliest next attempt; infinite after the event was sent. */
  readonly dueMs: number;
}

/** Creates the sender of webhooks. */
export function createWebhooks({ webhooks, repeatedRequests, post, clock, log, ...facts }: WebhooksParts): Webhooks {
  let progress = new Map<string, Progress>();
  const gone = new Set<string>();

  async function round(signal: AbortSignal): Promise<void> {
    const events = await webhookEvents({ ...facts, clock }, clock.nowMs() - GIVE_UP_MS);
    const known = progress;
    progress = new Map();
    const keysOf = (name: string) => events.map(({ id }) => `${name} ${id}`);
    for (const key of webhooks.flatMap(({ name }) => keysOf(name))) {
      const kept = known.get(key);
      if (kept) progress.set(key, kept);
    }
    await Promise.all(webhooks.filter(({ name }) => !gone.has(name)).map((webhook) => sendDue(webhook, events, signal)));
  }

  async function sendDue(webhook: WebhookSettings, events: readonly WebhookEvent[], signal: AbortSignal): Promise<void> {
    const isDue = ({ id, type }: WebhookEvent): boolean =>
      webhook.events.includes(type) && (progress.get(`${webhook.name} ${id}`)?.dueMs ?? 0) <= clock.nowMs();
    for (const event of events.filter(isDue).slice(0, MOST_AT_ONCE)) {
      // A receiver that does not answer would delay the round once for each event.
      if (signal.aborted || gone.has(webhook.name) || !(await sendOnce(webhook, event, signal))) return;
    }
  }

  /** Sends an event unless another process did or does. False: the receiver cannot be reached. */
  async function sendOnce(webhook: WebhookSettings, { id, type, at, data }: WebhookEvent, signal: AbortSignal): Promise<boolean> {
    const { name, url, secret, privateNetwork } = webhook;
    const key = `${name} ${id}`;
    const request = { actor: `webhook:${name}`, key: id };
    const claimed = await repeatedRequests.claim({ ...request, fingerprint: id });
    if (claimed) {
      if (claimed.answer) progress.set(key, { failures: 0, dueMs: Infinity });
      return true;
    }
    const body = JSON.stringify({ type, timestamp: at, data });
    const headers = signatureHeaders({ id, body, atMs: clock.nowMs() }, secret);
    const status = await post({ url, privateNetwork, headers, body }, signal).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    const { failures } = progress.get(key) ?? { failures: 0 };
    if (typeof status === 'number' && status >= 200 && status < 300) {
      await repeatedRequests.answer(request, { status, body: '' });
      progress.set(key, { failures: 0, dueMs: Infinity });
      if (failures > 0) log.info({ webhook: name, event: type }, 'the webhook accepts events again');
      return true;
    }
    await repeatedRequests.release(request);
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
    progress.set(key, { failures: failures + 1, dueMs: clock.nowMs() + waitMs });
    const why = typeof status === 'number' ? { status } : { error: status.message };
    if (status === GONE) {
      gone.add(name);
      log.warn({ webhook: name, ...why }, 'the receiver has deleted the webhook: it gets no events until the next start');
    } else if (failures === 0 && !signal.aborted) {
      log.warn({ webhook: name, event: type, ...why }, 'the webhook did not accept an event: Fanfare retries for 23 hours');
    }
    return typeof status === 'number';
  }

  return {
    round,

    async run(signal) {
      while (!signal.aborted) {
        await round(signal).catch((error: unknown) => {
          if (!signal.aborted) log.warn({ error }, 'the events of webhooks cannot be read');
        });
        await clock.sleep(EVERY_MS, signal).catch(() => undefined);
      }
    },
  };
}
