import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { AppToken } from '#src/http/app-token.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#src/http/client.ts';
import { listOf } from '#src/http/lenient.ts';
import { readRates } from '#src/http/rate-headers.ts';

/** A refusal for a limit of EventSub does not stop polls. Twitch returns 13 points a second. */
const BUDGET = { budget: 'eventsub', pace: { perSecond: 12, burst: 50 } } as const;
/** New subscriptions wait while fewer points are left for polls than this part of all. */
const RESERVED = 1 / 2;
/** The points return within this time. */
const REFILL_MS = 60_000;

const Conduits = z.object({ data: z.tuple([z.object({ id: z.string().min(1) })], z.unknown()) });
const Bound = z.object({ errors: z.array(z.object({ message: z.string() })).default([]) });
const Shards = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      transport: z.object({ session_id: z.string().optional(), callback: z.string().optional() }),
    }),
  ),
});
const Totals = z
  .object({ total_cost: z.number(), max_total_cost: z.number() })
  .transform(({ total_cost, max_total_cost }): Totals => ({ cost: total_cost, maxCost: max_total_cost }));
const cost = z.number().default(1);
const Subscription = z.object({
  id: z.string().min(1),
  cost,
  status: z.string(),
  type: z.string(),
  condition: z.record(z.string(), z.unknown()),
  transport: z.object({ conduit_id: z.string().optional() }),
});
const Created = z.object({ data: z.tuple([z.object({ id: z.string().min(1), cost })], z.unknown()) });
const Listed = z.object({
  data: listOf(Subscription, { isRequired: true }),
  pagination: z.object({ cursor: z.string().optional() }).optional(),
});

/** The cost of all subscriptions of an app. */
export interface Totals {
  readonly cost: number;
  readonly maxCost: number;
}

/** A subscription to a type of events of a channel. */
export interface Topic {
  readonly type: string;
  readonly version: string;
  readonly channelId: string;
}

/** A subscription of a conduit. */
export interface CreatedSubscription {
  readonly id: string;
  /** 0 if the broadcaster has authorized the app. */
  readonly cost: number;
}

/** A subscription as Twitch lists it. */
interface ListedSubscription extends CreatedSubscription {
  readonly type: string;
  readonly isEnabled: boolean;
  /** Absent: the subscription is not to events of a channel. */
  readonly channelId: string | undefined;
}

/** A shard of a conduit. Twitch sends each notification to one shard, or to another one if that fails. */
interface Shard {
  readonly conduitId: string;
  readonly number: number;
}

/** A shard whose notifications go to a session, or to a webhook. */
export interface BoundShard extends Shard {
  /** For a webhook, its address. */
  readonly sessionId: string;
}

/** The endpoints of EventSub, with the token of the app. */
export interface EventSubApi {
  /** Resolves with the id of a new conduit with one shard. */
  createConduit(signal: AbortSignal): Promise<string>;
  /** Changes the number of shards. Throws `missing` if the conduit does not exist. */
  resize(conduitId: string, shards: number, signal: AbortSignal): Promise<void>;
  /** Sends the notifications of a shard to a session. Throws `missing` if the conduit does not exist. */
  bind(shard: BoundShard, signal: AbortSignal): Promise<void>;
  /** The enabled shards of a conduit. */
  shards(conduitId: string, signal: AbortSignal): Promise<readonly BoundShard[]>;
  /** Subscribes a conduit to the shards that Twitch disables. */
  watchShards(conduitId: string, signal: AbortSignal): Promise<void>;
  /** The subscriptions of a conduit, and the cost of all subscriptions of the app. */
  list(conduitId: string, signal: AbortSignal): Promise<{ readonly subscriptions: readonly ListedSubscription[]; readonly totals: Totals }>;
  totals(signal: AbortSignal): Promise<Totals>;
  /** Creates a subscription, as soon as enough points are left for polls. */
  create(conduitId: string, topic: Topic, signal: AbortSignal): Promise<CreatedSubscription & { readonly totals: Totals }>;
  remove(id: string, signal: AbortSignal): Promise<void>;
}

export interface EventSubApiOptions {
  readonly api: HttpClient;
  readonly token: AppToken;
  readonly clientId: string;
  readonly clock: Clock;
  /** The webhook to which shards are bound; absent: to the session. */
  readonly webhook?: { readonly callback: string; readonly secret: string } | undefined;
}

/** Creates the requests of EventSub. */
export function eventSubApi({ api, token, clientId, clock, webhook }: EventSubApiOptions): EventSubApi {
  /** When the next subscription may be created. */
  let freeAtMs = 0;

  const send = (signal: AbortSignal, request: Omit<HttpRequest, 'headers' | 'signal'>): Promise<HttpResponse> =>
    token.authorized(signal, (value) =>
      api.request({ ...BUDGET, ...request, headers: { authorization: `Bearer ${value}`, 'client-id': clientId }, signal }),
    );

  return {
    async createConduit(signal) {
      // A conduit whose answer was lost is deleted by Twitch after 72 hours without a shard.
      const response = await send(signal, { method: 'POST', path: '/eventsub/conduits', json: { shard_count: 1 } });
      return response.json(Conduits).data[0].id;
    },

    async resize(conduitId, shards, signal) {
      const json = { id: conduitId, shard_count: shards };
      await send(signal, { method: 'PATCH', path: '/eventsub/conduits', json, idempotent: true });
    },

    async bind({ conduitId, number, sessionId }, signal) {
      const transport = webhook ? { method: 'webhook', ...webhook } : { method: 'websocket', session_id: sessionId };
      const shards = [{ id: String(number), transport }];
      const json = { conduit_id: conduitId, shards };
      const response = await send(signal, { method: 'PATCH', path: '/eventsub/conduits/shards', json, idempotent: true });
      const [error] = response.json(Bound).errors;
      if (error) throw new PlatformError(`twitch does not use the connection: ${error.message}`, { platform: 'twitch', fault: 'rejected' });
    },

    async shards(conduitId, signal) {
      const response = await send(signal, { path: '/eventsub/conduits/shards', query: { conduit_id: conduitId } });
      return response
        .json(Shards)
        .data.filter(({ status }) => status === 'enabled')
        .map(({ id, transport }) => ({ conduitId, number: Number(id), sessionId: transport.session_id ?? transport.callback ?? '' }));
    },

    async watchShards(conduitId, signal) {
      const json = {
        type: 'conduit.shard.disabled',
        version: '1',
        condition: { client_id: clientId, conduit_id: conduitId },
        transport: { method: 'conduit', conduit_id: conduitId },
      };
      await send(signal, { method: 'POST', path: '/eventsub/subscriptions', json }).catch((error: unknown) => {
        if (!(error instanceof PlatformError) || error.status !== 409) throw error;
      });
    },

    async list(conduitId, signal) {
      const subscriptions: ListedSubscription[] = [];
      const seen = new Set<string>();
      for (let after: string | undefined; ;) {
        const query = { conduit_id: conduitId, after };
        const response = await send(signal, { path: '/eventsub/subscriptions', query });
        const { data, pagination } = response.json(Listed);
        // The app may have other conduits, which belong to other installations.
        for (const one of data) if (one.transport.conduit_id === conduitId) subscriptions.push(toListed(one));
        after = pagination?.cursor || undefined;
        if (after === undefined || seen.has(after)) return { subscriptions, totals: response.json(Totals) };
        seen.add(after);
      }
    },

    // With a filter, the answer is short.
    totals: async (signal) => (await send(signal, { path: '/eventsub/subscriptions', query: { status: 'beta_maintenance' } })).json(Totals),

    async create(conduitId, { type, version, channelId }, signal) {
      const json = {
        type,
        version,
        condition: { broadcaster_user_id: channelId },
        transport: { method: 'conduit', conduit_id: conduitId },
      };
      const leftMs = freeAtMs - clock.nowMs();
      if (leftMs > 0) await clock.sleep(leftMs, signal);
      const response = await send(signal, { method: 'POST', path: '/eventsub/subscriptions', json });
      freeAtMs = clock.nowMs() + missingPointsMs(response, clock);
      return { ...response.json(Created).data[0], totals: response.json(Totals) };
    },

    async remove(id, signal) {
      await send(signal, { method: 'DELETE', path: '/eventsub/subscriptions', query: { id }, idempotent: true });
    },
  };
}

/** The time until polls have their part of the points again. Other installations with the client id also use points. */
function missingPointsMs({ headers }: HttpResponse, clock: Clock): number {
  const [rate] = readRates(headers, clock.nowMs());
  if (rate?.limit === undefined || rate.remaining === undefined) return 0;
  return Math.max(0, RESERVED - rate.remaining / rate.limit) * REFILL_MS;
}

function toListed({ id, cost: its, status, type, condition }: z.output<typeof Subscription>): ListedSubscription {
  const channelId = condition['broadcaster_user_id'];
  return { id, cost: its, type, isEnabled: status === 'enabled', channelId: typeof channelId === 'string' ? channelId : undefined };
}
