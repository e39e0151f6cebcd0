import type { RepeatedRequests } from '#src/admin/actions/repeated-requests.ts';
import type { Clock } from '#src/clock.ts';
import type { WebhookSettings } from '#src/config/webhooks.ts';
import type { WebhookPost } from '#src/http/post-webhook.ts';
import type { Log } from '#src/log.ts';
import { createRefusals } from './refusals.ts';
import { requestOf } from './request-of.ts';
import { signatureHeaders } from './sign.ts';
import { webhookEvents, type ReadEvents, type WebhookEvent, type WebhookFacts } from './webhook-events.ts';

const EVERY_MS = 5000;
/** Sent events are known for 24 hours, so older ones could be sent twice. */
export const GIVE_UP_MS = 23 * 60 * 60_000;
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 60 * 60_000;
/** The events that one webhook gets in a round. */
const MOST_AT_ONCE = 20;
/** The newest deliveries that a round reads. */
export const MOST_READ = 200;
/** The newest deliveries that a round reads after a start or a burst. Also the most events that wait in memory. */
const MOST_READ_ONCE = 2_000;
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
  /** The events that the last round read or kept, by id. */
  let last: ReadonlyMap<string, WebhookEvent> = new Map();
  const gone = new Set<string>();
  const refusals = createRefusals(repeatedRequests);
  let isStarted = false;

  function isUnsent({ id, type }: WebhookEvent): boolean {
    return webhooks.some(
      ({ name, events }) => events.includes(type) && !gone.has(name) && progress.get(`${name} ${id}`)?.dueMs !== Infinity,
    );
  }

  /** Reads the events, and adds those that newer ones have pushed out of the read before they were sent. */
  async function readEvents(): Promise<readonly WebhookEvent[]> {
    const sinceMs = clock.nowMs() - GIVE_UP_MS;
    const read = (limit: number): Promise<ReadEvents> => webhookEvents({ ...facts, clock }, { sinceMs, limit });
    const isLinked = ({ cutAt }: ReadEvents): boolean => cutAt === undefined || last.has(cutAt);
    const newest = await read(MOST_READ);
    const { events, cutAt } = isLinked(newest) ? newest : await read(MOST_READ_ONCE);
    const ids = new Set(events.map(({ id }) => id));
    const pushedOut = cutAt === undefined ? [] : [...last.values()].filter((event) => !ids.has(event.id) && isUnsent(event));
    const all = [...pushedOut, ...events].filter(({ at }) => at.getTime() >= sinceMs);
    const kept = all.slice(-MOST_READ_ONCE);
    const isCut = !isLinked({ events, cutAt }) || kept.length < all.length;
    if (isCut) log.warn({ most: MOST_READ_ONCE }, 'there are more events than webhooks can get: only the newest ones are sent');
    // Too old events are also remembered, because the next read can end at one of them.
    last = new Map([...kept, ...events].map((event) => [event.id, event]));
    return kept;
  }

  async function round(signal: AbortSignal): Promise<void> {
    if (!isStarted) for (const { name } of webhooks) await refusals.forgetGone(name);
    isStarted = true;
    for (const name of gone) await refusals.noteGone(name);
    const events = await readEvents();
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
    let requests = 0;
    for (const event of events.filter(isDue)) {
      if (signal.aborted || gone.has(webhook.name) || requests === MOST_AT_ONCE) return;
      const outcome = await sendOnce(webhook, event, signal);
      // A receiver that does not answer would delay the round once for each event.
      if (outcome === 'unreachable') return;
      if (outcome === 'answered') requests++;
    }
  }

  /** Sends an event unless another process did or does. */
  async function sendOnce(
    webhook: WebhookSettings,
    { id, type, at, data }: WebhookEvent,
    signal: AbortSignal,
  ): Promise<'claimed' | 'answered' | 'unreachable'> {
    const { name, url, secret, privateNetwork } = webhook;
    const key = `${name} ${id}`;
    const request = requestOf(name, id);
    const claimed = await repeatedRequests.claim({ ...request, fingerprint: id });
    if (claimed) {
      if (claimed.answer) progress.set(key, { failures: 0, dueMs: Infinity });
      return 'claimed';
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
      return 'answered';
    }
    await repeatedRequests.release(request);
    if (!signal.aborted) await refusals.noteRefused(name, id);
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
    progress.set(key, { failures: failures + 1, dueMs: clock.nowMs() + waitMs });
    const why = typeof status === 'number' ? { status } : { error: status.message };
    if (status === GONE) {
      gone.add(name);
      await refusals.noteGone(name);
      log.warn({ webhook: name, ...why }, 'the receiver has deleted the webhook: it gets no events until the next start');
    } else if (failures === 0 && !signal.aborted) {
      log.warn({ webhook: name, event: type, ...why }, 'the webhook did not accept an event: Fanfare retries for 23 hours');
    }
    return typeof status === 'number' ? 'answered' : 'unreachable';
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
