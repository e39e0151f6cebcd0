import { z } from 'zod';
import type { AppToken } from '#src/http/app-token.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#src/http/client.ts';
import { listOf } from '#src/http/lenient.ts';

/** Requests for subscriptions have a budget of their own, so that a refusal for one of their limits does not stop polls. */
const BUDGET = { budget: 'events', pace: { perSecond: 5, burst: 20 } } as const;

/** The most ids in a request. */
const MOST_REMOVED = 50;

const Subscription = z.object({ id: z.string().min(1), event: z.string(), broadcaster_user_id: z.int() });
/** An app can have subscriptions to events that are about no channel. */
const Listed = z.object({ data: listOf(Subscription, { isRequired: true }) });
const Created = z.object({
  data: z.array(z.object({ name: z.string(), subscription_id: z.string().nullish(), error: z.string().nullish() })).nullable(),
});

/** A subscription to one type of events of a channel. */
export interface EventSubscription {
  readonly id: string;
  readonly type: string;
  readonly channelId: string;
}

/** The result of a request for one type of events. */
interface CreatedSubscription {
  readonly type: string;
  /** Absent: Kick refuses it. */
  readonly id: string | undefined;
  readonly problem: string | undefined;
}

/** The endpoints of event subscriptions, with the token of the app. */
export interface KickEventsApi {
  /** All subscriptions of the app. */
  list(signal: AbortSignal): Promise<readonly EventSubscription[]>;
  create(channelId: string, types: readonly string[], signal: AbortSignal): Promise<readonly CreatedSubscription[]>;
  remove(ids: readonly string[], signal: AbortSignal): Promise<void>;
}

const PATH = '/public/v1/events/subscriptions';

export function kickEventsApi({ api, token }: { readonly api: HttpClient; readonly token: AppToken }): KickEventsApi {
  const send = (signal: AbortSignal, request: Omit<HttpRequest, 'headers' | 'signal' | 'path'>): Promise<HttpResponse> =>
    token.authorized(signal, (value) =>
      api.request({ ...BUDGET, ...request, path: PATH, headers: { authorization: `Bearer ${value}` }, signal }),
    );

  return {
    async list(signal) {
      const { data } = (await send(signal, {})).json(Listed);
      return data.map(({ id, event, broadcaster_user_id }) => ({ id, type: event, channelId: String(broadcaster_user_id) }));
    },

    async create(channelId, types, signal) {
      const events = types.map((name) => ({ name, version: 1 }));
      const json = { broadcaster_user_id: Number(channelId), events, method: 'webhook' };
      const { data } = (await send(signal, { method: 'POST', json })).json(Created);
      return (data ?? []).map(({ name, subscription_id, error }) => ({
        type: name,
        id: subscription_id || undefined,
        problem: error || undefined,
      }));
    },

    async remove(ids, signal) {
      for (let at = 0; at < ids.length; at += MOST_REMOVED) {
        await send(signal, { method: 'DELETE', query: { id: ids.slice(at, at + MOST_REMOVED) }, idempotent: true });
      }
    },
  };
}
