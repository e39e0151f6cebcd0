import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';
import { type DeliverWithFaults, faultyDelivery } from '../notifications/faulty-delivery.ts';
import { isAllowedReceiver, isSuccess, sendTo } from '../notifications/send-to.ts';
import type { OpenCollection, StoredMap } from '../stored-map.ts';

/** A callback must answer within this real time. */
const TIMEOUT_MS = 10_000;
const MOST_LEASE_S = 10 * 24 * 3_600;

const HubSubscription = z.object({ topic: z.string(), callback: z.string(), secret: z.string(), untilMs: z.number() });
interface HubSubscription extends z.output<typeof HubSubscription> {}

const HubForm = z.object({
  'hub.mode': z.enum(['subscribe', 'unsubscribe']),
  'hub.topic': z.url(),
  'hub.callback': z.url().refine(isAllowedReceiver),
  // WebSub has no such parameter, but the hubs of WordPress require it.
  'hub.verify': z.enum(['sync', 'async']),
  'hub.secret': z.string().max(199).default(''),
  'hub.lease_seconds': z.coerce.number().int().min(1).default(MOST_LEASE_S),
});

interface HubOptions {
  /** The first part of the path of the platform, such as `feeds`. */
  readonly platform: string;
  readonly context: Pick<SandboxContext, 'clock' | 'faults'>;
  readonly collection: OpenCollection;
  /** Called when the first subscription exists, and after the last one ended. */
  readonly onUse: (isUsed: boolean) => void;
}

/** A content for the subscribers of a topic. */
interface HubContent {
  readonly contentType: string;
  readonly body: string;
}

/** A WebSub hub. It loads when it is first used. */
export class Hub {
  readonly #options: HubOptions;
  readonly #over = new AbortController();
  readonly #deliver: DeliverWithFaults;
  readonly #subscriptions: StoredMap<HubSubscription>;
  readonly #denied = new Set<string>();
  #sent = 0;
  #undelivered = 0;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#deliver = faultyDelivery({ ...options.context, platform: options.platform, signal: this.#over.signal });
    this.#subscriptions = options.collection({
      collection: `${options.platform}.subscriptions`,
      schema: HubSubscription,
      keyOf: ({ topic, callback }) => `${topic} ${callback}`,
    });
    options.onUse(this.#subscriptions.size > 0);
  }

  /** The topics with subscribers. */
  get topics(): ReadonlySet<string> {
    return new Set(this.#subscriptions.all().map(({ topic }) => topic));
  }

  describe(): { readonly subscriptions: number; readonly sent: number; readonly undelivered: number } {
    return { subscriptions: this.#subscriptions.size, sent: this.#sent, undelivered: this.#undelivered };
  }

  /** The hub denies subscriptions to a topic from now on, and ends those that exist. */
  deny(topic: string): void {
    this.#denied.add(topic);
    for (const one of this.#subscriptions.all()) if (one.topic === topic) this.#end(one);
  }

  /** Answers the request of a subscriber. */
  async order(c: Context): Promise<Response> {
    const { data } = HubForm.safeParse(Object.fromEntries(new URLSearchParams(await c.req.text())));
    if (!data) return c.text('the request has an invalid parameter', 400);
    const { 'hub.topic': topic, 'hub.callback': callback, 'hub.secret': secret, 'hub.lease_seconds': leaseS } = data;
    const one = { topic, callback, secret, untilMs: this.#options.context.clock.nowMs() + Math.min(leaseS, MOST_LEASE_S) * 1000 };
    if (this.#denied.has(topic)) void this.#ask(one, { 'hub.mode': 'denied', 'hub.topic': topic, 'hub.reason': 'by order' });
    else void this.#verify(data['hub.mode'], one);
    return c.body(null, 202);
  }

  /** Sends a content to the subscribers of a topic. */
  publish(topic: string, content: HubContent): void {
    const { platform, context } = this.#options;
    const path = `/${platform}/hub/${topic}`;
    for (const one of this.#subscriptions.all()) {
      if (one.topic !== topic) continue;
      if (one.untilMs <= context.clock.nowMs()) {
        this.#remove(one);
        continue;
      }
      this.#deliver({
        path,
        send: () => void this.#send(one, content),
        sendForged: () => void this.#send({ ...one, secret: randomBytes(16).toString('hex') }, content),
        sendForeign: () => void this.#send({ ...one, callback: `${one.callback.slice(0, -4)}AAAA` }, content),
      });
    }
  }

  close(): void {
    this.#over.abort();
  }

  async #verify(mode: 'subscribe' | 'unsubscribe', one: HubSubscription): Promise<void> {
    const challenge = randomBytes(24).toString('base64url');
    const leaseS = Math.round((one.untilMs - this.#options.context.clock.nowMs()) / 1000);
    const answer = await this.#ask(one, {
      'hub.mode': mode,
      'hub.topic': one.topic,
      'hub.challenge': challenge,
      ...(mode === 'subscribe' && { 'hub.lease_seconds': String(leaseS) }),
    });
    if (!answer || !isSuccess(answer.status) || answer.body !== challenge || this.#over.signal.aborted) return;
    if (mode === 'unsubscribe') return this.#remove(one);
    this.#subscriptions.put(one);
    this.#options.onUse(true);
  }

  #end(one: HubSubscription): void {
    this.#remove(one);
    void this.#ask(one, { 'hub.mode': 'denied', 'hub.topic': one.topic, 'hub.reason': 'by order' });
  }

  #remove({ topic, callback }: HubSubscription): void {
    this.#subscriptions.delete(`${topic} ${callback}`);
    if (this.#subscriptions.size === 0) this.#options.onUse(false);
  }

  #ask({ callback }: HubSubscription, query: Readonly<Record<string, string>>): ReturnType<typeof sendTo> {
    const url = new URL(callback);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
    return sendTo(url.href, { method: 'GET', headers: {}, signal: this.#signal() });
  }

  async #send({ callback, secret, topic }: HubSubscription, { contentType, body }: HubContent): Promise<void> {
    const headers = {
      'Content-Type': contentType,
      'Content-Length': String(Buffer.byteLength(body)),
      Link: `<${topic}>; rel="self"`,
      'X-Hub-Signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
    };
    const answer = await sendTo(callback, { headers, body, signal: this.#signal() });
    if (answer && isSuccess(answer.status)) this.#sent += 1;
    else this.#undelivered += 1;
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#over.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  }
}
