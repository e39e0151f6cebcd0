import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { SandboxContext } from '../../context.ts';
import { type DeliverWithFaults, faultyDelivery } from '../../notifications/faulty-delivery.ts';
import type { OpenCollection, StoredMap } from '../../stored-map.ts';
import { EventFeed } from '../../world/event-feed.ts';
import type { WorldEvent } from '../../world/world.ts';
import type { KickWorld } from '../channels.ts';
import { wireInstant } from '../request.ts';
import { EVENT_TYPES, KickSubscription, subscriptionJson, SubscribeForm } from './subscription.ts';
import { bodyOf, type KickEventBody } from './event-body.ts';
import { KickWebhook } from './webhook.ts';

const PLATFORM = 'kick';

const AppWebhook = z.object({ url: z.string() });

interface KickEventsOptions {
  readonly context: SandboxContext;
  readonly world: KickWorld;
  readonly collection: OpenCollection;
}

/** The events of Kick: subscriptions, and requests to the webhook of the app. It loads when it is first used. */
export class KickEvents {
  readonly #context: SandboxContext;
  readonly #world: KickWorld;
  readonly #over = new AbortController();
  readonly #webhook: KickWebhook;
  readonly #deliver: DeliverWithFaults;
  readonly #feed: EventFeed;
  readonly #subscriptions: StoredMap<KickSubscription>;
  readonly #webhooks: StoredMap<z.output<typeof AppWebhook>>;

  constructor({ context, world, collection }: KickEventsOptions) {
    const { clock } = context;
    const { signal } = this.#over;
    this.#context = context;
    this.#world = world;
    this.#webhook = new KickWebhook({ clock, signal });
    this.#deliver = faultyDelivery({ ...context, platform: PLATFORM, signal });
    this.#feed = new EventFeed({ world: context.world, clock, emit: (event) => this.#emit(event) });
    this.#subscriptions = collection({ collection: 'kick.subscriptions', schema: KickSubscription, keyOf: ({ id }) => id });
    this.#webhooks = collection({ collection: 'kick.webhook', schema: AppWebhook, keyOf: () => 'app' });
    this.#followWorld();
  }

  /** The public key of all apps, as PEM. */
  get publicKey(): string {
    return this.#webhook.publicKey;
  }

  /** Sets the webhook of the app, as a person does in the settings of the app. */
  setWebhook(url: string): void {
    this.#webhooks.put({ url });
  }

  /** Kick signs with another key from now on. */
  changeKey(): void {
    this.#webhook.changeKey();
  }

  describe(): JsonObject {
    return { webhook: this.#webhookUrl(), subscriptions: this.#subscriptions.size, ...this.#webhook.counts };
  }

  list(userId: number | undefined): readonly JsonObject[] {
    const all = this.#subscriptions.all().filter((one) => userId === undefined || one.userId === userId);
    return all.map((one) => subscriptionJson(one, wireInstant));
  }

  /** Undefined: the request is invalid. */
  subscribe(body: unknown): readonly JsonObject[] | undefined {
    const form = SubscribeForm.safeParse(body).data;
    if (!form || !this.#world.byUserId(form.broadcaster_user_id)) return undefined;
    const userId = form.broadcaster_user_id;
    const created = form.events.map(({ name, version }) => {
      const type = EVENT_TYPES.find((one) => one === name);
      if (!type || version !== 1) return { name, version, error: 'unknown event' };
      const known = this.#subscriptions.all().find((one) => one.userId === userId && one.type === type);
      const { id } = known ?? this.#subscriptions.put({ id: randomUUID(), userId, type, createdMs: this.#context.clock.nowMs() });
      return { name, version, subscription_id: id };
    });
    this.#followWorld();
    return created;
  }

  unsubscribe(ids: readonly string[]): void {
    for (const id of ids) this.#subscriptions.delete(id);
    this.#followWorld();
  }

  /** Kick ends all subscriptions of an app whose webhook failed for a day. Returns their number. */
  endAll(): number {
    const all = this.#subscriptions.all();
    this.unsubscribe(all.map(({ id }) => id));
    return all.length;
  }

  close(): void {
    this.#over.abort();
    this.#feed.stop();
  }

  /** Events are computed only while someone is subscribed. */
  #followWorld(): void {
    if (this.#subscriptions.size > 0 && !this.#over.signal.aborted) this.#feed.start();
    else this.#feed.stop();
  }

  #emit(event: WorldEvent): void {
    const channel = this.#world.channelOf(event.person);
    if (!channel) return;
    const { type, body } = bodyOf(event, channel, this.#world);
    for (const one of this.#subscriptions.all()) if (one.userId === channel.userId && one.type === type) this.#notify(one, body);
  }

  #webhookUrl(): string {
    return this.#webhooks.get('app')?.url ?? '';
  }

  #notify({ id: subscriptionId, type, userId }: KickSubscription, body: KickEventBody): void {
    const message = { id: randomUUID(), subscriptionId, type, body };
    const url = this.#webhookUrl();
    this.#deliver({
      path: `/${PLATFORM}/events/${type}/${userId}`,
      send: () => void this.#webhook.send(url, message),
      sendForged: () => void this.#webhook.forge(url, { ...message, id: randomUUID() }),
      // Kick has one key, so the event of another app has a valid signature.
      sendForeign: () => void this.#webhook.send(url, { ...message, id: randomUUID(), subscriptionId: randomUUID() }),
    });
  }
}
