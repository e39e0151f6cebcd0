import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import type { AppToken } from '#src/http/app-token.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#src/http/client.ts';

/** The requests of EventSub leave most of the 800 points a minute to polls. A refusal for another limit does not stop polls either. */
const BUDGET = { budget: 'eventsub', pace: { perSecond: 5, burst: 50 } } as const;

/** The only shard of a conduit. */
const SHARD = '0';

const Conduits = z.object({ data: z.tuple([z.object({ id: z.string().min(1) })], z.unknown()) });
const Bound = z.object({ errors: z.array(z.object({ message: z.string() })).default([]) });
const Shards = z.object({
  data: z.array(z.object({ id: z.string(), status: z.string(), transport: z.object({ session_id: z.string().optional() }) })),
});
const Totals = z
  .object({ total_cost: z.number(), max_total_cost: z.number() })
  .transform(({ total_cost, max_total_cost }): Totals => ({ cost: total_cost, maxCost: max_total_cost }));
const Subscription = z.object({
  id: z.string().min(1),
  status: z.string(),
  type: z.string(),
  condition: z.record(z.string(), z.unknown()),
  transport: z.object({ conduit_id: z.string().optional() }),
});
const Created = z.object({ data: z.tuple([z.object({ id: z.string().min(1) })], z.unknown()) });
const Listed = z.object({ data: z.array(Subscription), pagination: z.object({ cursor: z.string().optional() }).optional() });

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

/** A subscription as Twitch lists it. */
interface ListedSubscription {
  readonly id: string;
  readonly type: string;
  readonly isEnabled: boolean;
  /** Absent: the subscription is not to events of a channel. */
  readonly channelId: string | undefined;
}

/** The endpoints of EventSub, with the token of the app. */
export interface EventSubApi {
  /** Resolves with the id of a new conduit with one shard. */
  createConduit(signal: AbortSignal): Promise<string>;
  /** Sends the notifications of a conduit to a session. Throws `missing` if the conduit does not exist. */
  bind(conduitId: string, sessionId: string, signal: AbortSignal): Promise<void>;
  /** Whether the notifications of a conduit go to a session. */
  isBound(conduitId: string, sessionId: string, signal: AbortSignal): Promise<boolean>;
  /** The subscriptions of a conduit, and the cost of all subscriptions of the app. */
  list(conduitId: string, signal: AbortSignal): Promise<{ readonly subscriptions: readonly ListedSubscription[]; readonly totals: Totals }>;
  totals(signal: AbortSignal): Promise<Totals>;
  create(conduitId: string, topic: Topic, signal: AbortSignal): Promise<{ readonly id: string; readonly totals: Totals }>;
  remove(id: string, signal: AbortSignal): Promise<void>;
}

export interface EventSubApiOptions {
  readonly api: HttpClient;
  readonly token: AppToken;
  readonly clientId: string;
}

/** Creates the requests of EventSub. */
export function eventSubApi({ api, token, clientId }: EventSubApiOptions): EventSubApi {
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

    async bind(conduitId, sessionId, signal) {
      const shards = [{ id: SHARD, transport: { method: 'websocket', session_id: sessionId } }];
      const json = { conduit_id: conduitId, shards };
      const response = await send(signal, { method: 'PATCH', path: '/eventsub/conduits/shards', json, idempotent: true });
      const [error] = response.json(Bound).errors;
      if (error) throw new PlatformError(`twitch does not use the connection: ${error.message}`, { platform: 'twitch', fault: 'rejected' });
    },

    async isBound(conduitId, sessionId, signal) {
      const response = await send(signal, { path: '/eventsub/conduits/shards', query: { conduit_id: conduitId } });
      const shard = response.json(Shards).data.find(({ id }) => id === SHARD);
      return shard?.status === 'enabled' && shard.transport.session_id === sessionId;
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
      const response = await send(signal, { method: 'POST', path: '/eventsub/subscriptions', json });
      return { id: response.json(Created).data[0].id, totals: response.json(Totals) };
    },

    async remove(id, signal) {
      await send(signal, { method: 'DELETE', path: '/eventsub/subscriptions', query: { id }, idempotent: true });
    },
  };
}

function toListed({ id, status, type, condition }: z.output<typeof Subscription>): ListedSubscription {
  const channelId = condition['broadcaster_user_id'];
  return { id, type, isEnabled: status === 'enabled', channelId: typeof channelId === 'string' ? channelId : undefined };
}
